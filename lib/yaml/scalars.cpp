#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "sweep/yaml.h"

namespace sweep::yaml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_digit_or_underscore(char c) { return is_digit(c) || c == '_'; }

// The value of a digit in any base up to 16, or 99.
int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

template <typename Predicate>
bool all(std::string_view text, Predicate predicate) {
  for (const char c : text) {
    if (!predicate(c)) return false;
  }
  return true;
}

// Accumulates a magnitude that may reach 2^63 (for the smallest negative number).
class Magnitude {
 public:
  void append(std::uint64_t base, std::uint64_t digit) {
    constexpr auto limit = std::uint64_t{1} << 63U;
    if (value_ > (limit - digit) / base) overflow_ = true;
    if (!overflow_) value_ = value_ * base + digit;
  }
  bool store(bool negative, Node& node) const {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (overflow_ || (!negative && value_ > largest)) return false;
    node.kind = Kind::integer;
    node.integer = static_cast<std::int64_t>(negative ? ~value_ + 1 : value_);
    return true;
  }

 private:
  std::uint64_t value_ = 0;
  bool overflow_ = false;
};

enum class Form : std::uint8_t { other, good, bad };

Form read_based(std::string_view digits, int base, bool negative, Node& node) {
  const auto fits = [base](char c) { return c == '_' || digit_value(c) < base; };
  if (digits.empty() || !all(digits, fits)) return Form::other;
  Magnitude magnitude;
  bool any = false;
  for (const char c : digits) {
    if (c == '_') continue;
    any = true;
    magnitude.append(static_cast<std::uint64_t>(base), static_cast<std::uint64_t>(digit_value(c)));
  }
  return any && magnitude.store(negative, node) ? Form::good : Form::bad;
}

// Splits `1:30:5` at its colons and calls `each` with every part after the first; false when a
// part is not [0-5]?[0-9].
template <typename Each>
bool base_60_parts(std::string_view parts, Each each) {
  while (!parts.empty()) {
    if (parts.front() != ':') return false;
    parts.remove_prefix(1);
    const auto part = parts.substr(0, parts.find(':'));
    const bool fits = (part.size() == 1 && is_digit(part[0])) ||
                      (part.size() == 2 && part[0] >= '0' && part[0] <= '5' && is_digit(part[1]));
    if (!fits) return false;
    int value = 0;
    for (const char c : part) value = value * 10 + (c - '0');
    each(value);
    parts.remove_prefix(part.size());
  }
  return true;
}

Form read_integer(std::string_view text, bool negative, Node& node) {
  if (text.starts_with("0b")) return read_based(text.substr(2), 2, negative, node);
  if (text.starts_with("0x")) return read_based(text.substr(2), 16, negative, node);
  if (text == "0") return read_based(text, 10, negative, node);
  if (text.starts_with('0')) {
    const auto digits = text.substr(1);
    // `0_` is an octal zero written oddly: the leading 0 is its digit.
    if (all(digits, [](char c) { return c == '_'; })) return read_based("0", 10, negative, node);
    return read_based(digits, 8, negative, node);
  }
  const auto colon = text.find(':');
  const auto head = text.substr(0, colon);
  if (head.empty() || !is_digit(head.front()) || !all(head, is_digit_or_underscore)) {
    return Form::other;
  }
  if (colon == std::string_view::npos) return read_based(head, 10, negative, node);
  Magnitude magnitude;
  for (const char c : head) {
    if (c != '_') magnitude.append(10, static_cast<std::uint64_t>(c - '0'));
  }
  const bool fits = base_60_parts(text.substr(colon), [&](int part) {
    magnitude.append(60, static_cast<std::uint64_t>(part));
  });
  if (!fits) return Form::other;
  return magnitude.store(negative, node) ? Form::good : Form::bad;
}

bool store_real(double value, bool negative, Node& node) {
  node.kind = Kind::real;
  node.real = negative ? -value : value;
  return true;
}

// strtod reads the C locale's form, which is the one the process runs in; underscores go first.
double to_double(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    if (c != '_') clean += c;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(clean.data(), clean.data() + clean.size(), value);
  if (error == std::errc::result_out_of_range) return std::strtod(clean.c_str(), nullptr);
  return value;
}

bool read_real(std::string_view text, bool signed_form, bool negative, Node& node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    return store_real(infinity, negative, node);
  }
  if (!signed_form && (text == ".nan" || text == ".NaN" || text == ".NAN")) {
    return store_real(std::numeric_limits<double>::quiet_NaN(), false, node);
  }
  const auto point = text.find('.');
  if (point == std::string_view::npos) return false;
  const auto whole = text.substr(0, point);
  auto fraction = text.substr(point + 1);
  if (const auto colon = whole.find(':'); colon != std::string_view::npos) {
    // The form with base 60 parts has no exponent.
    const auto head = whole.substr(0, colon);
    if (head.empty() || !is_digit(head.front()) || !all(head, is_digit_or_underscore) ||
        !all(fraction, is_digit_or_underscore)) {
      return false;
    }
    double value = to_double(head);
    if (!base_60_parts(whole.substr(colon), [&](int part) { value = value * 60 + part; })) {
      return false;
    }
    return store_real(value + to_double("0." + std::string(fraction) + "0"), negative, node);
  }
  if (const auto e = fraction.find_first_of("eE"); e != std::string_view::npos) {
    const auto power = fraction.substr(e + 1);
    const bool fits =
        power.size() >= 2 && (power[0] == '-' || power[0] == '+') && all(power.substr(1), is_digit);
    if (!fits) return false;
    fraction = fraction.substr(0, e);
  }
  if (!all(fraction, is_digit_or_underscore)) return false;
  if (whole.empty()) {
    // A form that starts with the point takes no sign and needs a digit behind the point.
    if (signed_form || fraction.empty() || !is_digit(fraction.front())) return false;
  } else if (!is_digit(whole.front()) || !all(whole, is_digit_or_underscore)) {
    return false;
  }
  return store_real(to_double(text), negative, node);
}

bool read_boolean(std::string_view text, Node& node) {
  constexpr std::string_view yes[] = {"true", "True", "TRUE", "yes", "Yes",
                                      "YES",  "on",   "On",   "ON"};
  constexpr std::string_view no[] = {"false", "False", "FALSE", "no", "No",
                                     "NO",    "off",   "Off",   "OFF"};
  for (const auto word : yes) {
    if (text == word) {
      node.kind = Kind::boolean;
      node.boolean = true;
      return true;
    }
  }
  for (const auto word : no) {
    if (text == word) {
      node.kind = Kind::boolean;
      node.boolean = false;
      return true;
    }
  }
  return false;
}

}  // namespace

bool resolve_plain(std::string_view text, Node& node) {
  node.kind = Kind::string;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    node.kind = Kind::null;
    return true;
  }
  const char first = text.front();
  const bool signed_form = first == '-' || first == '+';
  if (is_digit(first) || signed_form || first == '.') {
    const auto unsigned_text = text.substr(signed_form ? 1 : 0);
    const Form form = read_integer(unsigned_text, first == '-', node);
    if (form == Form::other) read_real(unsigned_text, signed_form, first == '-', node);
    return form != Form::bad;
  }
  constexpr std::size_t longest_boolean = 5;
  if (text.size() <= longest_boolean) read_boolean(text, node);
  return true;
}

}  // namespace sweep::yaml
