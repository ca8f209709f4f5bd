// Matrix rows: names, defaults, the order of fields and of rows.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::expand::FullSweepOptions;
using test::Entry;
using test::full_sweep;
using test::Json;
using test::Texts;

namespace {

std::string worker(const std::string& name, const std::string& fields) {
  return name + ": { num-worker: 1, tp: 8, " + fields + " }";
}

std::string agentic_name(const std::string& row, bool multinode = false,
                         const std::string& prefix = "mdl") {
  const auto run = full_sweep({Entry{
      .prefix = prefix, .multinode = multinode, .agentic = {row}, .dram_utilization = "0.5"}});
  return run.rows.empty() ? "no row" : run.rows[0]["exp-name"].get<std::string>();
}

Texts field_names(const Json& row) {
  Texts names;
  for (const auto& item : row.items()) names.push_back(item.key());
  return names;
}

Json only_row(const Entry& entry) {
  const auto run = full_sweep({entry});
  REQUIRE(run.rows.size() == 1);
  return run.rows[0];
}

const char* const plain_workers =
    "prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }, "
    "decode: { num-worker: 2, tp: 8, ep: 8, dp-attn: true }";

}  // namespace

TEST_CASE("fixed rows are named by prefix and length", "[rows]") {
  const auto run = full_sweep({Entry{.prefix = "dsv4",
                                     .rows_1k1k = {"{ tp: 8, conc-list: [1] }"},
                                     .rows_8k1k = {"{ tp: 8, conc-list: [1] }"},
                                     .rows_512_64 = {"{ tp: 8, conc-list: [1] }"}}});
  CHECK(run.all("exp-name") == Texts{"dsv4_1k1k", "dsv4_8k1k", "dsv4_512_64"});
  CHECK(run.all("max-model-len") == Texts{"2304", "9472", "832"});
  const auto multi =
      only_row({.prefix = "dsv4",
                .multinode = true,
                .rows_8k1k = {std::string("{ ") + plain_workers + ", conc-list: [1, 2] }"}});
  CHECK(multi["exp-name"] == "dsv4_8k1k");
}

TEST_CASE("single-node agentic rows are named by tp, conc and offloading", "[rows]") {
  CHECK(agentic_name("{ tp: 8, kv-offloading: none, conc-list: [16] }") == "mdl_tp8_conc16_kvnone");
  CHECK(agentic_name("{ tp: 4, ep: 4, kv-offloading: none, conc-list: [1] }", false, "qwen3.5") ==
        "qwen3.5_tp4_conc1_kvnone");
  CHECK(agentic_name("{ tp: 4, kv-offloading: dram, kv-offload-backend: { name: lmcache }, "
                     "conc-list: [2] }") == "mdl_tp4_conc2_kvdram-lmcache");
  CHECK(agentic_name("{ tp: 8, kv-offloading: none, spec-decoding: mtp, conc-list: [2] }") ==
        "mdl_tp8_conc2_kvnone_spec-mtp");
  CHECK(
      agentic_name("{ tp: 8, kv-offloading: none, spec-decoding: draft_model, conc-list: [2] }") ==
      "mdl_tp8_conc2_kvnone_spec-draft_model");
  CHECK(agentic_name("{ tp: 8, kv-offloading: none, spec-decoding: none, conc-list: [2] }") ==
        "mdl_tp8_conc2_kvnone");
}

TEST_CASE("multi-node agentic rows are named by their workers", "[rows]") {
  CHECK(agentic_name(std::string("{ ") + plain_workers + ", conc-list: [4] }", true) ==
        "mdl_p1x4_d2x8ep8dpa_conc4");
  CHECK(agentic_name(std::string("{ ") + plain_workers +
                         ", kv-offloading: dram, kv-offload-backend: { name: x }, conc-list: [4] }",
                     true) == "mdl_p1x4_d2x8ep8dpa_conc4_kvdram-x");
  CHECK(agentic_name("{ " + worker("prefill", "ep: 2, dp-attn: false") + ", " +
                         worker("decode", "ep: 1, dp-attn: true") +
                         ", kv-offloading: none, spec-decoding: mtp, conc-list: [4] }",
                     true) == "mdl_p1x8ep2_d1x8dpa_conc4");
}

TEST_CASE("defaults are filled in", "[rows]") {
  const auto row = only_row({.rows_1k1k = {"{ tp: 8, conc-list: [1] }"}});
  CHECK(row.dump() ==
        R"({"image":"org/image:v1","model":"org/Model","model-prefix":"mdl","precision":"fp8",)"
        R"("framework":"vllm","runner":"cluster:mi355x-a","isl":1024,"osl":1024,"tp":8,"pp":1,)"
        R"("dcp-size":1,"pcp-size":1,"conc":1,"max-model-len":2304,"ep":1,"dp-attn":false,)"
        R"("spec-decoding":"none","exp-name":"mdl_1k1k","disagg":false,"run-eval":false})");
}

TEST_CASE("a single-node agentic row has its fields in order", "[rows]") {
  const auto row = only_row(
      {.agentic = {"{ env: { B: 1, A: yes, C: '010' }, moe-backend: aiter, tp: 4, pp: 1, "
                   "kv-offload-backend: { version: null, name: x }, router: { version: '1', "
                   "name: r }, kv-offloading: dram, conc-list: [1] }"},
       .dram_utilization = "1"});
  CHECK(field_names(row) == Texts{"image",
                                  "model",
                                  "model-prefix",
                                  "precision",
                                  "framework",
                                  "runner",
                                  "tp",
                                  "pp",
                                  "dcp-size",
                                  "pcp-size",
                                  "ep",
                                  "dp-attn",
                                  "spec-decoding",
                                  "conc",
                                  "kv-offloading",
                                  "total-cpu-dram-gb",
                                  "duration",
                                  "exp-name",
                                  "scenario-type",
                                  "kv-offload-backend",
                                  "router",
                                  "moe-backend",
                                  "env",
                                  "run-eval"});
  CHECK(row["duration"] == 3600);
  CHECK(row["scenario-type"] == "agentic-coding");
  CHECK(row["total-cpu-dram-gb"] == 1499);
  CHECK(row["kv-offload-backend"].dump() == R"({"name":"x","version":null})");
  CHECK(row["router"].dump() == R"({"name":"r","version":"1"})");
  CHECK(row["env"].dump() == R"({"B":"1","A":"true","C":"010"})");
}

TEST_CASE("a multi-node fixed row has its fields in order", "[rows]") {
  const auto row = only_row({.multinode = true,
                             .rows_1k1k = {"{ " +
                                           worker("prefill",
                                                  "ep: 1, dp-attn: false, hardware: h1, "
                                                  "additional-settings: [A=1, B=2]") +
                                           ", " +
                                           worker("decode",
                                                  "ep: 8, dp-attn: true, hardware: h2, pp: 2, "
                                                  "additional-settings: null") +
                                           ", kv-p2p-transfer: nixl, conc-list: [1, 2] }"}});
  CHECK(field_names(row) == Texts{"image", "model", "model-prefix", "precision", "framework",
                                  "runner", "isl", "osl", "spec-decoding", "prefill", "decode",
                                  "conc", "max-model-len", "exp-name", "disagg", "run-eval",
                                  "kv-p2p-transfer"});
  CHECK(row["prefill"] == Json::parse(R"({"num-worker":1,"tp":8,"pp":1,"dcp-size":1,"pcp-size":1,
      "ep":1,"dp-attn":false,"hardware":"h1","additional-settings":["A=1","B=2"]})"));
  CHECK(row["decode"]["pp"] == 2);
  CHECK(row["decode"]["additional-settings"].is_null());
  CHECK(row["conc"].dump() == "[1,2]");
}

TEST_CASE("a multi-node agentic row has its fields in order", "[rows]") {
  const auto row = only_row(
      {.multinode = true, .agentic = {std::string("{ ") + plain_workers + ", conc-list: [4] }"}});
  CHECK(field_names(row) == Texts{"image", "model", "model-prefix", "precision", "framework",
                                  "runner", "spec-decoding", "prefill", "decode", "conc",
                                  "kv-offloading", "total-cpu-dram-gb", "duration", "exp-name",
                                  "disagg", "scenario-type", "run-eval"});
  CHECK(row["conc"].dump() == "[4]");
  CHECK(row["kv-offloading"] == "none");
  CHECK(row["total-cpu-dram-gb"] == 0);
}

TEST_CASE("a multi-node DRAM budget is that of a prefill replica on one node", "[rows]") {
  const auto budget = [](const std::string& prefill) {
    const auto run =
        full_sweep({Entry{.multinode = true,
                          .agentic = {"{ prefill: { num-worker: 3, ep: 1, dp-attn: false, " +
                                      prefill + " }, " + worker("decode", "ep: 1, dp-attn: false") +
                                      ", kv-offloading: dram, kv-offload-backend: { name: x }, "
                                      "conc-list: [4] }"},
                          .dram_utilization = "1"}});
    return run.rows.empty() ? run.findings.at(0) : run.rows[0]["total-cpu-dram-gb"].dump();
  };
  CHECK(budget("tp: 8") == "2999");
  CHECK(budget("tp: 4") == "1499");
  CHECK(budget("tp: 2, pp: 2, pcp-size: 2") == "2999");
  CHECK(budget("tp: 2, dcp-size: 2") == "749");
  CHECK(budget("tp: 16") == "2999");
  CHECK(budget("tp: 12") == "error worker-tiling");
  CHECK(budget("tp: 3") == "error worker-tiling");
}

TEST_CASE("a row's null switches the entry's transfer off", "[rows]") {
  std::string text =
      test::yaml(Entry{.multinode = true,
                       .rows_1k1k = {std::string("{ ") + plain_workers + ", conc-list: [1] }",
                                     std::string("{ ") + plain_workers +
                                         ", kv-p2p-transfer: null, router: ~, conc-list: [2] }"}});
  text.insert(text.find("  scenarios:"),
              "  kv-p2p-transfer: nixl\n  router: { name: r, version: '1' }\n");
  const auto run = full_sweep(Texts{text});
  CHECK(run.all("kv-p2p-transfer") == Texts{"nixl", ""});
  CHECK(run.all("router") == Texts{R"({"name":"r","version":"1"})", ""});
}

TEST_CASE("rows come by file, entry, scenario, row, concurrency and runner", "[rows]") {
  const Entry single = {.key = "s",
                        .rows_1k1k = {"{ tp: 8, conc-list: [2, 1] }", "{ tp: 4, conc-list: [9] }"},
                        .agentic = {"{ tp: 8, kv-offloading: none, conc-list: [5, 3] }"}};
  const Entry multi = {.key = "m",
                       .multinode = true,
                       .agentic = {std::string("{ ") + plain_workers + ", conc-list: [7, 6] }"}};
  FullSweepOptions options;
  options.runner_node_filter = "mi355x-a";
  const auto run = full_sweep(Texts{test::yaml(multi), test::yaml(single)}, options);
  CHECK(run.all("conc") == Texts{"[7]", "[6]", "[7]", "[6]",  // runners, then concurrencies
                                 "2", "2", "1", "1", "9", "9", "5", "5", "3", "3"});
  CHECK(run.all("runner") == Texts{"mi355x-a_0", "mi355x-a_0", "mi355x-a_1", "mi355x-a_1",
                                   "mi355x-a_0", "mi355x-a_1", "mi355x-a_0", "mi355x-a_1",
                                   "mi355x-a_0", "mi355x-a_1", "mi355x-a_0", "mi355x-a_1",
                                   "mi355x-a_0", "mi355x-a_1"});
}

TEST_CASE("agentic rows follow fixed ones, wherever they are written", "[rows]") {
  std::string text =
      test::yaml(Entry{.agentic = {"{ tp: 8, kv-offloading: none, conc-list: [5] }"}});
  text +=
      "    fixed-seq-len:\n    - { isl: 1024, osl: 1024, search-space: [{ tp: 8, conc-list: [1] "
      "}] }\n";
  CHECK(full_sweep(Texts{text}).all("conc") == Texts{"1", "5"});
}
