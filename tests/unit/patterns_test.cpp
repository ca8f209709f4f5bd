// Patterns over config keys.

#include <chrono>
#include <string>

#include "catch.h"
#include "support.h"

using sweep::matches_pattern;

TEST_CASE("a pattern without special characters matches itself", "[patterns]") {
  CHECK(matches_pattern("abc", "abc"));
  CHECK_FALSE(matches_pattern("abc", "ABC"));
  CHECK_FALSE(matches_pattern("abc", "abcd"));
  CHECK_FALSE(matches_pattern("abc", "xabc"));
  CHECK(matches_pattern("", ""));
  CHECK_FALSE(matches_pattern("", "a"));
}

TEST_CASE("* is any run, ? one character", "[patterns]") {
  CHECK(matches_pattern("*", ""));
  CHECK(matches_pattern("*", "anything"));
  CHECK(matches_pattern("a*", "a"));
  CHECK(matches_pattern("a*c", "abbbc"));
  CHECK(matches_pattern("a*b*c", "axxbyybzzc"));
  CHECK_FALSE(matches_pattern("a*c", "abcd"));
  CHECK(matches_pattern("**", "x"));
  CHECK(matches_pattern("?", "x"));
  CHECK_FALSE(matches_pattern("?", ""));
  CHECK_FALSE(matches_pattern("?", "xy"));
  CHECK(matches_pattern("a?c*", "abc-d"));
  CHECK(matches_pattern("*?", "x"));
  CHECK_FALSE(matches_pattern("*?", ""));
}

TEST_CASE("a set is one of its characters", "[patterns]") {
  CHECK(matches_pattern("[abc]", "b"));
  CHECK_FALSE(matches_pattern("[abc]", "d"));
  CHECK_FALSE(matches_pattern("[abc]", ""));
  CHECK_FALSE(matches_pattern("[abc]", "ab"));
  CHECK(matches_pattern("x[abc]*", "xb-tail"));
  CHECK(matches_pattern("*[13]", "mi3"));
  CHECK_FALSE(matches_pattern("[A]", "a"));
}

TEST_CASE("a set may hold ranges", "[patterns]") {
  CHECK(matches_pattern("[a-c]", "a"));
  CHECK(matches_pattern("[a-c]", "b"));
  CHECK(matches_pattern("[a-c]", "c"));
  CHECK_FALSE(matches_pattern("[a-c]", "d"));
  CHECK_FALSE(matches_pattern("[a-c]", "-"));
  CHECK(matches_pattern("[0-9x]", "x"));
  CHECK(matches_pattern("[a-c0-9]", "7"));
  CHECK_FALSE(matches_pattern("[c-a]", "b"));
  CHECK(matches_pattern("[a-]", "-"));
  CHECK(matches_pattern("[-a]", "-"));
}

TEST_CASE("! at the front turns a set round", "[patterns]") {
  CHECK(matches_pattern("[!abc]", "d"));
  CHECK_FALSE(matches_pattern("[!abc]", "a"));
  CHECK_FALSE(matches_pattern("[!a-c]", "b"));
  CHECK_FALSE(matches_pattern("[!a]", ""));
  CHECK(matches_pattern("[a!]", "!"));
}

TEST_CASE("] at the front of a set is one of its characters", "[patterns]") {
  CHECK(matches_pattern("[]]", "]"));
  CHECK(matches_pattern("[]a]", "a"));
  CHECK(matches_pattern("[!]]", "a"));
  CHECK_FALSE(matches_pattern("[!]]", "]"));
  CHECK_FALSE(matches_pattern("[]", "]"));
}

TEST_CASE("an unclosed [ is plain", "[patterns]") {
  CHECK(matches_pattern("[", "["));
  CHECK(matches_pattern("[abc", "[abc"));
  CHECK_FALSE(matches_pattern("[abc", "a"));
  CHECK(matches_pattern("*[a", "x[a"));
  CHECK(matches_pattern("[]", "[]"));
  CHECK(matches_pattern("[!", "[!"));
  CHECK(matches_pattern("[!]", "[!]"));
  CHECK(matches_pattern("a]", "a]"));
}

TEST_CASE("nothing else is special", "[patterns]") {
  CHECK(matches_pattern("[^a]", "^"));
  CHECK(matches_pattern("[^a]", "a"));
  CHECK_FALSE(matches_pattern("[^a]", "b"));
  CHECK(matches_pattern("\\*", "\\anything"));
  CHECK_FALSE(matches_pattern("\\*", "*"));
  CHECK(matches_pattern("[\\]", "\\"));
  CHECK(matches_pattern("a.c", "a.c"));
  CHECK_FALSE(matches_pattern("a.c", "abc"));
  CHECK(matches_pattern("{a,b}", "{a,b}"));
}

TEST_CASE("many stars take no time", "[patterns]") {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  const std::string text(5'000, 'a');
  const auto begin = std::chrono::steady_clock::now();
  CHECK(matches_pattern(pattern, text));
  CHECK_FALSE(matches_pattern(pattern + "b", text));
  CHECK_FALSE(matches_pattern(pattern + "[b", text));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}
