// JSON is read strictly.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::yaml::Kind;
using test::read_json;
using test::show;
using test::Texts;

namespace {

bool refused(const std::string& text) {
  const auto read = read_json(text);
  return read.document == nullptr && read.diagnostics.all().size() == 1;
}

}  // namespace

TEST_CASE("JSON values are read", "[json]") {
  CHECK(show(read_json(R"( {"a": [1, -2, true, false, null, "x"], "b": {}, "c": []} )")) ==
        "{a: [1, -2, true, false, null, x], b: {}, c: []}");
  CHECK(show(read_json("7")) == "7");
  CHECK(show(read_json("\t\r\n\"x\"\n")) == "x");
  CHECK(show(read_json("\xEF\xBB\xBF[]")) == "[]");
  CHECK(show(read_json(R"({"on": "010", "": 1})")) == R"({"on": "010", "": 1})");
}

TEST_CASE("numbers keep their text", "[json]") {
  const auto read = read_json(
      "[0, -0, 1.50, 1e5, 1E+2, -2.5e-3, 9223372036854775807, 9223372036854775808, "
      "-9223372036854775808, 123456789012345678901234567890]");
  REQUIRE(read.document != nullptr);
  const Texts texts = {"0",
                       "-0",
                       "1.50",
                       "1e5",
                       "1E+2",
                       "-2.5e-3",
                       "9223372036854775807",
                       "9223372036854775808",
                       "-9223372036854775808",
                       "123456789012345678901234567890"};
  const auto items = read.root().items;
  REQUIRE(items.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    const bool integer = i < 2 || i == 6 || i == 8;
    CHECK(items[i]->text == texts[i]);
    CHECK(items[i]->kind == (integer ? Kind::integer : Kind::real));
  }
  CHECK(items[3]->real == 1e5);
  CHECK(items[6]->integer == 9223372036854775807);
  CHECK(items[7]->real == 9223372036854775808.0);
}

TEST_CASE("what is no JSON is refused", "[json]") {
  for (const char* text : {
           "",          " ",           "[",           "]",        "[1",       "[1,]",
           "[,1]",      "[1 2]",       "[1,,2]",      "{",        "{\"a\"}",  "{\"a\":}",
           "{\"a\" 1}", "{\"a\":1,}",  "{a: 1}",      "{'a': 1}", "{1: 2}",   "{\"a\":1 \"b\":2}",
           "tru",       "True",        "nul",         "NaN",      "Infinity", "-Infinity",
           "undefined", "'x'",         "x",           "+1",       ".5",       "1.",
           "01",        "-",           "-01",         "1e",       "1e+",      "0x10",
           "1_000",     "--1",         "- 1",         "\"x",      "\"\\\"",   "\"\\q\"",
           "\"\\u12\"", "\"\\u12g4\"", "\"\\U0041\"", "\"a\nb\"", "\"a\tb\"", "// c\n1",
           "/* c */ 1", "# c\n1",      "[1] // c",
       }) {
    INFO("text: " << text);
    CHECK(refused(text));
    CHECK(test::rules(read_json(text).diagnostics) == Texts{"json-syntax"});
  }
  CHECK(test::rules(read_json("\"\xff\"").diagnostics) == Texts{"yaml-encoding"});
  CHECK(refused(std::string("1\0", 2)));
  CHECK(refused(std::string("[1\0]", 4)));
}

TEST_CASE("text behind the value is refused", "[json]") {
  CHECK(test::findings(read_json("{}\n{}").diagnostics) == Texts{"2:1 error json-syntax"});
  CHECK(test::findings(read_json("1 2").diagnostics) == Texts{"1:3 error json-syntax"});
  CHECK(refused("[]]"));
  CHECK(refused("nullx"));
}

TEST_CASE("a key stands once in an object", "[json]") {
  CHECK(test::findings(read_json("{\"a\": 1,\n \"a\": 2}").diagnostics) ==
        Texts{"2:2 error json-syntax"});
  CHECK(refused(R"({"a": 1, "\u0061": 2})"));
  CHECK(show(read_json(R"([{"a": 1}, {"a": {"a": 2}}])")) == "[{a: 1}, {a: {a: 2}}]");
}

TEST_CASE("JSON may be 64 deep", "[json]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(read_json(nested(64)).document != nullptr);
  CHECK(refused(nested(65)));
  CHECK(refused(std::string(1'000'000, '[')));
  std::string objects = "1";
  for (int i = 0; i < 64; ++i) objects = "{\"a\":" + objects + "}";
  // The number is the 65th level.
  CHECK(refused(objects));
}

TEST_CASE("escapes are resolved", "[json]") {
  const auto text = [](const char* json) {
    const auto read = read_json(json);
    REQUIRE(read.document != nullptr);
    return std::string(read.root().text);
  };
  CHECK(text(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(text(R"("a\u0041\u00fc\u4e16z")") == "aA\u00fc\u4e16z");
  CHECK(text(R"("\ud83d\ude00")") == "\U0001F600");
  CHECK(text(R"("\uD83D\uDE00")") == "\U0001F600");
  CHECK(text(R"("\u0000")") == std::string(1, '\0'));
  CHECK(text("\"\u00fc\U0001F600\"") == "\u00fc\U0001F600");
}

TEST_CASE("half a surrogate pair is refused", "[json]") {
  CHECK(refused(R"("\ud83d")"));
  CHECK(refused(R"("\ude00")"));
  CHECK(refused(R"("\ud83dx")"));
  CHECK(refused(R"("\ud83d\u0041")"));
  CHECK(refused(R"("\ude00\ud83d")"));
}
