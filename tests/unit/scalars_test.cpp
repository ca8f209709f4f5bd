// Which texts are which kind of value, by the YAML 1.1 table.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "support.h"

using sweep::yaml::Kind;
using sweep::yaml::Node;
using test::read_yaml;
using test::Texts;

namespace {

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

const Texts trues = {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"};
const Texts falses = {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
const Texts nulls = {"", "~", "null", "Null", "NULL"};

const std::vector<std::pair<std::string, std::int64_t>> integers = {
    // decimal
    {"0", 0},
    {"-0", 0},
    {"+0", 0},
    {"7", 7},
    {"-12", -12},
    {"+12", 12},
    {"1_000", 1000},
    {"1__0", 10},
    {"1_", 1},
    {"9223372036854775807", largest},
    {"-9223372036854775808", least},
    // octal
    {"010", 8},
    {"-010", -8},
    {"+0_17", 15},
    {"00", 0},
    {"0_", 0},
    {"0__", 0},
    {"0777777777777777777777", largest},
    {"-01000000000000000000000", least},
    // hexadecimal
    {"0x10", 16},
    {"-0xfF", -255},
    {"+0x_1_0", 16},
    {"0x7fffffffffffffff", largest},
    {"-0x8000000000000000", least},
    // binary
    {"0b101", 5},
    {"-0b1_0", -2},
    {"0b111111111111111111111111111111111111111111111111111111111111111", largest},
    // base 60
    {"17:04", 1024},
    {"1:30", 90},
    {"-1:30", -90},
    {"1:2:3", 3723},
    {"1_0:30", 630},
    {"153722867280912930:07", largest},
    {"-153722867280912930:08", least},
};

const std::vector<std::pair<std::string, double>> reals = {
    {"0.5", 0.5},       {"-0.5", -0.5},         {"+0.5", 0.5},       {"1.", 1},
    {"8.0", 8},         {"08.5", 8.5},          {"1_0.2_5", 10.25},  {".5", 0.5},
    {".5_", 0.5},       {"1.5e+3", 1500},       {"1.5E-1", 0.15},    {"1.e+2", 100},
    {".5e+1", 5},       {"1.5e+999", infinity}, {"1.5e-999", 0},     {"1:30.5", 90.5},
    {"-1:30.5", -90.5}, {"0:30.5", 30.5},       {"1:30.", 90},       {".inf", infinity},
    {".Inf", infinity}, {".INF", infinity},     {"+.inf", infinity}, {"-.INF", -infinity},
};

const Texts not_numbers = {".nan", ".NaN", ".NAN"};

const Texts strings = {
    "tRUE",   "yES",      "oN",    "oFF",   "TRue", "y",          "Y",
    "n",      "N",        "t",     "trues", "nope", "nULL",       "none",
    "None",   "~~",       "_1",    "-_1",   "--1",  "+-1",        "1a",
    "1-2",    "+",        "08",    "019",   "0o17", "0x",         "0xg",
    "0X10",   "0b",       "0b2",   "0B1",   "1:60", "1:300",      "0:30",
    "01:30",  "1:5:61",   "1:3_0", "-.5",   "+.5",  "._5",        ".",
    "1e5",    "1e+5",     "1.0e5", "1.5e+", ".5e1", "1.2.3",      "0x1.8",
    "1:60.5", "1:3.5e+1", ".iNF",  "inf",   "nan",  ".Nan",       "-.nan",
    "=",      "<<",       "v1.2",  "8k1k",  "a b",  "2026-08-22", "2026-08-22T10:00:00Z",
};

// Forms of an integer that have no value: past 64 bits, or without a digit.
const Texts past_64_bits = {
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999999999",
    "01000000000000000000000",
    "0x8000000000000000",
    "-0x8000000000000001",
    "153722867280912930:08",
    "-153722867280912930:09",
    "0b1000000000000000000000000000000000000000000000000000000000000000",
};
const Texts without_digit = {"0x_", "-0x__", "0b_", "+0b___"};

Node plain(const std::string& text) {
  Node node;
  INFO("text: " << text);
  REQUIRE(sweep::yaml::resolve_plain(text, node));
  return node;
}

// Calls `check` with the value of `text` alone, in a block mapping and in brackets.
template <typename Check>
void everywhere(const std::string& text, Check check) {
  INFO("text: '" << text << "'");
  check(plain(text));
  const auto block = read_yaml("value: " + text + "\n");
  REQUIRE(block.document != nullptr);
  CHECK(block.diagnostics.count(sweep::Severity::error) == 0);
  check(block.at("value"));
  const auto flow = read_yaml("{ value: " + text + " }\n");
  REQUIRE(flow.document != nullptr);
  check(flow.at("value"));
}

}  // namespace

TEST_CASE("six words in three spellings are booleans", "[scalars]") {
  for (const auto& text : trues) {
    everywhere(text, [](const Node& node) {
      CHECK(node.is(Kind::boolean));
      CHECK(node.boolean);
    });
  }
  for (const auto& text : falses) {
    everywhere(text, [](const Node& node) {
      CHECK(node.is(Kind::boolean));
      CHECK_FALSE(node.boolean);
    });
  }
}

TEST_CASE("a tilde, three spellings of null and nothing are null", "[scalars]") {
  for (const auto& text : nulls) {
    everywhere(text, [](const Node& node) { CHECK(node.is_null()); });
  }
}

TEST_CASE("integers come in five bases", "[scalars]") {
  for (const auto& [text, value] : integers) {
    everywhere(text, [value = value](const Node& node) {
      CHECK(node.is(Kind::integer));
      CHECK(node.integer == value);
    });
  }
}

TEST_CASE("floats need a point, and a sign in the exponent", "[scalars]") {
  for (const auto& [text, value] : reals) {
    everywhere(text, [value = value](const Node& node) {
      CHECK(node.is(Kind::real));
      CHECK(node.real == value);
    });
  }
  for (const auto& text : not_numbers) {
    everywhere(text, [](const Node& node) {
      CHECK(node.is(Kind::real));
      CHECK(std::isnan(node.real));
    });
  }
}

TEST_CASE("every other plain text is a string", "[scalars]") {
  for (const auto& text : strings) {
    everywhere(text, [&](const Node& node) {
      CHECK(node.is(Kind::string));
      if (!node.text.empty()) CHECK(node.text == text);
    });
  }
}

TEST_CASE("an integer outside 64 bits is refused", "[scalars]") {
  for (const auto& text : past_64_bits) {
    INFO("text: " << text);
    Node node;
    CHECK_FALSE(sweep::yaml::resolve_plain(text, node));
    CHECK(test::findings(read_yaml("value: " + text).diagnostics) == Texts{"1:8 error yaml-limit"});
  }
}

TEST_CASE("an integer without a digit is refused", "[scalars]") {
  for (const auto& text : without_digit) {
    INFO("text: " << text);
    Node node;
    CHECK_FALSE(sweep::yaml::resolve_plain(text, node));
    CHECK(test::findings(read_yaml("value: " + text).diagnostics) ==
          Texts{"1:8 error yaml-syntax"});
  }
}

TEST_CASE("quoted and block scalars are always strings", "[scalars]") {
  Texts all = strings;
  all.insert(all.end(), trues.begin(), trues.end());
  all.insert(all.end(), falses.begin(), falses.end());
  all.insert(all.end(), nulls.begin(), nulls.end());
  all.insert(all.end(), past_64_bits.begin(), past_64_bits.end());
  all.insert(all.end(), without_digit.begin(), without_digit.end());
  for (const auto& number : integers) all.push_back(number.first);
  for (const auto& number : reals) all.push_back(number.first);
  for (const auto& text : all) {
    INFO("text: '" << text << "'");
    const auto read =
        read_yaml("a: '" + text + "'\nb: \"" + text + "\"\nc: |-\n  " + text + "\nd: x\n");
    REQUIRE(read.document != nullptr);
    CHECK(test::rules(read.diagnostics).empty());
    for (const char* key : {"a", "b", "c"}) {
      CHECK(read.at(key).is(Kind::string));
      CHECK(read.at(key).quoted);
      CHECK(read.at(key).text == text);
    }
  }
}

TEST_CASE("texts whose kind surprises are warned of", "[scalars]") {
  for (const char* text : {"yes", "No", "ON", "off", "010", "-017", "00", "17:04", "1:30.5"}) {
    INFO("text: " << text);
    const auto read = read_yaml(std::string("a: ") + text);
    CHECK(test::findings(read.diagnostics) == Texts{"1:4 warning yaml-ambiguous-scalar"});
  }
  for (const char* text : {"true", "FALSE", "0", "1_000", "0x10", "0b1", "0.5", "08.5", "~",
                           "'010'", "\"yes\"", "!!str on", "!!bool 'yes'"}) {
    INFO("text: " << text);
    CHECK(test::findings(read_yaml(std::string("a: ") + text).diagnostics).empty());
  }
}

TEST_CASE("a warning says which value was read", "[scalars]") {
  const auto read = read_yaml("tp: 010\n");
  REQUIRE(read.diagnostics.all().size() == 1);
  CHECK(read.diagnostics.all()[0].message == "'010' is read as the octal number 8");
  CHECK(read.diagnostics.all()[0].help == "write 8, or quote it if the text is meant");
}
