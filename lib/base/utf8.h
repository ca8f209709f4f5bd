/// UTF-8, as far as places, messages and escapes need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweep::utf8 {

/// Code points in `text`, which is taken to be valid; a stray byte counts as one.
inline std::size_t count(std::string_view text) {
  std::size_t total = 0;
  for (const char c : text) total += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return total;
}

struct Decoded {
  char32_t code_point = 0xFFFD;
  std::size_t length = 1;  ///< bytes used; at least 1
  bool valid = false;
};

/// The code point that starts at `at` (which is inside `text`); overlong forms, surrogates and
/// values past U+10FFFF are not valid.
Decoded decode(std::string_view text, std::size_t at);

/// Appends `code_point` (no surrogate, at most U+10FFFF).
void append(std::string& out, char32_t code_point);

}  // namespace sweep::utf8
