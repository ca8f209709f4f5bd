// Near names, printable texts and exact decimals.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "support.h"

using sweep::Decimal;
using sweep::parse_decimal;
using sweep::printable;
using test::Texts;

namespace {

Texts near(std::string_view name, const std::vector<std::string_view>& candidates,
           std::size_t limit = 1) {
  return sweep::near_names(name, candidates, limit);
}

}  // namespace

TEST_CASE("a misspelling finds the name that was meant", "[names]") {
  const std::vector<std::string_view> fields = {"image", "model", "model-prefix", "runner"};
  CHECK(near("imgae", fields) == Texts{"image"});
  CHECK(near("iamge", fields) == Texts{"image"});
  CHECK(near("imag", fields) == Texts{"image"});
  CHECK(near("images", fields) == Texts{"image"});
  CHECK(near("model_prefix", fields) == Texts{"model-prefix"});
  CHECK(near("runnner", fields) == Texts{"runner"});
  CHECK(near("zzz", fields).empty());
  CHECK(near("", fields).empty());
  CHECK(near("image", {}).empty());
}

TEST_CASE("the nearest name comes first", "[names]") {
  const std::vector<std::string_view> names = {"sglang-x", "sglang", "vllm", "sglanf"};
  CHECK(near("sglan", names, 3) == Texts{
                                       "sglang",
                                       "sglanf",
                                   });
  CHECK(near("sglang-", names, 5).front() == "sglang-x");
  CHECK(near("sglan", names, 1) == Texts{"sglang"});
  CHECK(near("vlm", {"vllm", "vllm"}, 3) == Texts{"vllm"});
}

TEST_CASE("long names are not compared", "[names]") {
  const std::string name(100'000, 'x');
  const std::string other(100'000, 'x');
  CHECK(near(name + "y", {other}).empty());
}

TEST_CASE("a question names what may be meant", "[names]") {
  const std::vector<std::string_view> names = {"mi300x", "mi325x", "mi355x", "h100"};
  CHECK(sweep::did_you_mean("mi350x", names) == "did you mean 'mi300x'?");
  CHECK(sweep::did_you_mean("mi350x", names, 2) == "did you mean 'mi300x' or 'mi355x'?");
  CHECK(sweep::did_you_mean("mi350x", names, 3) == "did you mean 'mi300x', 'mi355x' or 'mi325x'?");
  CHECK(sweep::did_you_mean("b200", names).empty());
}

TEST_CASE("a shown text cannot move the cursor or reorder a line", "[names]") {
  CHECK(printable("plain \u00fc \U0001F600") == "plain \u00fc \U0001F600");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\x1b[31m") == "\\u001b[31m");
  CHECK(printable(std::string(1, '\0')) == "\\u0000");
  CHECK(printable("\x7f") == "\\u007f");
  CHECK(printable("\u0085\u2028\u2029") == "\\u0085\\u2028\\u2029");
  for (const char* mark : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"}) {
    CHECK(printable(mark).starts_with("\\u"));
  }
  CHECK(printable("a\u202e\ufeff") == "a\\u202e\\ufeff");
  CHECK(printable("a\xff") == "a\\xff");
  CHECK(printable("").empty());
}

TEST_CASE("a long text is cut in the middle", "[names]") {
  CHECK(printable("abcdefghij", 10) == "abcdefghij");
  CHECK(printable("abcdefghijk", 5) == "ab\u2026jk");
  const std::string umlauts = "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc";
  CHECK(printable(umlauts, 3) == "\u00e4\u2026\u00fc");
  CHECK(printable(std::string(100'000, 'x')).size() < 200);
}

TEST_CASE("decimals are exact", "[names]") {
  CHECK(parse_decimal("0.1") == Decimal{1, 1});
  CHECK(parse_decimal("0.30") == Decimal{3, 1});
  CHECK(parse_decimal("1") == Decimal{1, 0});
  CHECK(parse_decimal("100") == Decimal{100, 0});
  CHECK(parse_decimal("-1.25") == Decimal{-125, 2});
  CHECK(parse_decimal("+.5") == Decimal{5, 1});
  CHECK(parse_decimal("5.") == Decimal{5, 0});
  CHECK(parse_decimal("0.000") == Decimal{0, 0});
  CHECK(parse_decimal("1_0.2_5") == Decimal{1025, 2});
  CHECK(parse_decimal("1.5e+2") == Decimal{150, 0});
  CHECK(parse_decimal("1.5E-2") == Decimal{15, 3});
  CHECK(parse_decimal("2e3") == Decimal{2000, 0});
  CHECK(parse_decimal("0.123456789012345678") == Decimal{123456789012345678, 18});
  CHECK(parse_decimal("0.10000000000000000000000000") == Decimal{1, 1});
}

TEST_CASE("other forms are no decimals", "[names]") {
  for (const char* text : {"",
                           "-",
                           ".",
                           "1.2.3",
                           "x",
                           "1x",
                           " 1",
                           "1 ",
                           "1e",
                           "1e+",
                           "1e99999",
                           "inf",
                           ".nan",
                           "0x10",
                           "--1",
                           "1,5",
                           "0.1234567890123456789",
                           "1234567890123456789",
                           "1e18",
                           "1.0e-5000"}) {
    INFO("text: " << text);
    CHECK_FALSE(parse_decimal(text).has_value());
  }
}
