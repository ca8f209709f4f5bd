#include <fmt/format.h>

#include "sweep/base.h"

namespace sweep {
namespace {

constexpr int most_decimals = 18;

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

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

std::optional<Decimal> rounded_sum(std::span<const Decimal> terms, int places) {
  // The sum is whole + part × 10^-18; both limbs together hold every term exactly.
  const std::int64_t unit = power_of_ten(most_decimals);
  std::int64_t whole = 0;
  std::int64_t part = 0;
  for (const Decimal& term : terms) {
    if (term.scale < 0 || term.scale > most_decimals) return std::nullopt;
    const std::int64_t one = power_of_ten(term.scale);
    part += term.digits % one * power_of_ten(most_decimals - term.scale);
    const std::int64_t carried = term.digits / one + part / unit;
    part %= unit;
    if (__builtin_add_overflow(whole, carried, &whole)) return std::nullopt;
  }
  // Both limbs get one sign, so that the rest behind the last place tells the way to round.
  if (whole > 0 && part < 0) {
    whole -= 1;
    part += unit;
  } else if (whole < 0 && part > 0) {
    whole += 1;
    part -= unit;
  }
  const std::int64_t step = power_of_ten(most_decimals - places);
  std::int64_t rounded = part / step;
  const std::int64_t rest = part % step;
  if (rest * 2 >= step) rounded += 1;
  if (rest * 2 <= -step) rounded -= 1;
  std::int64_t digits = 0;
  if (__builtin_mul_overflow(whole, power_of_ten(places), &digits) ||
      __builtin_add_overflow(digits, rounded, &digits)) {
    return std::nullopt;
  }
  return Decimal{digits, places};
}

std::string to_string(const Decimal& value) {
  std::string digits = fmt::format("{}", value.digits);
  if (value.scale <= 0) return value.digits == 0 ? digits : digits.append(-value.scale, '0');
  const std::size_t sign = value.digits < 0 ? 1 : 0;
  const auto decimals = static_cast<std::size_t>(value.scale);
  if (digits.size() - sign <= decimals) {
    digits.insert(sign, decimals + 1 - (digits.size() - sign), '0');
  }
  return digits.insert(digits.size() - decimals, 1, '.');
}

}  // namespace sweep
