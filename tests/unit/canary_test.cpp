#include "sweep/canary.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "catch.h"

namespace {

struct Result {
  std::optional<sweep::canary::Split> split;
  std::vector<std::string> findings;
};

Result split(std::string text) {
  sweep::Diagnostics diagnostics;
  const auto document = sweep::yaml::read_json(
      std::make_shared<sweep::SourceFile>("plan.json", std::move(text)), diagnostics);
  REQUIRE(document != nullptr);
  Result result;
  result.split = sweep::canary::split(*document, diagnostics);
  for (const auto& finding : diagnostics.all()) {
    const auto place = finding.span.file->position(finding.span.extent.begin);
    result.findings.push_back(fmt::format("{}:{} {}", place.line, place.column, finding.rule));
  }
  CHECK(result.split.has_value() == result.findings.empty());
  return result;
}

std::string canary(std::string text) { return split(std::move(text)).split.value().canary; }
std::string remaining(std::string text) { return split(std::move(text)).split.value().remaining; }

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the canary has the lowest concurrency, the first on a tie") {
  CHECK(canary(R"({"single_node": {"1k1k": [{"conc": 8}, {"conc": 4, "n": 1}, {"conc": 4}]}})") ==
        R"([{"conc":4,"n":1}])");
  CHECK(canary(R"({"single_node": {"8k1k": [{"conc": 4, "n": 8}], "1k1k": [{"conc": 4}]}})") ==
        R"([{"conc":4}])");
  CHECK(canary(R"({"single_node": {"8k1k": [{"conc": 2}], "1k1k": [{"conc": 4}]}})") ==
        R"([{"conc":2}])");
  CHECK(canary(R"({"single_node": {"1k1k": [{"conc": -9223372036854775808}, {"conc": 1}]}})") ==
        R"([{"conc":-9223372036854775808}])");
}

TEST_CASE("rows with evals, of other lengths and of several nodes are no canary") {
  CHECK(canary(R"({"single_node": {"1k1k": [{"conc": 1, "run-eval": true},
                                            {"conc": 4, "run-eval": false}]}})") ==
        R"([{"conc":4,"run-eval":false}])");
  CHECK(canary(R"({"single_node": {"1k1k": [{"conc": 1, "run-eval": true}]}})") == "[]");
  CHECK(canary(R"({"single_node": {"agentic": [{"conc": 1}], "512_64": [{"conc": 1}]}})") == "[]");
  CHECK(canary(R"({"multi_node": {"1k1k": [{"conc": [1]}]}, "evals": [{"conc": 1}]})") == "[]");
  CHECK(split("{}").split.value().row == nullptr);
}

TEST_CASE("what remains is the plan without the canary") {
  CHECK(
      remaining(R"({"b": 1.50, "single_node": {"agentic": [{"conc": 1}], "1k1k": [{"conc": 8},
                      {"conc": 4}, {"conc": 4}]}, "a": {"1k1k": [{"conc": 4}]}})") ==
      R"({"b":1.50,"single_node":{"agentic":[{"conc":1}],"1k1k":[{"conc":8},{"conc":4}],"8k1k":[]},)"
      R"("a":{"1k1k":[{"conc":4}]}})");
  CHECK(remaining("{}") == R"({"single_node":{"1k1k":[],"8k1k":[]}})");
  CHECK(remaining(R"({"single_node": {"8k1k": []}})") ==
        R"({"single_node":{"8k1k":[],"1k1k":[]}})");
  CHECK(split("{}").split.value().json() ==
        R"({"canary":[],"remaining":{"single_node":{"1k1k":[],"8k1k":[]}}})");
}

TEST_CASE("what is no plan is refused at its place") {
  CHECK(split("[]").findings == Texts{"1:1 wrong-type"});
  CHECK(split(R"({"single_node": null})").findings == Texts{"1:2 wrong-type"});
  CHECK(split(R"({"single_node": {"1k1k": {}, "8k1k": [[], {}, {"conc": [4]}, {"conc": 4.0}]}})")
            .findings == Texts{"1:18 wrong-type", "1:39 wrong-type", "1:43 missing-field",
                               "1:48 wrong-type", "1:63 wrong-type"});
}
