/// Writes compact JSON straight into one buffer.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweep {

/// Appends to a string that it does not own. Commas are put where they belong; the caller sees to
/// it that every object and array that is opened is closed and every key is followed by a value.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(&out) {}

  void open(char bracket) {
    separate();
    *out_ += bracket;
    fresh_ = true;
  }
  void close(char bracket) {
    *out_ += bracket;
    fresh_ = false;
  }
  void key(std::string_view name) {
    value(name);
    *out_ += ':';
    fresh_ = true;
  }
  void value(std::string_view text) {
    separate();
    quote(text);
  }
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::int64_t number) {
    separate();
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    out_->append(digits, end);
  }
  /// A number that is written as JSON already.
  void number(std::string_view digits) {
    separate();
    out_->append(digits);
  }
  void value(bool yes) {
    separate();
    out_->append(yes ? "true" : "false");
  }
  void null() {
    separate();
    out_->append("null");
  }
  template <typename Value>
  void field(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }

 private:
  void quote(std::string_view text);
  void separate() {
    if (!fresh_) *out_ += ',';
    fresh_ = false;
  }

  std::string* out_;
  bool fresh_ = true;  // no comma before the next item
};

}  // namespace sweep
