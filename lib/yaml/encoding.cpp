#include "yaml/encoding.h"

#include <cstring>

#include <fmt/format.h>

#include "base/utf8.h"

namespace sweep::yaml {
namespace {

bool plain_ascii(std::string_view text, std::size_t at) {
  // Eight bytes at a time: no byte has its high bit set and none is below 0x20 or 0x7F.
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  constexpr std::uint64_t high = 0x8080808080808080ULL;
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  const std::uint64_t below_space = word - ones * 0x20;
  const std::uint64_t deleted = (word ^ (ones * 0x7F)) - ones;
  return ((word | below_space | deleted) & high) == 0;
}

std::string_view foreign_encoding(std::string_view text) {
  const auto starts = [&](std::string_view bytes) { return text.starts_with(bytes); };
  using namespace std::string_view_literals;
  if (starts("\xFF\xFE\0\0"sv) || starts("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv)) return "UTF-16";
  if (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0')) return "UTF-16";
  return {};
}

}  // namespace

bool check_encoding(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics) {
  const std::string_view text = file->text();
  const auto refuse = [&](std::size_t at, std::size_t length, std::string message,
                          std::string help) {
    const Extent extent{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + length)};
    diagnostics.add({.rule = "yaml-encoding",
                     .message = std::move(message),
                     .span = {file, extent},
                     .help = std::move(help),
                     .path = {},
                     .related = {}});
    return false;
  };
  if (const auto name = foreign_encoding(text); !name.empty()) {
    return refuse(0, 1, fmt::format("the file is {}, not UTF-8", name), "save the file as UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    return refuse(0, 3, "a second byte-order mark", "keep one, or none");
  }
  for (std::size_t at = 0; at < text.size();) {
    if (at + sizeof(std::uint64_t) <= text.size() && plain_ascii(text, at)) {
      at += sizeof(std::uint64_t);
      continue;
    }
    const auto decoded = utf8::decode(text, at);
    const char32_t c = decoded.code_point;
    if (!decoded.valid) {
      return refuse(at, 1,
                    fmt::format("byte 0x{:02x} is not valid UTF-8 here",
                                static_cast<unsigned char>(text[at])),
                    "save the file as UTF-8");
    }
    if (c == '\r' && (at + 1 == text.size() || text[at + 1] != '\n')) {
      return refuse(at, 1, "a carriage return without a line feed is not a line end",
                    "end lines with LF or CRLF");
    }
    const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
                         (c >= 0x7F && c < 0xA0 && c != 0x85) || c == 0xFFFE || c == 0xFFFF;
    if (control) {
      return refuse(at, decoded.length,
                    fmt::format("control character U+{:04X} is not allowed in YAML",
                                static_cast<std::uint32_t>(c)),
                    "remove it, or write it as an escape in double quotes");
    }
    at += decoded.length;
  }
  return true;
}

}  // namespace sweep::yaml
