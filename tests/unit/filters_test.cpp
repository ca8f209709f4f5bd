// The filters of full-sweep.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::config::ScenarioType;
using sweep::expand::FullSweepOptions;
using test::Entry;
using test::full_sweep;
using test::Texts;

namespace {

const char* const workers =
    "prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }, "
    "decode: { num-worker: 2, tp: 8, ep: 8, dp-attn: true }";

std::string multinode_row(const std::string& concurrency) {
  return std::string("{ ") + workers + ", " + concurrency + " }";
}
std::string single_row(const std::string& concurrency) { return "{ tp: 8, " + concurrency + " }"; }
std::string agentic_row(const std::string& concurrency) {
  return "{ tp: 8, kv-offloading: none, " + concurrency + " }";
}

FullSweepOptions between(std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  FullSweepOptions options;
  options.min_conc = least;
  options.max_conc = most;
  return options;
}

// The concurrencies of one row of each kind, joined: `4 8 16`, or `[4,8]` for a multi-node job.
std::string conc(const Entry& entry, const FullSweepOptions& options) {
  std::string out;
  for (const auto& value : full_sweep({entry}, options).all("conc")) {
    out += (out.empty() ? "" : " ") + value;
  }
  return out;
}
std::string single(const std::string& concurrency, const FullSweepOptions& options) {
  return conc({.rows_1k1k = {single_row(concurrency)}}, options);
}
std::string multi(const std::string& concurrency, const FullSweepOptions& options) {
  return conc({.multinode = true, .rows_1k1k = {multinode_row(concurrency)}}, options);
}
std::string agentic(const std::string& concurrency, const FullSweepOptions& options) {
  return conc({.agentic = {agentic_row(concurrency)}}, options);
}

const char* const range = "conc-start: 4, conc-end: 64";
const char* const list = "conc-list: [32, 4, 8, 32, 100]";

}  // namespace

TEST_CASE("--min-conc and --max-conc clip a single-node range before its ladder", "[filters]") {
  CHECK(single(range, {}) == "4 8 16 32 64");
  CHECK(single(range, between(8, {})) == "8 16 32 64");
  CHECK(single(range, between(6, {})) == "6 12 24 48 64");
  CHECK(single(range, between(64, {})) == "64");
  CHECK(single(range, between(65, {})).empty());
  CHECK(single(range, between(1, {})) == "4 8 16 32 64");
  CHECK(single(range, between({}, 64)) == "4 8 16 32 64");
  CHECK(single(range, between({}, 33)) == "4 8 16 32 33");
  CHECK(single(range, between({}, 4)) == "4");
  CHECK(single(range, between({}, 3)) == "3");
  CHECK(single(range, between({}, 1)) == "1");
  CHECK(single(range, between(10, 20)) == "10 20");
  CHECK(single(range, between(10, 10)) == "10");
  CHECK(single(range, between(70, 80)).empty());
  CHECK(single(range, between(1, 2)) == "2");
}

TEST_CASE("--min-conc and --max-conc drop values of a single-node list", "[filters]") {
  CHECK(single(list, {}) == "32 4 8 32 100");
  CHECK(single(list, between(8, {})) == "32 8 32 100");
  CHECK(single(list, between(101, {})).empty());
  CHECK(single(list, between({}, 32)) == "32 4 8 32");
  CHECK(single(list, between({}, 5)) == "4");
  CHECK(single(list, between({}, 3)) == "3");
  CHECK(single(list, between(5, 7)) == "7");
  CHECK(single(list, between(9, 40)) == "32 32");
}

TEST_CASE("--min-conc and --max-conc drop values of a multi-node row", "[filters]") {
  CHECK(multi(range, {}) == "[4,8,16,32,64]");
  CHECK(multi(range, between(6, {})) == "[8,16,32,64]");
  CHECK(multi(range, between(65, {})).empty());
  CHECK(multi(range, between({}, 33)) == "[4,8,16,32]");
  CHECK(multi(range, between({}, 3)) == "[3]");
  CHECK(multi(range, between(5, 7)) == "[7]");
  CHECK(multi(list, between(8, 40)) == "[32,8,32]");
}

TEST_CASE("agentic rows just keep what lies between", "[filters]") {
  CHECK(agentic(range, {}) == "4 8 16 32 64");
  CHECK(agentic(range, between(6, 40)) == "8 16 32");
  CHECK(agentic(range, between({}, 3)).empty());
  CHECK(agentic(range, between(5, 7)).empty());
  CHECK(agentic(list, between({}, 8)) == "4 8");
  CHECK(agentic(list, between(0, {})) == "32 4 8 32 100");
  CHECK(agentic(list, between(-5, {})) == "32 4 8 32 100");
  CHECK(agentic(list, between({}, 0)).empty());
}

TEST_CASE("a bound of zero or less leaves every fixed row out", "[filters]") {
  for (const std::int64_t bound : {0, -1, -100}) {
    for (const auto* concurrency : {range, list}) {
      CHECK(single(concurrency, between(bound, {})).empty());
      CHECK(single(concurrency, between({}, bound)).empty());
      CHECK(multi(concurrency, between(bound, {})).empty());
      CHECK(multi(concurrency, between({}, bound)).empty());
      CHECK(single(concurrency, between(bound, 8)).empty());
    }
  }
}

TEST_CASE("--step-size is the ladder's factor", "[filters]") {
  FullSweepOptions options;
  options.step_size = 4;
  CHECK(single(range, options) == "4 16 64");
  CHECK(multi(range, options) == "[4,16,64]");
  CHECK(agentic(range, options) == "4 16 64");
  CHECK(single(list, options) == "32 4 8 32 100");
  options.step_size = 1000;
  CHECK(single(range, options) == "4 64");
}

TEST_CASE("--max-tp leaves out single-node fixed rows", "[filters]") {
  const std::vector<Entry> entries = {
      {.key = "single",
       .rows_1k1k = {"{ tp: 4, conc-list: [1] }", "{ tp: 8, conc-list: [2] }"},
       .agentic = {agentic_row("conc-list: [3]")}},
      {.key = "multi", .multinode = true, .rows_1k1k = {multinode_row("conc-list: [4]")}},
  };
  FullSweepOptions options;
  options.max_tp = 8;
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "2", "3", "[4]"});
  options.max_tp = 7;
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "3", "[4]"});
  for (const std::int64_t none : {0, -3}) {
    options.max_tp = none;
    CHECK(full_sweep(entries, options).all("conc") == Texts{"3", "[4]"});
  }
}

TEST_CASE("--max-ep lowers ep of single-node fixed rows", "[filters]") {
  const std::vector<Entry> entries = {
      {.key = "single",
       .rows_1k1k = {"{ tp: 8, ep: 8, conc-list: [1] }", "{ tp: 8, conc-list: [2] }"},
       .agentic = {"{ tp: 8, ep: 8, kv-offloading: none, conc-list: [3] }"}},
      {.key = "multi", .multinode = true, .rows_1k1k = {multinode_row("conc-list: [4]")}},
  };
  FullSweepOptions options;
  options.max_ep = 4;
  const auto run = full_sweep(entries, options);
  CHECK(run.all("ep") == Texts{"4", "1", "8", ""});
  CHECK(run.rows[3]["decode"]["ep"] == 8);
  options.max_ep = 16;
  CHECK(full_sweep(entries, options).all("ep") == Texts{"8", "1", "8", ""});
  for (const std::int64_t none : {0, -3}) {
    options.max_ep = none;
    CHECK(full_sweep(entries, options).all("conc") == Texts{"3", "[4]"});
  }
}

TEST_CASE("entries are kept by prefix, precision, framework, runner and kind", "[filters]") {
  const std::vector<Entry> entries = {
      {.key = "dsv4-a",
       .prefix = "other",
       .precision = "fp4",
       .framework = "vllm",
       .rows_1k1k = {single_row("conc-list: [1]")}},
      {.key = "dsv4-b",
       .precision = "fp8",
       .framework = "sglang",
       .runner = "h200",
       .rows_1k1k = {single_row("conc-list: [2]")}},
      {.key = "qwen",
       .prefix = "dsv4",
       .precision = "fp8",
       .framework = "vllm",
       .multinode = true,
       .rows_1k1k = {multinode_row("conc-list: [3]")}},
  };
  const auto kept = [&](auto change) {
    FullSweepOptions options;
    change(options);
    return full_sweep(entries, options).all("conc");
  };
  CHECK(kept([](auto&) {}) == Texts{"1", "2", "[3]"});
  CHECK(kept([](auto& o) { o.model_prefixes = {"dsv4"}; }) == Texts{"1", "2"});
  CHECK(kept([](auto& o) { o.model_prefixes = {"q", "dsv4-b"}; }) == Texts{"2", "[3]"});
  CHECK(kept([](auto& o) { o.precisions = {"fp4"}; }) == Texts{"1"});
  CHECK(kept([](auto& o) { o.frameworks = {"vllm"}; }) == Texts{"1", "[3]"});
  CHECK(kept([](auto& o) { o.frameworks = {"vll"}; }).empty());
  CHECK(kept([](auto& o) { o.runner_types = {"h200"}; }) == Texts{"2"});
  CHECK(kept([](auto& o) { o.single_node = true; }) == Texts{"1", "2"});
  CHECK(kept([](auto& o) { o.multi_node = true; }) == Texts{"[3]"});
  CHECK(kept([](auto& o) { o.single_node = o.multi_node = true; }) == Texts{"1", "2", "[3]"});
  CHECK(kept([](auto& o) {
          o.precisions = {"fp8"};
          o.frameworks = {"vllm", "sglang"};
          o.single_node = true;
        }) == Texts{"2"});
}

TEST_CASE("a filter value that no entry has is a warning, a runner type an error", "[filters]") {
  const std::vector<Entry> entries = {{.rows_1k1k = {single_row("conc-list: [1]")}}};
  FullSweepOptions options;
  options.frameworks = {"vlm"};
  auto run = full_sweep(entries, options);
  CHECK(run.findings == Texts{"warning unmatched-filter"});
  CHECK(run.helps == Texts{"did you mean 'vllm'?"});
  options = {};
  options.precisions = {"fp9"};
  CHECK(full_sweep(entries, options).helps == Texts{"did you mean 'fp8'?"});
  options = {};
  options.runner_types = {"h20"};
  run = full_sweep(entries, options);
  CHECK(run.findings == Texts{"error bad-value"});
  CHECK(run.helps ==
        Texts{"did you mean 'h200'? known labels: cluster:gb300-n, cluster:mi355x-a, h200"});
  options.runner_types = {"h200"};  // a label, though no entry has it
  CHECK(full_sweep(entries, options).findings.empty());
}

TEST_CASE("--seq-lens keeps lengths, and every agentic row", "[filters]") {
  const std::vector<Entry> entries = {{.rows_1k1k = {single_row("conc-list: [1]")},
                                       .rows_8k1k = {single_row("conc-list: [2]")},
                                       .rows_512_64 = {single_row("conc-list: [3]")},
                                       .agentic = {agentic_row("conc-list: [4]")}}};
  FullSweepOptions options;
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "2", "3", "4"});
  options.seq_lens = {"1k1k"};
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "4"});
  options.seq_lens = {"8k1k", "1k1k"};
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "2", "4"});
}

TEST_CASE("--scenario-type keeps scenarios", "[filters]") {
  const std::vector<Entry> entries = {
      {.rows_1k1k = {single_row("conc-list: [1]")}, .agentic = {agentic_row("conc-list: [4]")}}};
  FullSweepOptions options;
  options.scenario_types = {ScenarioType::fixed_seq_len};
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1"});
  options.scenario_types = {ScenarioType::agentic_coding};
  CHECK(full_sweep(entries, options).all("conc") == Texts{"4"});
  options.scenario_types = {ScenarioType::agentic_coding, ScenarioType::fixed_seq_len};
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "4"});
}

TEST_CASE("--runner-node-filter makes a row for each node", "[filters]") {
  const std::vector<Entry> entries = {
      {.key = "a", .rows_1k1k = {single_row("conc-list: [1, 2]")}},
      {.key = "b", .runner = "h200", .rows_1k1k = {single_row("conc-list: [1]")}},
  };
  FullSweepOptions options;
  options.runner_node_filter = "mi355x-a";
  CHECK(full_sweep(entries, options).all("runner") ==
        Texts{"mi355x-a_0", "mi355x-a_1", "mi355x-a_0", "mi355x-a_1"});
  CHECK(full_sweep(entries, options).all("conc") == Texts{"1", "1", "2", "2"});
  // Nodes count as often as they are listed; labels themselves are not looked at.
  options.runner_node_filter = "_0";
  CHECK(full_sweep(entries, options).all("runner") ==
        Texts{"mi355x-a_0", "mi355x-b_0", "mi355x-a_0", "mi355x-b_0", "h200_0", "h200_0"});
  options.runner_node_filter = "cluster";
  CHECK(full_sweep(entries, options).rows.empty());
  options.runner_node_filter = "MI355X";
  CHECK(full_sweep(entries, options).rows.empty());
  options.runner_node_filter = "";
  CHECK(full_sweep(entries, options).all("runner") ==
        Texts{"cluster:mi355x-a", "cluster:mi355x-a", "h200"});
}

TEST_CASE("a node keeps the hardware facts of its label", "[filters]") {
  const std::vector<Entry> entries = {
      {.agentic = {"{ tp: 4, kv-offloading: dram, kv-offload-backend: { name: x }, "
                   "conc-list: [1] }"},
       .dram_utilization = "0.5"}};
  FullSweepOptions options;
  const auto whole = full_sweep(entries, options).all("total-cpu-dram-gb");
  REQUIRE(whole == Texts{"749"});
  options.runner_node_filter = "b_0";
  CHECK(full_sweep(entries, options).all("total-cpu-dram-gb") == whole);
}

TEST_CASE("a run may not have more rows than allowed", "[filters]") {
  const std::vector<Entry> entries = {{.rows_1k1k = {single_row("conc-list: [1, 2, 3]")}}};
  FullSweepOptions options;
  options.max_rows = 3;
  CHECK(full_sweep(entries, options).findings.empty());
  options.max_rows = 2;
  CHECK(full_sweep(entries, options).findings == Texts{"error limit-rows"});
  options.max_rows = 0;
  CHECK(full_sweep(entries, options).findings == Texts{"error limit-rows"});
}
