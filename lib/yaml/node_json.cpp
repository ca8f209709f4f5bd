#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/utf8.h"
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

std::string number_text(const Node& node) {
  if (is_json_number(node.text)) return std::string(node.text);
  return node.is(Kind::integer) ? fmt::format("{}", node.integer) : fmt::format("{}", node.real);
}

void write(JsonWriter& json, const Node& node, bool sorted) {
  switch (node.kind) {
    case Kind::null:
      return json.null();
    case Kind::boolean:
      return json.value(node.boolean);
    case Kind::integer:
    case Kind::real:
      return json.number(number_text(node));
    case Kind::string:
      return json.value(node.text);
    case Kind::sequence:
      json.open('[');
      for (const Node* item : node.items) write(json, *item, sorted);
      return json.close(']');
    case Kind::mapping:
      json.open('{');
      std::vector<Member> members(node.members.begin(), node.members.end());
      if (sorted) {
        // UTF-8 sorts as its code points do.
        std::sort(members.begin(), members.end(),
                  [](const Member& a, const Member& b) { return a.name() < b.name(); });
      }
      for (const auto& member : members) {
        json.key(member.name());
        write(json, *member.value, sorted);
      }
      return json.close('}');
  }
}

void append_unit(std::string& out, std::uint32_t unit) { out += fmt::format("\\u{:04x}", unit); }

// JSON with every character outside ASCII escaped; only strings can hold any.
std::string ascii(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    if (static_cast<unsigned char>(json[at]) < 0x80) {
      out += json[at++];
      continue;
    }
    const auto decoded = utf8::decode(json, at);
    const auto code_point = static_cast<std::uint32_t>(decoded.code_point);
    if (code_point < 0x10000) {
      append_unit(out, code_point);
    } else {
      append_unit(out, 0xD800U + ((code_point - 0x10000U) >> 10U));
      append_unit(out, 0xDC00U + ((code_point - 0x10000U) & 0x3FFU));
    }
    at += decoded.length;
  }
  return out;
}

}  // namespace

void write_json(JsonWriter& json, const Node& node) { write(json, node, false); }

std::string canonical_json(const Node& node) {
  std::string out;
  JsonWriter json(out);
  write(json, node, true);
  return ascii(out);
}

}  // namespace sweep::yaml
