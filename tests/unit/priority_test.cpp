#include "sweep/priority.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "catch.h"
#include "sweep/validate.h"

namespace {

using sweep::Decimal;
using sweep::Diagnostics;
using Json = nlohmann::ordered_json;

std::shared_ptr<const sweep::SourceFile> file(std::string name, std::string text) {
  return std::make_shared<sweep::SourceFile>(std::move(name), std::move(text));
}

std::shared_ptr<const sweep::yaml::Document> json_document(std::string text) {
  Diagnostics diagnostics;
  auto document = sweep::yaml::read_json(file("plan.json", std::move(text)), diagnostics);
  REQUIRE(document != nullptr);
  return document;
}

sweep::priority::Policy read_policy(const std::string& text, Diagnostics& diagnostics) {
  auto document = sweep::yaml::read(file("policy.yaml", text), diagnostics);
  REQUIRE(document != nullptr);
  return sweep::priority::read_policy(std::move(document), diagnostics);
}

constexpr const char* usual_policy = R"(
version: 1
base-score: 1.0
adjustments:
  event: {push: 2}
  multi-node: 10
  agentic: 20
  eval-only: 40
  precision: {fp4: 0.5, fp8: -0.25}
  spec-decoding: {mtp: 0.0625}
  framework-prefix: {sglang: 0.125, sglang-next: 7, dynamo-sglang: 3}
  model-prefix: {dsv4: 100, dsv4-pro: 200}
labels:
  skip-queue: {name: skip_queue}
  checklist-complete: {names: [done, ready], adjustment: 1000}
  patchwork: {names: [patch, hack], score: -0.5, waived-by: [fine]}
)";

sweep::priority::Names names(const std::string& json) {
  Diagnostics diagnostics;
  auto list = sweep::priority::read_names(file("--names", json), diagnostics);
  REQUIRE(list.has_value());
  return *list;
}

// What a policy and a run make of one row.
struct Case {
  std::string policy = usual_policy;
  std::string event = {};
  std::string labels = {};    // JSON; empty: not given
  std::string criteria = {};  // the same
  std::optional<std::int64_t> pull_request = {};
};

sweep::priority::Run run_of(const Case& how) {
  sweep::priority::Run run;
  run.event_name = how.event;
  if (!how.labels.empty()) run.labels = names(how.labels);
  if (!how.criteria.empty()) run.criteria = names(how.criteria);
  run.pull_request = how.pull_request;
  return run;
}

std::string prioritize(const std::string& text, const Case& how = {}) {
  Diagnostics diagnostics;
  const auto policy = read_policy(how.policy, diagnostics);
  auto out = sweep::priority::prioritize(*json_document(text), policy, run_of(how), diagnostics);
  CHECK(diagnostics.all().empty());
  return out;
}

// The score of a row with these fields beside its runner.
std::string score(const std::string& fields, const Case& how = {}) {
  return Json::parse(prioritize(R"({"runner": "r", )" + fields + "}", how)).at("priority");
}

std::string policy_with_base(const std::string& number, const std::string& multi_node = "0") {
  return fmt::format(
      "version: 1\nbase-score: {}\nadjustments: {{multi-node: {}}}\n"
      "labels: {{patchwork: {{names: [], score: 0}}}}\n",
      number, multi_node);
}

std::string rounded(std::vector<Decimal> terms, int places = 3) {
  const auto sum = sweep::rounded_sum(terms, places);
  return sum ? to_string(*sum) : "none";
}

std::vector<std::string> findings(const Diagnostics& diagnostics) {
  std::vector<std::string> list;
  for (const auto& finding : diagnostics.all()) {
    const auto place = finding.span.file->position(finding.span.extent.begin);
    list.push_back(fmt::format("{}:{} {}", place.line, place.column, finding.rule));
  }
  return list;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("decimals are summed exactly and rounded once, half away from zero") {
  CHECK(rounded({}) == "0.000");
  CHECK(rounded({{5, 4}}) == "0.001");
  CHECK(rounded({{-5, 4}}) == "-0.001");
  CHECK(rounded({{4999, 7}}) == "0.000");
  CHECK(rounded({{-4999, 7}}) == "0.000");
  CHECK(rounded({{12345, 4}}) == "1.235");
  CHECK(rounded({{-12345, 4}}) == "-1.235");
  CHECK(rounded({{10005, 4}, {-1, 18}}) == "1.000");
  CHECK(rounded({{1, 0}, {-1, 18}}, 18) == "0.999999999999999999");
  CHECK(rounded({{-1, 0}, {1, 18}}, 18) == "-0.999999999999999999");
  CHECK(rounded({{1, 0}, {-1, 18}}) == "1.000");
  CHECK(rounded({{9996, 4}}) == "1.000");
  CHECK(rounded({{-9996, 4}}) == "-1.000");
  CHECK(rounded({{9'999'999, 4}}) == "1000.000");
  CHECK(rounded({{1, 1}, {2, 1}, {-3, 1}}) == "0.000");
  CHECK(rounded({{4, 4}, {4, 4}}) == "0.001");
  CHECK(rounded({{5, 1}}, 0) == "1");
  CHECK(rounded({{-15, 1}}, 0) == "-2");
  CHECK(rounded({{999'999'999'999'999'999, 18}, {999'999'999'999'999'999, 18}}, 17) ==
        "2.00000000000000000");
  CHECK(rounded({{1, 19}}) == "none");
  CHECK(rounded({{1, -1}}) == "none");
  CHECK(rounded({{999'999'999'999'999'999, 0}}) == "none");
  CHECK(rounded({{INT64_MAX, 0}, {1, 0}}, 0) == "none");
  CHECK(rounded({{INT64_MAX, 0}}, 0) == "9223372036854775807");
  CHECK(rounded({{INT64_MIN, 18}}) == "-9.223");
}

TEST_CASE("a decimal is written with the decimals of its scale") {
  CHECK(to_string(Decimal{}) == "0");
  CHECK(to_string(Decimal{0, 3}) == "0.000");
  CHECK(to_string(Decimal{1250, 3}) == "1.250");
  CHECK(to_string(Decimal{-5, 3}) == "-0.005");
  CHECK(to_string(Decimal{-12345, 3}) == "-12.345");
  CHECK(to_string(Decimal{7, -2}) == "700");
}

TEST_CASE("canonical JSON has one form for each value") {
  const auto canonical = [](const std::string& text) {
    return sweep::yaml::canonical_json(json_document(text)->root());
  };
  CHECK(canonical(R"( { "b" : [ 1 , 2.50 , null ], "a" : { "z" : true , "Z" : "x" } } )") ==
        R"({"a":{"Z":"x","z":true},"b":[1,2.50,null]})");
  CHECK(canonical(R"(["\u00E9é\u20ac\ud83d\ude00\u007f~ \/\\\"\n\u0001"])") ==
        R"(["\u00e9\u00e9\u20ac\ud83d\ude00\u007f~ /\\\"\n\u0001"])");
  // By code point: U+FF61 comes before U+1F600, whose UTF-16 form begins lower.
  CHECK(canonical(R"({"😀":1,"｡":2,"~":3,"":4})") == R"({"":4,"~":3,"\uff61":2,"\ud83d\ude00":1})");
  CHECK(canonical("[]") == "[]");
  CHECK(canonical("{}") == "{}");
}

TEST_CASE("every fact adds its adjustment") {
  CHECK(score(R"("framework": "trt")") == "1.000");
  CHECK(score(R"("framework": "trt")", {.event = "push"}) == "3.000");
  CHECK(score(R"("framework": "trt")", {.event = "pull_request"}) == "1.000");
  CHECK(score(R"("framework": "trt", "prefill": {})") == "11.000");
  CHECK(score(R"("framework": "trt", "prefill": null)") == "1.000");
  CHECK(score(R"("framework": "trt", "scenario-type": "agentic-coding")") == "21.000");
  CHECK(score(R"("framework": "trt", "scenario-type": "fixed-seq-len")") == "1.000");
  CHECK(score(R"("framework": "trt", "eval-only": true)") == "41.000");
  CHECK(score(R"("framework": "trt", "eval-only": "true")") == "1.000");
  CHECK(score(R"("framework": "trt", "eval-only": 1)") == "1.000");
  CHECK(score(R"("framework": "trt", "precision": "fp4")") == "1.500");
  CHECK(score(R"("framework": "trt", "precision": "fp8")") == "0.750");
  CHECK(score(R"("framework": "trt", "spec-decoding": "mtp")") == "1.063");
  CHECK(score(R"("framework": null, "precision": 4, "spec-decoding": [], "model-prefix": {})") ==
        "1.000");
}

TEST_CASE("a framework takes the first prefix listed, a model prefix must be equal") {
  CHECK(score(R"("framework": "sglang")") == "1.125");
  CHECK(score(R"("framework": "sglang-x")") == "1.125");
  CHECK(score(R"("framework": "sglang-next")") == "1.125");
  CHECK(score(R"("framework": "sglangx")") == "1.000");
  CHECK(score(R"("framework": "dynamo-sglang-x")") == "4.000");
  CHECK(score(R"("framework": "trt", "model-prefix": "dsv4")") == "101.000");
  CHECK(score(R"("framework": "trt", "model-prefix": "dsv4-pro")") == "201.000");
  CHECK(score(R"("framework": "trt", "model-prefix": "dsv4-lite")") == "1.000");
}

TEST_CASE("labels complete the checklist, mark a patch and waive that") {
  const std::string row = R"("framework": "trt", "precision": "fp4")";
  CHECK(score(row, {.labels = R"(["ready"])"}) == "1001.500");
  CHECK(score(row, {.labels = R"(["done", "ready"])"}) == "1001.500");
  CHECK(score(row, {.event = "push", .labels = R"(["hack"])"}) == "-0.500");
  CHECK(score(row, {.labels = R"(["hack", "fine"])"}) == "1.500");
  CHECK(score(row, {.labels = R"(["fine"])"}) == "1.500");
  CHECK(score(row, {.labels = R"(["patchwork"])"}) == "1.500");
}

TEST_CASE("of the facts only the criteria count") {
  const std::string row =
      R"("framework": "sglang-next", "precision": "fp4", "model-prefix": "dsv4-pro", "prefill": {})";
  CHECK(score(row, {.event = "push"}) == "213.625");
  CHECK(score(row, {.event = "push", .criteria = "[]"}) == "3.000");
  CHECK(score(row, {.criteria = R"(["fp4", "mtp"])"}) == "1.500");
  CHECK(score(row, {.criteria = R"(["multi-node", "agentic", "eval-only"])"}) == "11.000");
  // Listed by a longer or a shorter name, the adjustment is the one without a list.
  CHECK(score(row, {.criteria = R"(["sglang-next"])"}) == "1.125");
  CHECK(score(row, {.criteria = R"(["sglang"])"}) == "1.125");
  CHECK(score(row, {.criteria = R"(["dsv4"])"}) == "201.000");
  CHECK(score(row, {.criteria = R"(["dsv4-pro"])"}) == "201.000");
  CHECK(score(R"("framework": "sglang")", {.criteria = R"(["sglang-next"])"}) == "1.000");
  CHECK(score(row, {.criteria = R"(["checklist-complete"])"}) == "1001.000");
  CHECK(score(row, {.labels = R"(["done"])", .criteria = "[]"}) == "1001.000");
  CHECK(score(row, {.criteria = R"(["patchwork", "fp4"])"}) == "-0.500");
  CHECK(score(row, {.labels = R"(["fine"])", .criteria = R"(["patchwork", "fp4"])"}) == "1.500");
}

TEST_CASE("an unknown criterion is refused once a row is scored by facts") {
  const auto refused = [](const std::string& text, const Case& how) {
    Diagnostics diagnostics;
    const auto policy = read_policy(how.policy, diagnostics);
    sweep::priority::prioritize(*json_document(text), policy, run_of(how), diagnostics);
    return findings(diagnostics);
  };
  const std::string row = R"({"runner": 1, "framework": 2})";
  const std::string criteria = R"(["fp4", "fp5", "dsv4x"])";
  CHECK(refused("[" + row + "," + row + "]", {.criteria = criteria}) ==
        Texts{"1:9 bad-value", "1:16 bad-value"});
  CHECK(refused(R"([{"runner": 1}, 2])", {.criteria = criteria}).empty());
  CHECK(refused(row, {.labels = R"(["patch"])", .criteria = criteria}).empty());
}

TEST_CASE("scores are rounded at their end alone") {
  const auto base = [](const std::string& number, const std::string& multi_node = "0") {
    return score(R"("framework": "f", "prefill": 0)",
                 {.policy = policy_with_base(number, multi_node)});
  };
  CHECK(base("0.0005") == "0.001");
  CHECK(base("-0.0005") == "-0.001");
  CHECK(base("-0.0004") == "0.000");
  CHECK(base("0.0004", "0.0004") == "0.001");
  CHECK(base("2.0005", "-0.0000000000001") == "2.000");
  CHECK(base("1.0e+3") == "1000.000");
  CHECK(base("0x10") == "16.000");
  CHECK(base("999999999999", "999999999999.9994") == "1999999999998.999");
  CHECK(base("-3") == "-3.000");
}

TEST_CASE("a queue token hashes namespace, path and row as read") {
  const auto token = [](const Json& row) { return row.at("queue-token").get<std::string>(); };
  CHECK(sweep::sha256_hex("abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string row = R"({"runner": "r", "framework": "f"})";
  const auto hash = [](const std::string& text) { return sweep::sha256_hex(text).substr(0, 32); };
  const std::string canonical = R"({"framework":"f","runner":"r"})";
  CHECK(token(Json::parse(prioritize(row))) == "dd43d154fbc8f9e900dbbb8359b56eb4");
  CHECK(token(Json::parse(prioritize(row))) == hash("local::" + canonical));
  CHECK(token(Json::parse(prioritize("[[1], [" + row + "]]"))[1][0]) ==
        hash("local:1/0:" + canonical));
  CHECK(token(Json::parse(prioritize(R"({"": {"a/b": [)" + row + "]}}"))[""]["a/b"][0]) ==
        hash("local:/a/b/0:" + canonical));

  const auto nested = Json::parse(prioritize(
      R"({"runner": "r", "framework": "f", "inner": {"runner": 1, "framework": null}})"));
  CHECK(token(nested) == "e7b1fcf2fe75c16ce8f4d152a5dbeeee");
  CHECK(token(nested["inner"]) == "71652a28aefd4d97edb1ccd01c09053d");

  Diagnostics diagnostics;
  sweep::priority::Run run;
  run.queue_namespace = "9:1";
  const auto out = Json::parse(sweep::priority::prioritize(
      *json_document(R"({"single_node": {"8k1k": [{"runner": "r", "framework": "f",
          "é": "€ 😀 \u007f\n\"\\/", "b": [1, {"z": null, "a": true}], "B": 0}]}})"),
      read_policy(usual_policy, diagnostics), run, diagnostics));
  CHECK(token(out["single_node"]["8k1k"][0]) == "74d9fc492e48abe7c975d8005891fccc");
}

TEST_CASE("the fields that are added come last") {
  const std::string row = R"({"runner": "r", "priority": "old", "framework": "trt", "x": 1e2})";
  const auto out = prioritize(row, {.labels = R"(["skip_queue"])", .pull_request = 12});
  CHECK(out.starts_with(
      R"({"runner":"r","framework":"trt","x":1e2,"priority":"1.000","queue-token":")"));
  CHECK(out.ends_with(R"(","skip-queue-pr":12})"));
  CHECK(prioritize(row, {.labels = R"(["other"])", .pull_request = 12}).find("skip") ==
        std::string::npos);
  CHECK(prioritize(row, {.labels = R"(["skip_queue"])"}).find("skip") == std::string::npos);
  CHECK(
      prioritize(
          row, {.policy = policy_with_base("1"), .labels = R"(["skip_queue"])", .pull_request = 12})
          .find("skip") == std::string::npos);
}

namespace {

// Random compact JSON with rows at many places; `rows` counts them.
class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}

  std::string value(int depth) {
    static const std::vector<std::string> scalars{
        "null",  "true", "0",       "-0",      "1.50",    "1e5",
        "-2E-3", "\"\"", R"("é😀")", R"("\n")", R"("\"")", "123456789012345678901234567890"};
    const auto choice = below(depth > 0 ? 4 : 1);
    if (choice <= 0)
      return scalars[static_cast<std::size_t>(below(static_cast<int>(scalars.size())))];
    if (choice == 1) return list(depth);
    return object(depth, choice == 3);
  }

  int rows() const { return rows_; }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  std::string list(int depth) {
    std::string out = "[";
    for (int i = below(4); i > 0; --i) out += value(depth - 1) + (i > 1 ? "," : "");
    return out + "]";
  }

  std::string object(int depth, bool row) {
    std::vector<std::string> members;
    for (int i = below(4); i > 0; --i) {
      members.push_back(fmt::format("\"k{}\":{}", i, value(depth - 1)));
    }
    if (row || below(3) == 0) members.push_back("\"runner\":" + value(depth - 1));
    if (row) members.push_back("\"framework\":" + value(depth - 1));
    rows_ += row ? 1 : 0;
    std::shuffle(members.begin(), members.end(), random_);
    return fmt::format("{{{}}}", fmt::join(members, ","));
  }

  std::mt19937 random_;
  int rows_ = 0;
};

// The text without what prioritize adds, and how often that was there.
std::pair<std::string, int> stripped(std::string text) {
  int count = 0;
  constexpr std::size_t length =
      std::string_view(R"(,"priority":"1.000","queue-token":"")").size() + 32;
  for (std::size_t at = 0; (at = text.find(R"(,"priority":")", at)) != std::string::npos; ++count) {
    text.erase(at, length);
  }
  return {text, count};
}

}  // namespace

TEST_CASE("prioritize changes nothing else") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomJson random(seed);
    const std::string text = random.value(6);
    INFO(text);
    const auto out = prioritize(text, {.policy = policy_with_base("1")});
    CHECK(stripped(out) == std::pair(text, random.rows()));
    // What is annotated already stays so: the scores are the same, whatever the tokens say.
    CHECK(stripped(prioritize(out, {.policy = policy_with_base("1")})).first == text);
  }
}

TEST_CASE("lists of names are strict JSON") {
  const auto read = [](const std::string& text) {
    Diagnostics diagnostics;
    const auto list = sweep::priority::read_names(file("--labels-json", text), diagnostics);
    CHECK((!list || diagnostics.all().empty()));
    auto seen = findings(diagnostics);
    if (list) seen.push_back(fmt::format("{} names", list->names.size()));
    return seen;
  };
  CHECK(read("").empty());
  CHECK(read("null").empty());
  CHECK(read(" null\n").empty());
  CHECK(read("[]") == Texts{"0 names"});
  CHECK(read(R"(["a", "b"])") == Texts{"2 names"});
  CHECK(read(R"("a")") == Texts{"1:1 wrong-type"});
  CHECK(read("{}") == Texts{"1:1 wrong-type"});
  CHECK(read("false") == Texts{"1:1 wrong-type"});
  CHECK(read(R"(["a", 1, null])") == Texts{"1:7 wrong-type", "1:10 wrong-type"});
  CHECK(read("[") == Texts{"1:2 json-syntax"});
  CHECK(read("a,b") == Texts{"1:1 json-syntax"});
  CHECK(read(std::string(100'000, '[')) == Texts{"1:65 json-syntax"});
}

TEST_CASE("a priority file is checked in full") {
  const auto check = [](const std::string& text) {
    Diagnostics diagnostics;
    sweep::validate::Options options;
    options.kind = sweep::validate::FileKind::priority;
    sweep::validate::check_files(std::vector{file("policy.yaml", text)}, options, diagnostics);
    diagnostics.sort();
    return findings(diagnostics);
  };
  CHECK(check(usual_policy).empty());
  CHECK(check(policy_with_base("1")).empty());
  CHECK(check("version: 2\nbase-score: .inf\nadjustments: {}\n"
              "labels: {patchwork: {names: [a], score: .nan}}\n") ==
        Texts{"1:1 bad-value", "2:1 bad-value", "4:34 bad-value"});
  CHECK(check("version: 1\nbase-score: 1\n") == Texts{"1:1 missing-field", "1:1 missing-field"});
  CHECK(check("") == Texts{"1:1 wrong-type"});
  for (const char* number : {"1000000000000", "-1000000000000.5", "0.1234567890123456789",
                             "1.0e-19", "1.0e+300", "9223372036854775807"}) {
    INFO(number);
    CHECK(check(policy_with_base(number)) == Texts{"2:1 bad-value"});
  }
  for (const char* number : {"999999999999", "-999999999999.5", "1.0e-18", "0.0", "1_000"}) {
    INFO(number);
    CHECK(check(policy_with_base(number)).empty());
  }
}
