// Lines and columns of keys and values.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::yaml::Member;
using test::Read;
using test::read_yaml;

namespace {

std::string key_place(const Read& read, const char* key) {
  return test::place(*read.document, read.root().find_member(key)->key->extent);
}
std::string value_place(const Read& read, const char* key) {
  return test::place(*read.document, read.at(key).extent);
}
std::string item_place(const Read& read, const char* key, std::size_t index) {
  return test::place(*read.document, read.at(key).items[index]->extent);
}

}  // namespace

TEST_CASE("keys and values have a line and a column", "[places]") {
  const auto read =
      read_yaml("image: nginx\n\n# a comment\ntp:   8 # eight\nlist: [1, two, '3']\n");
  CHECK(key_place(read, "image") == "1:1-1:6");
  CHECK(value_place(read, "image") == "1:8-1:13");
  CHECK(key_place(read, "tp") == "4:1-4:3");
  CHECK(value_place(read, "tp") == "4:7-4:8");
  CHECK(value_place(read, "list") == "5:7-5:20");
  CHECK(item_place(read, "list", 0) == "5:8-5:9");
  CHECK(item_place(read, "list", 1) == "5:11-5:14");
  CHECK(item_place(read, "list", 2) == "5:16-5:19");
}

TEST_CASE("a mapping begins at its brace or its first key", "[places]") {
  const auto read = read_yaml("a: { p: 1 }\nb:\n  p: 1\n  q: 22\nc:\n- p: 1\n- { q: 2 }\n- r\n");
  CHECK(value_place(read, "a") == "1:4-1:12");
  CHECK(value_place(read, "b") == "3:3-4:8");
  CHECK(value_place(read, "c") == "6:1-8:4");
  CHECK(item_place(read, "c", 0) == "6:3-6:7");
  CHECK(item_place(read, "c", 1) == "7:3-7:11");
  CHECK(item_place(read, "c", 2) == "8:3-8:4");
}

TEST_CASE("a tab is one column", "[places]") {
  const auto read = read_yaml("a:\t1\nb: [\t2,\t\t3 ]\n");
  CHECK(value_place(read, "a") == "1:4-1:5");
  CHECK(item_place(read, "b", 0) == "2:6-2:7");
  CHECK(item_place(read, "b", 1) == "2:10-2:11");
}

TEST_CASE("columns count code points", "[places]") {
  const auto read = read_yaml("{ \u00fc\u4e16: 1, \"\U0001F600\": two, e\u0301: 3 }\n");
  CHECK(key_place(read, "\u00fc\u4e16") == "1:3-1:5");
  CHECK(value_place(read, "\u00fc\u4e16") == "1:7-1:8");
  CHECK(key_place(read, "\U0001F600") == "1:10-1:13");
  CHECK(value_place(read, "\U0001F600") == "1:15-1:18");
  CHECK(key_place(read, "e\u0301") == "1:20-1:22");
}

TEST_CASE("CRLF ends a line and takes no column", "[places]") {
  const auto read = read_yaml("a: 1\r\nb: two\r\nc:\r\n  - 3\r\n");
  CHECK(value_place(read, "b") == "2:4-2:7");
  CHECK(read.at("b").text == "two");
  CHECK(item_place(read, "c", 0) == "4:5-4:6");
}

TEST_CASE("a byte-order mark takes no column", "[places]") {
  const auto read = read_yaml("\xEF\xBB\xBFkey: value\n");
  CHECK(key_place(read, "key") == "1:1-1:4");
  CHECK(value_place(read, "key") == "1:6-1:11");
}

TEST_CASE("scalars over several lines end where they end", "[places]") {
  const auto read = read_yaml(
      "plain: one\n  two\n\n  three  # end\nsingle: 'one\n  two'\ndouble: \"one\\\n  two\"\n"
      "literal: |\n  one\n  two\n\nfolded: >-\n  one\n  two\nlast: x\n");
  REQUIRE(read.document != nullptr);
  CHECK(read.at("plain").text == "one two\nthree");
  CHECK(value_place(read, "plain") == "1:8-4:8");
  CHECK(read.at("single").text == "one two");
  CHECK(value_place(read, "single") == "5:9-6:7");
  CHECK(read.at("double").text == "onetwo");
  CHECK(value_place(read, "double") == "7:9-8:7");
  CHECK(read.at("literal").text == "one\ntwo\n");
  CHECK(value_place(read, "literal") == "9:10-11:6");
  CHECK(read.at("folded").text == "one two");
  CHECK(value_place(read, "folded") == "13:9-15:6");
  CHECK(value_place(read, "last") == "16:7-16:8");
}

TEST_CASE("a missing value stands behind its key", "[places]") {
  const auto read = read_yaml("a:\nb: 1\nc:   # nothing\n\nd: { e: , f }\n");
  CHECK(value_place(read, "a") == "1:2-1:2");
  CHECK(value_place(read, "c") == "3:2-3:2");
  CHECK(test::place(*read.document, read.at("d").find("e")->extent) == "5:7-5:7");
  CHECK(test::place(*read.document, read.at("d").find("f")->extent) == "5:12-5:12");
}

TEST_CASE("a missing item stands at its dash", "[places]") {
  const auto read = read_yaml("a:\n- 1\n-\n- x\nb:\n  -\n");
  CHECK(item_place(read, "a", 0) == "2:3-2:4");
  CHECK(item_place(read, "a", 1) == "3:1-3:2");
  CHECK(item_place(read, "a", 2) == "4:3-4:4");
  CHECK(item_place(read, "b", 0) == "6:3-6:4");
}

TEST_CASE("null spelled out stands where it is written", "[places]") {
  const auto read = read_yaml("a: ~\nb: null\nc: [ Null, ~ ]\n");
  CHECK(value_place(read, "a") == "1:4-1:5");
  CHECK(value_place(read, "b") == "2:4-2:8");
  CHECK(item_place(read, "c", 0) == "3:6-3:10");
  CHECK(item_place(read, "c", 1) == "3:12-3:13");
}

TEST_CASE("anchors and tags stand before the value", "[places]") {
  const auto read = read_yaml("a: &x !!int 12\nb: !!map\n  p: 1\nc: &y { q: 1 }\n&z d: 1\n");
  CHECK(value_place(read, "a") == "1:13-1:15");
  CHECK(value_place(read, "b") == "3:3-3:7");
  CHECK(value_place(read, "c") == "4:7-4:15");
  CHECK(key_place(read, "d") == "5:4-5:5");
}

TEST_CASE("a source file gives lines and columns of offsets", "[places]") {
  const auto file = test::file("ab\r\n\u00fcc\n\nend");
  CHECK(file->position(0).line == 1);
  CHECK(file->position(6).line == 2);
  CHECK(file->position(6).column == 2);
  CHECK(file->position(999).line == 4);
  CHECK(file->position(999).column == 4);
  CHECK(file->line_text(1) == "ab");
  CHECK(file->line_text(2) == "\u00fcc");
  CHECK(file->line_text(3).empty());
  CHECK(file->line_text(4) == "end");
}
