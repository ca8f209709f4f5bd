// What the YAML reader refuses: other encodings, limits, and what is no YAML.

#include <string>

#include "catch.h"
#include "support.h"

using test::findings;
using test::read_yaml;
using test::rules;
using test::Texts;

namespace {

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string brackets(int depth) { return repeat("[", depth) + repeat("]", depth) + "\n"; }

std::string block(int depth) {
  std::string out;
  for (int i = 0; i + 1 < depth; ++i) out += repeat(" ", i) + "a:\n";
  return out + repeat(" ", depth - 1) + "a: 1\n";
}

std::string dashes(int depth) { return repeat("- ", depth) + "1\n"; }

bool refused(const std::string& text, const char* rule) {
  const auto read = read_yaml(text);
  return read.document == nullptr && rules(read.diagnostics) == Texts{rule};
}

}  // namespace

TEST_CASE("nesting may be 64 deep", "[limits]") {
  for (auto* nested : {&brackets, &block, &dashes}) {
    CHECK(read_yaml(nested(64)).document != nullptr);
    CHECK(refused(nested(65), "yaml-limit"));
  }
  CHECK(read_yaml("a:\n" + repeat(" ", 2) + brackets(63)).document != nullptr);
  CHECK(refused("a:\n" + repeat(" ", 2) + brackets(64), "yaml-limit"));
}

TEST_CASE("very deep nesting is refused quickly", "[limits]") {
  CHECK(refused(repeat("[", 1'000'000), "yaml-limit"));
  CHECK(refused(repeat("{a: ", 1'000'000), "yaml-limit"));
  CHECK(refused(repeat("- ", 1'000'000), "yaml-limit"));
}

TEST_CASE("aliases may expand to a million values", "[limits]") {
  // `a` is a list of 999: a thousand values with the list itself.
  const std::string a = "a: &a [" + repeat("1,", 998) + "1]\n";
  CHECK(read_yaml(a + "b: [" + repeat("*a,", 999) + "*a]\n").document != nullptr);
  CHECK(refused(a + "b: [" + repeat("*a,", 1000) + "*a]\n", "yaml-limit"));
}

TEST_CASE("aliases of aliases do not blow up", "[limits]") {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + repeat(before + ", ", 9) + before + "]\n";
  }
  CHECK(refused(text, "yaml-limit"));
}

TEST_CASE("merges of merges do not blow up", "[limits]") {
  std::string text = "a0: &a0 { p: 1 }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " { <<: [" + repeat(before + ", ", 9) + before + "] }\n";
  }
  CHECK(refused(text, "yaml-limit"));
}

TEST_CASE("a file may be 16 MiB", "[limits]") {
  const std::string head = "a: 1 # ";
  const std::string fits = head + std::string(16UL * 1024 * 1024 - head.size(), 'x');
  CHECK(read_yaml(fits).document != nullptr);
  CHECK(refused(fits + "x", "yaml-limit"));
}

TEST_CASE("a file is UTF-8", "[limits]") {
  CHECK(refused("a: \xff\n", "yaml-encoding"));
  CHECK(refused("a: \xc0\xaf\n", "yaml-encoding"));          // overlong
  CHECK(refused("a: \xed\xa0\x80\n", "yaml-encoding"));      // a surrogate
  CHECK(refused("a: \xf4\x90\x80\x80\n", "yaml-encoding"));  // past U+10FFFF
  CHECK(refused("a: \xe4\xb8", "yaml-encoding"));            // cut off
  CHECK(findings(read_yaml("a: 1\nb: \xff\n").diagnostics) == Texts{"2:4 error yaml-encoding"});
  CHECK(read_yaml("a: \u00fc \u4e16 \U0001F600\n").document != nullptr);
}

TEST_CASE("UTF-16 and UTF-32 are named", "[limits]") {
  using namespace std::string_literals;
  CHECK(refused("\xFF\xFE"s + "a\0"s, "yaml-encoding"));
  CHECK(refused("\xFE\xFF"s + "\0a"s, "yaml-encoding"));
  CHECK(refused("a\0:\0"s, "yaml-encoding"));
  CHECK_THAT(read_yaml("a\0:\0"s).diagnostics.all().at(0).message,
             Catch::Matchers::ContainsSubstring("UTF-16"));
  CHECK_THAT(read_yaml("\xFF\xFE\0\0a\0\0\0"s).diagnostics.all().at(0).message,
             Catch::Matchers::ContainsSubstring("UTF-32"));
}

TEST_CASE("control characters are refused", "[limits]") {
  for (const char c : {'\0', '\x01', '\x07', '\x1b', '\x7f'}) {
    CHECK(refused(std::string("abcdefgh: ") + c + "x\n", "yaml-encoding"));
  }
  CHECK(refused("a: \xc2\x80\n", "yaml-encoding"));
  CHECK(refused("a: b\rc: d\n", "yaml-encoding"));
  CHECK(read_yaml("a: \"\\x1b\"\n").at("a").text == "\x1b");
}

TEST_CASE("one document a file", "[limits]") {
  CHECK(test::show(read_yaml("---\na: 1\n...\n")) == "{a: 1}");
  CHECK(test::show(read_yaml("%YAML 1.1\n---\na: 1\n")) == "{a: 1}");
  CHECK(refused("a: 1\n---\nb: 2\n", "yaml-syntax"));
  CHECK(refused("---\na: 1\n---\n", "yaml-syntax"));
  CHECK(refused("a: 1\n...\nb: 2\n", "yaml-syntax"));
}

TEST_CASE("an empty file is null", "[limits]") {
  for (const char* text : {"", "\n\n", "# a comment\n", "---\n", "~\n", "\xEF\xBB\xBF"}) {
    INFO("text: " << text);
    CHECK(test::show(read_yaml(text)) == "null");
  }
}

TEST_CASE("what is no YAML is refused", "[limits]") {
  for (const char* text : {
           "a: [1, 2\n",
           "a: { b: 1\n",
           "a: 'x\n",
           "a: \"x\n",
           "a: [1,,2]\n",
           "a: [,1]\n",
           "a: { , b: 1 }\n",
           ": 1\n",
           "{ : 1 }\n",
           "a: [1]]\n",
           "a: }\n",
           "a: [1}\n",
           "a: 'x' y\n",
           "a: b: c\n",
           "a: \"\\q\"\n",
           "a: \"\\ud800\"\n",
           "a: \"\\xg0\"\n",
           "a: \"\\U00110000\"\n",
           "a: @x\n",
           "a: `x\n",
           "a:\n\tb: 1\n",
           "a: 1\n  b: 2\n",
           "a:\n  b: 1\n c: 2\n",
           "a: - 1\n",
           "a: &\n",
           "a: *\n",
           "a: 1\nb\n",
           "- a\nb: 1\n",
           "a: 1\n- b\n",
           "a: |x\n  y\n",
           "a: [b\nc: 1\n",
           "a: %x\n",
           "a: [1 #x\n]#\n",
           "{ a: 1 b: 2 }\n",
       }) {
    INFO("text: " << text);
    const auto read = read_yaml(text);
    CHECK(read.document == nullptr);
    CHECK(rules(read.diagnostics) == Texts{"yaml-syntax"});
  }
}

TEST_CASE("what was never closed is reported where it was opened", "[limits]") {
  CHECK(findings(read_yaml("a: 1\nb: [1, 2\nc: 3\n").diagnostics) ==
        Texts{"2:4 error yaml-syntax"});
  CHECK(findings(read_yaml("a: 1\nb: 'x\nc: 3\n").diagnostics) == Texts{"2:4 error yaml-syntax"});
  const auto read = read_yaml("a: { b: [1, 2 }\n");
  REQUIRE(read.diagnostics.all().size() == 1);
  CHECK_FALSE(read.diagnostics.all()[0].related.empty());
}
