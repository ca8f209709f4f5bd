#include "base/json_writer.h"

#include <array>

namespace sweep {
namespace {

// By byte: most of a result's text goes through this question.
constexpr std::array<bool, 256> needs_escape = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) table[byte] = true;
  for (const unsigned char byte : {'"', '\\', '\x7F'}) table[byte] = true;
  return table;
}();

void append_escaped(std::string& out, char c) {
  constexpr std::string_view short_names = "\b\f\n\r\t\"\\";
  constexpr std::string_view letters = "bfnrt\"\\";
  if (const auto index = short_names.find(c); index != std::string_view::npos) {
    out += '\\';
    out += letters[index];
    return;
  }
  constexpr std::string_view hex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += hex[byte >> 4U];
  out += hex[byte & 0xFU];
}

}  // namespace

void JsonWriter::quote(std::string_view text) {
  std::string& out = *out_;
  out += '"';
  const char* const end = text.data() + text.size();
  for (const char* begin = text.data();;) {
    const char* at = begin;
    while (at != end && !needs_escape[static_cast<unsigned char>(*at)]) ++at;
    out.append(begin, at);
    if (at == end) break;
    append_escaped(out, *at);
    begin = at + 1;
  }
  out += '"';
}

}  // namespace sweep
