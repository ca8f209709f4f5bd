// Anchors, aliases and merge keys.

#include <string>

#include "catch.h"
#include "support.h"

using test::read_yaml;
using test::show;
using test::Texts;

TEST_CASE("an alias is the value that was anchored", "[merges]") {
  CHECK(show(read_yaml("a: &x [1, two]\nb: *x\n")) == "{a: [1, two], b: [1, two]}");
  CHECK(show(read_yaml("a: &x 010\nb: [*x, *x]\n")) == "{a: 8, b: [8, 8]}");
  CHECK(show(read_yaml("- &x a\n- *x : 1\n")) == "[a, {a: 1}]");
  CHECK(show(read_yaml("a: &x\nb: *x\n")) == "{a: null, b: null}");
}

TEST_CASE("anchors and tags may stand on the line above their collection", "[merges]") {
  CHECK(show(read_yaml("a: &x\n- 1\nb: *x\n")) == "{a: [1], b: [1]}");
  CHECK(show(read_yaml("a: &x\n  - 1\n  - 2\nb: *x\n")) == "{a: [1, 2], b: [1, 2]}");
  CHECK(show(read_yaml("a: &x !!seq\n  - 1\nb: *x\n")) == "{a: [1], b: [1]}");
  CHECK(show(read_yaml("- &x\n  - 1\n- *x\n")) == "[[1], [1]]");
  CHECK(show(read_yaml("a: &x\n  p: 1\nb: *x\n")) == "{a: {p: 1}, b: {p: 1}}");
  CHECK(show(read_yaml("&x\n- 1\n")) == "[1]");
  CHECK(test::rules(read_yaml("a: &x - 1\n").diagnostics) == Texts{"yaml-syntax"});
}

TEST_CASE("an anchor may be given anew", "[merges]") {
  CHECK(show(read_yaml("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")) == "{a: 1, b: 1, c: 2, d: 2}");
}

TEST_CASE("an alias needs an anchor before it", "[merges]") {
  CHECK(test::rules(read_yaml("a: *x\nb: &x 1\n").diagnostics) == Texts{"yaml-syntax"});
  CHECK(test::rules(read_yaml("a: &x [*x]\n").diagnostics) == Texts{"yaml-syntax"});
  CHECK(test::rules(read_yaml("a: &x { b: *x }\n").diagnostics) == Texts{"yaml-syntax"});
  CHECK(test::rules(read_yaml("&x a: { <<: *y }\n").diagnostics) == Texts{"yaml-syntax"});
}

TEST_CASE("a merge brings the keys of a mapping", "[merges]") {
  CHECK(show(read_yaml("a: &x { p: 1, q: 2 }\nb: { <<: *x, r: 3 }\n")) ==
        "{a: {p: 1, q: 2}, b: {p: 1, q: 2, r: 3}}");
  CHECK(show(read_yaml("a: { <<: { p: 1 } }\n")) == "{a: {p: 1}}");
  CHECK(show(read_yaml("a: { <<: [] , p: 1 }\n")) == "{a: {p: 1}}");
  CHECK(show(read_yaml("a: { <<: {} }\n")) == "{a: {}}");
}

TEST_CASE("own keys win, wherever the merge stands, and are no duplicates", "[merges]") {
  for (const char* text : {"a: &x { p: 1, q: 2 }\nb: { <<: *x, q: 9 }\n",
                           "a: &x { p: 1, q: 2 }\nb: { q: 9, <<: *x }\n"}) {
    const auto read = read_yaml(text);
    CHECK(show(read.at("b")) == "{p: 1, q: 9}");
    CHECK(test::rules(read.diagnostics).empty());
  }
}

TEST_CASE("of a list of merges the first wins", "[merges]") {
  const auto read =
      read_yaml("a: &a { p: 1 }\nb: &b { p: 2, q: 2 }\nc: { <<: [*a, *b] }\nd: { <<: [*b, *a] }\n");
  CHECK(read.at("c").find("p")->integer == 1);
  CHECK(read.at("c").find("q")->integer == 2);
  CHECK(read.at("d").find("p")->integer == 2);
}

TEST_CASE("of several merges the last wins", "[merges]") {
  const auto read = read_yaml(
      "a: &a { p: 1 }\nb: &b { p: 2, q: 2 }\nc: { <<: *b, <<: *a }\nd: { <<: *a, <<: *b }\n");
  CHECK(test::rules(read.diagnostics).empty());
  CHECK(read.at("c").find("p")->integer == 1);
  CHECK(read.at("c").find("q")->integer == 2);
  CHECK(read.at("d").find("p")->integer == 2);
}

TEST_CASE("merges nest", "[merges]") {
  const auto read =
      read_yaml("a: &a { p: 1, q: 1 }\nb: &b { <<: *a, q: 2, r: 2 }\nc: { <<: *b, r: 3 }\n");
  CHECK(show(read.at("c")) == "{p: 1, q: 2, r: 3}");
}

TEST_CASE("a merge does not reach into mappings", "[merges]") {
  const auto read = read_yaml("a: &a { in: { p: 1 } }\nb: { <<: *a, in: { q: 2 } }\n");
  CHECK(show(read.at("b")) == "{in: {q: 2}}");
}

TEST_CASE("a quoted << is an ordinary key", "[merges]") {
  CHECK(show(read_yaml("{ \"<<\": { p: 1 } }\n")) == "{<<: {p: 1}}");
  CHECK(show(read_yaml("{ '<<': 7 }\n")) == "{<<: 7}");
  CHECK(show(read_yaml("- <<\n")) == "[<<]");
  CHECK(test::rules(read_yaml("{ '<<': 7, '<<': 8 }\n").diagnostics) ==
        Texts{"yaml-duplicate-key"});
}

TEST_CASE("a merge takes nothing but mappings", "[merges]") {
  for (const char* value : {"1", "text", "null", "[1]", "[{ p: 1 }, 2]", "[[{ p: 1 }]]", ""}) {
    INFO("value: " << value);
    const auto read = read_yaml(std::string("a: 1\nb: { <<: ") + value + " }\n");
    CHECK(test::findings(read.diagnostics) == Texts{"2:6 error wrong-type"});
  }
}

TEST_CASE("what an alias or a merge brings keeps its place", "[merges]") {
  const auto read = read_yaml("a: &x\n  p: one\nb: *x\nc:\n  <<: *x\n  q: two\n");
  const auto& document = *read.document;
  const auto& from_alias = *read.at("b").find_member("p");
  const auto& from_merge = *read.at("c").find_member("p");
  CHECK(test::place(document, from_alias.key->extent) == "2:3-2:4");
  CHECK(test::place(document, from_alias.value->extent) == "2:6-2:9");
  CHECK(from_merge.key == from_alias.key);
  CHECK(from_merge.value == from_alias.value);
  CHECK(test::place(document, read.at("c").find("q")->extent) == "6:6-6:9");
}

TEST_CASE("duplicate keys are refused with both places", "[merges]") {
  const auto read = read_yaml("a: 1\nb: 2\na: 3\n");
  CHECK(test::findings(read.diagnostics) == Texts{"3:1 error yaml-duplicate-key"});
  const auto& related = read.diagnostics.all()[0].related;
  REQUIRE(related.size() == 1);
  CHECK(related[0].message == "first defined here");
  CHECK(test::place(*read.document, related[0].span.extent) == "1:1-1:2");
  CHECK(test::rules(read_yaml("{ a: 1, \"a\": 1 }").diagnostics) == Texts{"yaml-duplicate-key"});
  CHECK(test::rules(read_yaml("{ a: 1, \"\\x61\": 1 }").diagnostics) ==
        Texts{"yaml-duplicate-key"});
}

TEST_CASE("duplicate keys are found in large mappings too", "[merges]") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "k" + std::to_string(i) + ": 1\n";
  CHECK(test::rules(read_yaml(text).diagnostics).empty());
  CHECK(test::findings(read_yaml(text + "k3: 1\n").diagnostics) ==
        Texts{"41:1 error yaml-duplicate-key"});
}

TEST_CASE("keys are strings", "[merges]") {
  for (const char* key : {"1", "1.5", "true", "~", "[a]", "{ a: 1 }", "? [a]\n"}) {
    INFO("key: " << key);
    CHECK(test::rules(read_yaml(std::string(key) + ": x\n").diagnostics) == Texts{"wrong-type"});
  }
  CHECK(test::rules(read_yaml("'1': x\n").diagnostics).empty());
}
