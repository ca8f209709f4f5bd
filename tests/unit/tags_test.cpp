// Tags choose the kind of a scalar, whatever its quotes.

#include <string>

#include "catch.h"
#include "support.h"

using test::read_yaml;
using test::show;
using test::Texts;

namespace {

std::string value(const std::string& text) {
  const auto read = read_yaml("value: " + text + "\n");
  if (read.document == nullptr) return "refused";
  if (read.diagnostics.has_errors()) return read.diagnostics.all().front().rule;
  const auto& node = read.at("value");
  return std::string(describe(node.kind)) + " " + show(node);
}

}  // namespace

TEST_CASE("!!int reads the text by the table", "[tags]") {
  for (const char* quote : {"", "'", "\""}) {
    const auto tagged = [&](const std::string& text) { return "!!int " + (quote + text) + quote; };
    CHECK(value(tagged("12")) == "an integer 12");
    CHECK(value(tagged("010")) == "an integer 8");
    CHECK(value(tagged("1_000")) == "an integer 1000");
    CHECK(value(tagged("17:04")) == "an integer 1024");
    CHECK(value(tagged("-0x10")) == "an integer -16");
    CHECK(value(tagged("8.0")) == "yaml-tag");
    CHECK(value(tagged("yes")) == "yaml-tag");
    CHECK(value(tagged("x")) == "yaml-tag");
    CHECK(value(tagged("9223372036854775808")) == "yaml-limit");
  }
  CHECK(value("!!int ''") == "yaml-tag");
  CHECK(value("!!int") == "yaml-tag");
}

TEST_CASE("!!float takes floats and integers", "[tags]") {
  CHECK(value("!!float 0.5") == "a float 0.5");
  CHECK(value("!!float '0.5'") == "a float 0.5");
  CHECK(value("!!float 8") == "a float 8.0");
  CHECK(value("!!float \"010\"") == "a float 8.0");
  CHECK(value("!!float -.inf") == "a float -inf");
  CHECK(value("!!float 1e5") == "yaml-tag");
  CHECK(value("!!float 'yes'") == "yaml-tag");
}

TEST_CASE("!!bool takes the six words", "[tags]") {
  CHECK(value("!!bool yes") == "a boolean true");
  CHECK(value("!!bool 'yes'") == "a boolean true");
  CHECK(value("!!bool \"OFF\"") == "a boolean false");
  CHECK(value("!!bool 1") == "yaml-tag");
  CHECK(value("!!bool y") == "yaml-tag");
}

TEST_CASE("!!str gives the text, !!null gives null", "[tags]") {
  CHECK(value("!!str 010") == "a string \"010\"");
  CHECK(value("!!str yes") == "a string \"yes\"");
  CHECK(value("!!str '010'") == "a string \"010\"");
  CHECK(value("!!str 9223372036854775808") == "a string \"9223372036854775808\"");
  CHECK(value("!!str null") == "a string \"null\"");
  CHECK(value("!!str ~") == "a string \"~\"");
  CHECK(value("!!str ''") == "a string \"\"");
  CHECK(value("!!str") == "a string \"\"");
  CHECK(value("!!null ''") == "null null");
  CHECK(value("!!null x") == "null null");
  CHECK(value("!!null") == "null null");
}

TEST_CASE("tags may be written in full", "[tags]") {
  CHECK(value("!<tag:yaml.org,2002:int> '12'") == "an integer 12");
  CHECK(value("!<tag:yaml.org,2002:binary> '12'") == "yaml-tag");
  const auto own = read_yaml("%TAG !y! tag:yaml.org,2002:\n---\nvalue: !y!int '12'\n");
  REQUIRE(own.document != nullptr);
  CHECK(show(own) == "{value: 12}");
}

TEST_CASE("collections take their own tag alone", "[tags]") {
  CHECK(value("!!seq [1]") == "a list [1]");
  CHECK(value("!!map { a: 1 }") == "a mapping {a: 1}");
  CHECK(value("!!map\n  a: 1") == "a mapping {a: 1}");
  CHECK(value("!!map [1]") == "yaml-tag");
  CHECK(value("!!seq {}") == "yaml-tag");
  CHECK(value("!!str [1]") == "yaml-tag");
  CHECK(value("!!seq x") == "yaml-tag");
  CHECK(value("!!int\n  - 1") == "yaml-tag");
}

TEST_CASE("other tags are refused where they stand", "[tags]") {
  for (const char* text : {"!foo 1", "! 1", "! 'x'", "!!binary aGk=", "!!timestamp 2026-08-22",
                           "!!set { a }", "!!omap []", "!!python/name:os.system ''", "!foo", "!"}) {
    INFO("text: " << text);
    CHECK(value(text) == "yaml-tag");
  }
  const auto read = read_yaml("a: 1\nb: !foo 1\n");
  REQUIRE(read.diagnostics.all().size() == 1);
  CHECK(read.document->file()->position(read.diagnostics.all()[0].span.extent.begin).line == 2);
}

TEST_CASE("a tagged key is a key of that kind", "[tags]") {
  CHECK(show(read_yaml("!!str 1: x\n")) == "{\"1\": x}");
  CHECK(test::rules(read_yaml("!!int '1': x\n").diagnostics) == Texts{"wrong-type"});
}
