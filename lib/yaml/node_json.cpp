#include <cctype>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "sweep/yaml.h"

namespace sweep::yaml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a number's text is a JSON number already, so that it can be kept as written.
bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > begin;
  };
  if (text.starts_with('-')) ++at;
  const std::size_t whole = at;
  if (!digits() || (text[whole] == '0' && at > whole + 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

}  // namespace

void write_json(JsonWriter& json, const Node& node) {
  switch (node.kind) {
    case Kind::null:
      return json.null();
    case Kind::boolean:
      return json.value(node.boolean);
    case Kind::integer:
      return json.number(is_json_number(node.text) ? std::string(node.text)
                                                   : fmt::format("{}", node.integer));
    case Kind::real:
      return json.number(is_json_number(node.text) ? std::string(node.text)
                                                   : fmt::format("{}", node.real));
    case Kind::string:
      return json.value(node.text);
    case Kind::sequence:
      json.open('[');
      for (const Node* item : node.items) write_json(json, *item);
      return json.close(']');
    case Kind::mapping:
      json.open('{');
      for (const auto& member : node.members) {
        json.key(member.name());
        write_json(json, *member.value);
      }
      return json.close('}');
  }
}

}  // namespace sweep::yaml
