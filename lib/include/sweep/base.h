/// @file
/// The ground floor: source files and places in them, findings, near names, exact decimals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweep {

/// The version of the library and of its tool, for example `0.1.0`.
std::string_view version();

/// A half-open range of byte offsets into a file's text.
struct Extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  ///< one past the last byte
};

/// A place as people count it.
struct LineColumn {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in Unicode code points; a tab is one
};

/// A named text, immutable once made. Offsets count bytes of `text`, from which a UTF-8
/// byte-order mark has been taken off.
class SourceFile {
 public:
  SourceFile(std::string name, std::string text);
  /// Some lines of a file: `line_numbers` holds, ascending, the number of each line of `text`.
  SourceFile(std::string name, std::string text, std::vector<std::size_t> line_numbers);

  /// The name as the user gave it, for messages.
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  LineColumn position(std::size_t offset) const;
  /// The line's bytes without its line end; `line` counts from 1 and must exist.
  std::string_view line_text(std::size_t line) const;
  /// The offset of the line's first byte.
  std::size_t line_begin(std::size_t line) const;

 private:
  const std::vector<std::uint32_t>& line_starts() const;
  std::size_t line_index(std::size_t line) const;

  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_numbers_;           ///< empty: 1, 2, …
  mutable std::vector<std::uint32_t> line_starts_;  ///< built when the first place is asked for
};

class Diagnostics;

/// Reads a whole file; `-` is standard input. Returns nothing, and a finding (`file`), when there
/// is no such file, it is a directory or a device, cannot be read, or is larger than 16 MiB.
std::shared_ptr<const SourceFile> load_file(const std::string& name, Diagnostics& diagnostics);

/// A range of a file; no file means that the finding has no place (a flag's value, say).
struct SourceSpan {
  std::shared_ptr<const SourceFile> file;
  Extent extent;
};

enum class Severity : std::uint8_t { error, warning, note };

/// `error`, `warning` or `note`.
std::string_view to_string(Severity severity);

/// A second place that belongs to a finding, such as "first defined here".
struct RelatedPlace {
  SourceSpan span;
  std::string message;
};

/// One finding: what is wrong, where, and what to do.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string rule;     ///< the rule's id, as `generate_sweeps explain` knows it
  std::string message;  ///< one line that stands alone
  SourceSpan span;
  std::string help;  ///< what would be right; may be empty
  std::string path;  ///< the place in words; may be empty
  std::vector<RelatedPlace> related;
  /// The config keys that the finding is about, where the place alone does not tell: a row from an
  /// anchor is written in one entry and used in others.
  std::vector<std::string> config_keys = {};
};

/// Collects findings. A finding whose place, rule and message are already there is not added again,
/// but its config keys are: a value that an anchor or a merge brings to many places is wrong once.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic);

  const std::vector<Diagnostic>& all() const { return items_; }
  std::vector<Diagnostic>& all() { return items_; }
  std::size_t count(Severity severity) const;
  bool has_errors() const { return count(Severity::error) != 0; }

  /// Puts findings in the order of their files (as first met) and of their places in them.
  void sort();

 private:
  std::vector<Diagnostic> items_;
  std::unordered_map<std::string, std::size_t> seen_;  ///< identity to index
};

/// The candidates closest to `name` by edit distance, best first; empty when none is near enough
/// to be a likely misspelling. At most `limit` are given.
std::vector<std::string> near_names(std::string_view name,
                                    std::span<const std::string_view> candidates,
                                    std::size_t limit = 1);

/// `did you mean 'a' or 'b'?`; empty when no candidate is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates,
                         std::size_t limit = 1);

/// Matches the whole text: `*` any run, `?` one character, `[abc]`, `[a-c]`, `[!abc]`; nothing else
/// is special, and an unclosed `[` is itself. Time is linear in pattern times text.
bool matches_pattern(std::string_view pattern, std::string_view text);

/// The same with `*` alone special.
bool matches_stars(std::string_view pattern, std::string_view text);

/// The text as it may be shown in a message: control characters, line ends, terminal escapes and
/// bidirectional marks become `\n`, `\u001b` and the like, and a long text is cut in the middle.
/// Nothing that is shown this way can move a cursor, start a workflow command or reorder a line.
std::string printable(std::string_view text, std::size_t max_code_points = 120);

/// An exact decimal number `digits × 10^-scale`, for money-like arithmetic where a binary float
/// would round: 0.6 is {6, 1}.
struct Decimal {
  std::int64_t digits = 0;
  std::int32_t scale = 0;

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// Reads `[-+]?digits[.digits][e[+-]digits]` with optional `_` between digits. Empty when the text
/// has another form or more significant digits than fit into 18.
std::optional<Decimal> parse_decimal(std::string_view text);

/// The exact sum of the terms, rounded once, half away from zero, to `places` decimals (0 to 18),
/// which are the result's scale. Empty when a term has more than 18 decimals or the result's
/// digits do not fit into 64 bits.
std::optional<Decimal> rounded_sum(std::span<const Decimal> terms, int places);

/// The number with as many decimals as its scale says: {1250, 3} is `1.250`.
std::string to_string(const Decimal& value);

}  // namespace sweep
