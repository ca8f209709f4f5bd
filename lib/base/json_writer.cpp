#include "base/json_writer.h"

namespace sweep {
namespace {

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == '\x7F';
}

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

void JsonWriter::value(std::string_view text) {
  separate();
  std::string& out = *out_;
  out += '"';
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!needs_escape(text[at])) continue;
    out.append(text, begin, at - begin);
    append_escaped(out, text[at]);
    begin = at + 1;
  }
  out.append(text, begin);
  out += '"';
}

}  // namespace sweep
