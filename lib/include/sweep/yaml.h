/// @file
/// YAML text to a Document: an ordered tree in which every key and value keeps its place.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "sweep/base.h"

namespace sweep {
class JsonWriter;
}

namespace sweep::yaml {

enum class Kind : std::uint8_t { null, boolean, integer, real, string, sequence, mapping };

/// The kind as a message says it: `a string`, `an integer`, `a mapping`, …
std::string_view describe(Kind kind);

struct Member;

/// One value. Nodes live as long as their Document; a value that an alias or a merge brings to
/// several places is one node in all of them and keeps the place where it was written.
struct Node {
  Kind kind = Kind::null;
  bool quoted = false;   ///< written in quotes or as a block scalar
  bool flow = false;     ///< a collection written with brackets
  bool refused = false;  ///< the reader has a finding at it; what it is or holds is not known
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;        ///< for `real` only; may be infinite or NaN
  std::string_view text;  ///< a scalar's text, escapes resolved
  Extent extent;          ///< a mapping's begins at `{` or at its first key
  std::span<const Node* const> items;
  std::span<const Member> members;

  bool is(Kind other) const { return kind == other; }
  bool is_null() const { return kind == Kind::null; }
  /// The value of a mapping's key; nullptr when there is none or this is no mapping.
  const Node* find(std::string_view name) const;
  const Member* find_member(std::string_view name) const;
};

/// A key with its value. Keys are strings.
struct Member {
  const Node* key = nullptr;
  const Node* value = nullptr;

  std::string_view name() const { return key->text; }
};

/// Memory for nodes, given back all at once.
class NodeStore {
 public:
  Node* make();
  std::span<const Node* const> keep(std::span<const Node* const> items);
  std::span<const Member> keep(std::span<const Member> members);
  std::string_view keep(std::string_view text);

 private:
  std::pmr::monotonic_buffer_resource arena_{64UL * 1024};
};

/// What was read of one file. `root` is a null value for an empty file.
class Document {
 public:
  explicit Document(std::shared_ptr<const SourceFile> file) : file_(std::move(file)) {}
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const Node& root() const { return *root_; }
  const std::shared_ptr<const SourceFile>& file() const { return file_; }
  SourceSpan span(Extent extent) const { return {file_, extent}; }

  /// For readers, which build a document before they hand it on as const.
  NodeStore& store() { return store_; }
  void set_root(const Node* root) { root_ = root; }

 private:
  std::shared_ptr<const SourceFile> file_;
  NodeStore store_;
  const Node* root_ = nullptr;
};

/// Nesting, size and alias limits; past them a file is refused with `yaml-limit`.
inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_file_bytes = 16UL * 1024 * 1024;
inline constexpr std::size_t max_expanded_nodes = 1'000'000;

/// Reads one document of YAML with the 1.1 scalar rules the configs rely on (`on` is a boolean,
/// `010` is 8, `1_000` is 1000, `1e5` is a string). Returns nothing when the text is refused; the
/// finding says where and why: `yaml-encoding`, `yaml-syntax`, `yaml-limit`. Duplicate keys, keys
/// that are no strings and unknown tags are findings too, and then the rest is still returned, so
/// that it can be checked. Texts whose type surprises people (`on`, `010`, `1:30`) are warnings.
std::shared_ptr<const Document> read(std::shared_ptr<const SourceFile> file,
                                     Diagnostics& diagnostics);

/// Reads one JSON text (RFC 8259) strictly: depth at most 64, no duplicate keys, no comments.
/// Numbers keep their text; one without fraction and exponent that fits into 64 bits is an
/// `integer`, every other a `real`. Returns nothing, and one finding (`json-syntax`, or
/// `yaml-encoding` for bytes that are not UTF-8), when the text is refused.
std::shared_ptr<const Document> read_json(std::shared_ptr<const SourceFile> file,
                                          Diagnostics& diagnostics);

/// Whether two values are equal: mappings in any order, integers and floats by value.
bool equal(const Node& left, const Node& right);

/// Writes the value as compact JSON; numbers are kept as written where that is JSON.
void write_json(JsonWriter& json, const Node& node);

/// The value as JSON with one form for each value, to be hashed: keys sorted by code point at every
/// level, no spaces, everything outside printable ASCII escaped (`\n` and its like, else `\u` with
/// lower-case digits, surrogate pairs past U+FFFF). Numbers are kept as written.
std::string canonical_json(const Node& node);

/// A plain scalar's value by the table of the reader, for tests and for values given elsewhere.
/// Sets kind, boolean, integer and real; the kind is `string` when no other row fits. False when
/// the text has the form of an integer that does not fit into 64 bits or has no digit.
bool resolve_plain(std::string_view text, Node& node);

}  // namespace sweep::yaml
