#include "sweep/base.h"

namespace sweep {

std::optional<Decimal> parse_decimal(std::string_view text) {
  constexpr int most_digits = 18;  // every such number fits into 64 bits
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    text = text.substr(0, e);
    const bool down = power.starts_with('-');
    if (down || power.starts_with('+')) power.remove_prefix(1);
    if (power.empty() || power.size() > 4) return std::nullopt;
    for (const char c : power) {
      if (c < '0' || c > '9') return std::nullopt;
      exponent = exponent * 10 + (c - '0');
    }
    if (down) exponent = -exponent;
  }
  std::int64_t digits = 0;
  std::int64_t scale = 0;
  std::int64_t held_zeros = 0;  // zeros that count only when another digit follows
  int significant = 0;
  bool any = false;
  bool point = false;
  for (const char c : text) {
    if (c == '_') continue;
    if (c == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    any = true;
    scale += point ? 1 : 0;
    if (c == '0') {
      held_zeros += digits != 0 ? 1 : 0;
      continue;
    }
    significant += static_cast<int>(held_zeros) + 1;
    if (held_zeros > most_digits || significant > most_digits) return std::nullopt;
    for (; held_zeros > 0; --held_zeros) digits *= 10;
    digits = digits * 10 + (c - '0');
  }
  if (!any) return std::nullopt;
  if (digits == 0) return Decimal{};
  scale -= held_zeros + exponent;
  for (; scale < 0; ++scale) {
    if (++significant > most_digits) return std::nullopt;
    digits *= 10;
  }
  constexpr std::int64_t smallest_scale = 4096;
  if (scale > smallest_scale) return std::nullopt;
  return Decimal{negative ? -digits : digits, static_cast<std::int32_t>(scale)};
}

}  // namespace sweep
