// The choice of entries and rows by test-config.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::config::ScenarioType;
using sweep::expand::TestConfigOptions;
using test::Entry;
using test::test_config;
using test::Texts;

namespace {

Entry entry(const std::string& key, int conc) {
  return {.key = key, .rows_1k1k = {"{ tp: 8, conc-list: [" + std::to_string(conc) + "] }"}};
}

const std::vector<Entry> four = {entry("dsv4-a", 1), entry("qwen-b", 2), entry("dsv4-c", 3),
                                 entry("'x[1]'", 4)};

Texts chosen(const Texts& keys) {
  TestConfigOptions options;
  options.config_keys = keys;
  return test_config(four, options).all("conc");
}

}  // namespace

TEST_CASE("keys come in the order given, each once", "[test-config]") {
  CHECK(chosen({"dsv4-c", "dsv4-a"}) == Texts{"3", "1"});
  CHECK(chosen({"dsv4-c", "dsv4-a", "dsv4-c"}) == Texts{"3", "1"});
}

TEST_CASE("a pattern gives its keys in file order", "[test-config]") {
  CHECK(chosen({"*"}) == Texts{"1", "2", "3", "4"});
  CHECK(chosen({"dsv4-?"}) == Texts{"1", "3"});
  CHECK(chosen({"[dq]*"}) == Texts{"1", "2", "3"});
  CHECK(chosen({"[!d]*"}) == Texts{"2", "4"});
  CHECK(chosen({"*[a-b]"}) == Texts{"1", "2"});
  CHECK(chosen({"dsv4-c", "*"}) == Texts{"3", "1", "2", "4"});
  CHECK(chosen({"q*", "d*"}) == Texts{"2", "1", "3"});
}

TEST_CASE("without * or ? a key is no pattern", "[test-config]") {
  CHECK(chosen({"x[1]"}) == Texts{"4"});
  TestConfigOptions options;
  options.config_keys = {"dsv4-[a]"};
  CHECK(test_config(four, options).findings == Texts{"error key-unknown"});
}

TEST_CASE("a key or pattern that matches nothing is an error with near names", "[test-config]") {
  TestConfigOptions options;
  options.config_keys = {"dsv4-a", "qwen-d"};
  auto run = test_config(four, options);
  CHECK(run.findings == Texts{"error key-unknown"});
  CHECK(run.helps == Texts{"did you mean 'qwen-b'?"});
  options.config_keys = {"z*"};
  CHECK(test_config(four, options).findings == Texts{"error key-unknown"});
  options.config_keys = {"DSV4-*"};
  CHECK(test_config(four, options).findings == Texts{"error key-unknown"});
  options.config_keys = {""};
  CHECK(test_config(four, options).findings == Texts{"error key-unknown"});
}

TEST_CASE("--conc keeps just these concurrencies", "[test-config]") {
  const std::vector<Entry> entries = {
      {.key = "k",
       .rows_1k1k = {"{ tp: 8, conc-start: 4, conc-end: 64 }", "{ tp: 4, conc-list: [64, 4, 5] }",
                     "{ tp: 2, conc-list: [6] }"},
       .agentic = {"{ tp: 8, kv-offloading: none, conc-list: [4, 8] }"}},
  };
  TestConfigOptions options;
  options.config_keys = {"k"};
  options.conc = {64, 4};
  CHECK(test_config(entries, options).all("conc") == Texts{"4", "64", "64", "4", "4"});
  options.conc = {7};
  CHECK(test_config(entries, options).rows.empty());
  CHECK(test_config(entries, options).findings.empty());
}

TEST_CASE("--seq-lens and --scenario-type work as in full-sweep", "[test-config]") {
  const std::vector<Entry> entries = {
      {.key = "k",
       .rows_1k1k = {"{ tp: 8, conc-list: [1] }"},
       .rows_8k1k = {"{ tp: 8, conc-list: [2] }"},
       .agentic = {"{ tp: 8, kv-offloading: none, conc-list: [3] }"}},
  };
  TestConfigOptions options;
  options.config_keys = {"k"};
  options.seq_lens = {"8k1k"};
  CHECK(test_config(entries, options).all("conc") == Texts{"2", "3"});
  options.scenario_types = {ScenarioType::fixed_seq_len};
  CHECK(test_config(entries, options).all("conc") == Texts{"2"});
}

TEST_CASE("--runner-node-filter takes the label, then its nodes, each once", "[test-config]") {
  const std::vector<Entry> entries = {
      {.key = "a", .rows_1k1k = {"{ tp: 8, conc-list: [1] }"}},
      {.key = "b", .runner = "h200", .rows_1k1k = {"{ tp: 8, conc-list: [1] }"}},
  };
  TestConfigOptions options;
  options.config_keys = {"a", "b"};
  const auto runners = [&](const char* filter) {
    options.runner_node_filter = filter;
    return test_config(entries, options).all("runner");
  };
  CHECK(runners("mi355x-a") == Texts{"cluster:mi355x-a", "mi355x-a_0", "mi355x-a_1"});
  CHECK(runners("h200") == Texts{"h200", "h200_0", "h200_1"});
  CHECK(runners("_0") == Texts{"mi355x-a_0", "mi355x-b_0", "h200_0"});
  CHECK(runners("cluster") == Texts{"cluster:mi355x-a"});
  CHECK(runners("H200").empty());
  CHECK(runners("") == Texts{"cluster:mi355x-a", "h200"});
}

TEST_CASE("a key in two files is refused", "[test-config]") {
  TestConfigOptions options;
  options.config_keys = {"dsv4-a"};
  const auto text = test::yaml(four[0]);
  CHECK(test_config(Texts{text, text}, options).findings == Texts{"error key-duplicate"});
  CHECK(test_config(Texts{text, "{}"}, options).findings.empty());
  CHECK(test_config(Texts{text, ""}, options).findings == Texts{"error wrong-type"});
}
