#include <charconv>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.h"
#include "sweep/yaml.h"
#include "yaml/encoding.h"

namespace sweep::yaml {
namespace {

struct Refused {};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A recursive descent over RFC 8259; the depth limit bounds the recursion. A library's parser
// would tell neither where values stand nor that a key comes twice.
class JsonReader {
 public:
  JsonReader(Document& document, Diagnostics& diagnostics)
      : document_(document), text_(document.file()->text()), diagnostics_(diagnostics) {}

  void run() {
    skip_space();
    document_.set_root(value(1));
    skip_space();
    if (at_ < text_.size()) refuse("unexpected text behind the value");
  }

 private:
  [[noreturn]] void refuse(std::string message, std::size_t length = 1) {
    const auto begin = static_cast<std::uint32_t>(at_);
    diagnostics_.add({.rule = "json-syntax",
                      .message = "not valid JSON: " + std::move(message),
                      .span = document_.span({begin, begin + static_cast<std::uint32_t>(length)}),
                      .help = {},
                      .path = {},
                      .related = {}});
    throw Refused{};
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  const Node* value(std::size_t depth) {
    if (depth > max_depth) refuse(fmt::format("nested deeper than {} levels", max_depth));
    Node* node = document_.store().make();
    node->extent.begin = static_cast<std::uint32_t>(at_);
    const char c = peek();
    if (c == '{') {
      object(*node, depth);
    } else if (c == '[') {
      array(*node, depth);
    } else if (c == '"') {
      node->kind = Kind::string;
      node->quoted = true;
      node->text = string();
    } else if (c == '-' || is_digit(c)) {
      number(*node);
    } else if (word("true")) {
      node->kind = Kind::boolean;
      node->boolean = true;
    } else if (word("false")) {
      node->kind = Kind::boolean;
    } else if (!word("null")) {
      refuse(at_ >= text_.size() ? "the text ends here" : "a value is expected here");
    }
    node->extent.end = static_cast<std::uint32_t>(at_);
    if (!node->quoted && node->members.empty() && node->items.empty()) {
      node->text = text_.substr(node->extent.begin, node->extent.end - node->extent.begin);
    }
    return node;
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  void object(Node& node, std::size_t depth) {
    node.kind = Kind::mapping;
    node.flow = true;
    ++at_;
    std::vector<Member> members;
    std::unordered_set<std::string_view> names;
    skip_space();
    while (peek() != '}') {
      if (!members.empty()) expect(',', "',' or '}' is expected here");
      if (peek() != '"') refuse("a key in double quotes is expected here");
      Node* key = document_.store().make();
      key->kind = Kind::string;
      key->quoted = true;
      key->extent.begin = static_cast<std::uint32_t>(at_);
      key->text = string();
      key->extent.end = static_cast<std::uint32_t>(at_);
      if (!names.insert(key->text).second) {
        at_ = key->extent.begin;
        refuse(fmt::format("key '{}' is already in this object", printable(key->text)),
               key->extent.end - key->extent.begin);
      }
      skip_space();
      expect(':', "':' is expected here");
      members.push_back({key, value(depth + 1)});
      skip_space();
    }
    ++at_;
    node.members = document_.store().keep(members);
  }

  void array(Node& node, std::size_t depth) {
    node.kind = Kind::sequence;
    node.flow = true;
    ++at_;
    std::vector<const Node*> items;
    skip_space();
    while (peek() != ']') {
      if (!items.empty()) expect(',', "',' or ']' is expected here");
      items.push_back(value(depth + 1));
      skip_space();
    }
    ++at_;
    node.items = document_.store().keep(items);
  }

  void expect(char c, std::string_view message) {
    if (peek() != c) refuse(std::string(message));
    ++at_;
    skip_space();
  }

  void number(Node& node) {
    const std::size_t begin = at_;
    bool whole = true;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      digits();
    }
    if (peek() == '.') {
      whole = false;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    const std::string_view written = text_.substr(begin, at_ - begin);
    node.kind = Kind::integer;
    const auto [end, error] =
        std::from_chars(written.data(), written.data() + written.size(), node.integer);
    if (whole && error == std::errc{}) return;
    node.kind = Kind::real;
    node.real = std::strtod(std::string(written).c_str(), nullptr);
  }

  void digits() {
    if (!is_digit(peek())) refuse("a digit is expected here");
    while (is_digit(peek())) ++at_;
  }

  // The string at `at_`, with its escapes resolved.
  std::string_view string() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\') plain_character();
    if (peek() == '"') return text_.substr(begin, at_++ - begin);
    std::string out(text_.substr(begin, at_ - begin));
    while (peek() != '"') {
      if (at_ >= text_.size()) refuse("the text ends inside a string");
      if (peek() == '\\') {
        escape(out);
      } else {
        out += text_[at_];
        plain_character();
      }
    }
    ++at_;
    return document_.store().keep(out);
  }

  void plain_character() {
    if (static_cast<unsigned char>(text_[at_]) < 0x20) {
      refuse("a control character in a string must be written as an escape");
    }
    ++at_;
  }

  void escape(std::string& out) {
    ++at_;
    const char c = peek();
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    if (const auto index = names.find(c); index != std::string_view::npos && c != '\0') {
      out += values[index];
      ++at_;
      return;
    }
    if (c != 'u') refuse("an unknown escape");
    ++at_;
    char32_t unit = hex_unit();
    if (unit >= 0xD800 && unit < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const char32_t low = hex_unit();
      if (low < 0xDC00 || low > 0xDFFF) refuse("half of a surrogate pair");
      unit = 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
    }
    if (unit >= 0xD800 && unit <= 0xDFFF) refuse("half of a surrogate pair");
    utf8::append(out, unit);
  }

  char32_t hex_unit() {
    unsigned value = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || end != digits.data() + 4) {
      refuse("'\\u' needs four hexadecimal digits");
    }
    at_ += 4;
    return value;
  }

  Document& document_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

}  // namespace

std::shared_ptr<const Document> read_json(std::shared_ptr<const SourceFile> file,
                                          Diagnostics& diagnostics) {
  if (!check_encoding(file, diagnostics)) return nullptr;
  auto document = std::make_shared<Document>(std::move(file));
  try {
    JsonReader(*document, diagnostics).run();
  } catch (const Refused&) {
    return nullptr;
  }
  return document;
}

}  // namespace sweep::yaml
