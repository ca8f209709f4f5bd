// Which rows run evals.

#include <string>

#include "catch.h"
#include "support.h"

using sweep::expand::EvalOptions;
using sweep::expand::FullSweepOptions;
using test::Entry;
using test::full_sweep;
using test::Run;
using test::Texts;

namespace {

Run sweep_with(const std::vector<Entry>& entries, const EvalOptions& evals = {}) {
  FullSweepOptions options;
  options.evals = evals;
  return full_sweep(entries, options);
}

// The concurrencies of the rows with run-eval true.
Texts chosen(const Run& run) {
  Texts texts;
  for (const auto& row : run.rows) {
    if (row.value("run-eval", false)) texts.push_back(row["conc"].dump());
  }
  return texts;
}
Texts chosen(const std::vector<Entry>& entries) { return chosen(sweep_with(entries)); }

Entry single(const Texts& rows, const std::string& key = "k") {
  return {.key = key, .rows_8k1k = rows};
}

const std::string workers =
    "{ prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }, "
    "decode: { num-worker: 2, tp: 8, ep: 8, dp-attn: true }, ";
const std::string other_workers =
    "{ prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false }, "
    "decode: { num-worker: 2, tp: 8, ep: 8, dp-attn: true }, ";

Entry multi(const Texts& rows, const std::string& key = "k") {
  return {.key = key, .multinode = true, .rows_8k1k = rows};
}
Entry agentic(const Texts& rows, const std::string& key = "k") {
  return {.key = key, .agentic = rows};
}

constexpr EvalOptions no_evals = {.none = true, .only = false, .all = false};
constexpr EvalOptions evals_only = {.none = false, .only = true, .all = false};
constexpr EvalOptions all_evals = {.none = false, .only = false, .all = true};

}  // namespace

TEST_CASE("single-node: the highest and the middle concurrency", "[evals]") {
  CHECK(chosen({single({"{ tp: 8, conc-list: [16] }"})}) == Texts{"16"});
  CHECK(chosen({single({"{ tp: 8, conc-list: [16, 32] }"})}) == Texts{"32"});
  CHECK(chosen({single({"{ tp: 8, conc-list: [16, 32, 64] }"})}) == Texts{"32", "64"});
  CHECK(chosen({single({"{ tp: 8, conc-list: [128, 16, 64, 32] }"})}) == Texts{"128", "64"});
  CHECK(chosen({single({"{ tp: 8, conc-list: [16, 17, 18, 19, 20] }"})}) == Texts{"18", "20"});
}

TEST_CASE("single-node: concurrencies below 16 do not count", "[evals]") {
  CHECK(chosen({single({"{ tp: 8, conc-list: [1, 8, 15] }"})}).empty());
  CHECK(chosen({single({"{ tp: 8, conc-list: [1, 2, 4, 8, 16, 32] }"})}) == Texts{"32"});
}

TEST_CASE("single-node: all rows at a chosen concurrency are chosen", "[evals]") {
  CHECK(chosen({single({"{ tp: 8, conc-list: [16, 64] }", "{ tp: 4, conc-list: [32, 64] }",
                        "{ tp: 2, conc-list: [32] }"})}) == Texts{"64", "32", "64", "32"});
  // Repeats count once among the distinct concurrencies.
  CHECK(chosen({single({"{ tp: 8, conc-list: [16, 16, 16, 32, 64] }"})}) == Texts{"32", "64"});
}

TEST_CASE("single-node: only 8k1k rows are looked at", "[evals]") {
  const Texts rows = {"{ tp: 8, conc-list: [32] }"};
  CHECK(chosen({Entry{.rows_1k1k = rows}}).empty());
  CHECK(chosen({Entry{.rows_512_64 = rows}}).empty());
  CHECK(chosen({Entry{.rows_8k1k = rows}}) == Texts{"32"});
}

TEST_CASE("single-node: groups span config keys and are told apart by seven facts", "[evals]") {
  const Entry first = single({"{ tp: 8, conc-list: [16] }"}, "first");
  Entry second = single({"{ tp: 4, ep: 4, conc-list: [32, 64] }"}, "second");
  // One group over both keys: 16, 32, 64.
  CHECK(chosen({first, second}) == Texts{"32", "64"});
  const Texts apart = {"16", "64"};
  const auto with = [&](auto change) {
    Entry changed = second;
    change(changed);
    return chosen({first, changed});
  };
  CHECK(with([](Entry& e) { e.model = "org/Other"; }) == apart);
  CHECK(with([](Entry& e) { e.runner = "h200"; }) == apart);
  CHECK(with([](Entry& e) { e.framework = "sglang"; }) == apart);
  CHECK(with([](Entry& e) { e.precision = "fp4"; }) == apart);
  CHECK(with([](Entry& e) {
          e.rows_8k1k = {"{ tp: 4, spec-decoding: mtp, conc-list: [32, 64] }"};
        }) == apart);
  CHECK(with([](Entry& e) { e.rows_8k1k = {"{ tp: 4, dp-attn: true, conc-list: [32, 64] }"}; }) ==
        apart);
  // The prefix is none of them.
  CHECK(with([](Entry& e) { e.prefix = "other"; }) == Texts{"32", "64"});
}

TEST_CASE("multi-node: the row with the highest concurrency of its group", "[evals]") {
  const auto run =
      sweep_with({multi({workers + "conc-list: [16, 64] }", workers + "conc-list: [128, 4] }",
                         workers + "conc-list: [128] }"})});
  CHECK(run.all("run-eval") == Texts{"false", "true", "false"});  // the first on a tie
  CHECK(run.all("eval-conc") == Texts{"", "128", ""});
  CHECK(run.all("eval-all-concs") == Texts{"", "", ""});
}

TEST_CASE("multi-node: groups are alike in everything but conc", "[evals]") {
  CHECK(chosen({multi({workers + "conc-list: [16] }", other_workers + "conc-list: [32] }"})}) ==
        Texts{"[16]", "[32]"});
  CHECK(chosen({multi({workers + "conc-list: [16] }"}, "a"),
                multi({workers + "conc-list: [32] }"}, "b")}) == Texts{"[32]"});
  // An empty additional-settings is not an absent one.
  std::string settings = workers;
  settings.insert(settings.find(" }"), ", additional-settings: []");
  CHECK(chosen({multi({workers + "conc-list: [16] }", settings + "conc-list: [32] }"})}) ==
        Texts{"[16]", "[32]"});
  // A default written out is.
  std::string written = workers;
  written.insert(written.find(" }"), ", pp: 1");
  CHECK(chosen({multi({workers + "conc-list: [16] }", written + "conc-list: [32] }"})}) ==
        Texts{"[32]"});
}

TEST_CASE("multi-node: a concurrency of 16 or more is needed", "[evals]") {
  CHECK(chosen({multi({workers + "conc-list: [1, 15] }"})}).empty());
  CHECK(chosen({multi({workers + "conc-list: [1, 16] }"})}) == Texts{"[1,16]"});
  Entry short_prompts = multi({});
  short_prompts.rows_1k1k = {workers + "conc-list: [64] }"};
  CHECK(chosen({short_prompts}).empty());
}

TEST_CASE("agentic rows get run-eval false and are not chosen", "[evals]") {
  const auto run = sweep_with({agentic({"{ tp: 8, kv-offloading: none, conc-list: [16, 64] }"})});
  CHECK(run.all("run-eval") == Texts{"false", "false"});
}

TEST_CASE("--no-evals chooses no row and leaves run-eval out of agentic rows", "[evals]") {
  Entry entry = single({"{ tp: 8, conc-list: [16] }"});
  entry.agentic = {"{ tp: 8, kv-offloading: none, conc-list: [32] }"};
  const auto run = sweep_with({entry}, no_evals);
  CHECK(run.all("run-eval") == Texts{"false", ""});
}

TEST_CASE("--evals-only keeps the chosen rows and marks them", "[evals]") {
  const auto run =
      sweep_with({single({"{ tp: 8, conc-list: [8, 16, 32, 64] }"}, "s"),
                  multi({workers + "conc-list: [16, 64] }", workers + "conc-list: [4] }"}, "m")},
                 evals_only);
  CHECK(run.all("conc") == Texts{"32", "64", "[16,64]"});
  CHECK(run.all("run-eval") == Texts{"true", "true", "true"});
  CHECK(run.all("eval-only") == Texts{"true", "true", "true"});
  CHECK(run.all("eval-conc") == Texts{"", "", "64"});
}

TEST_CASE("--evals-only: agentic rows with the highest concurrency", "[evals]") {
  const auto run =
      sweep_with({agentic({"{ tp: 8, kv-offloading: none, conc-list: [1, 8] }",
                           "{ tp: 4, dp-attn: true, kv-offloading: none, conc-list: [8, 2] }"})},
                 evals_only);
  CHECK(run.all("conc") == Texts{"8"});  // no minimum; the first on a tie
  CHECK(run.all("tp") == Texts{"8"});
  CHECK(run.all("eval-conc") == Texts{""});

  Entry other = agentic({"{ tp: 8, kv-offloading: none, conc-list: [2] }"}, "other");
  other.precision = "fp4";
  CHECK(sweep_with({agentic({"{ tp: 8, kv-offloading: none, conc-list: [8] }"}), other}, evals_only)
            .all("conc") == Texts{"8", "2"});
}

TEST_CASE("--evals-only: multi-node agentic rows as multi-node fixed ones", "[evals]") {
  Entry entry = {
      .multinode = true,
      .agentic = {workers + "conc-list: [16, 64, 32] }", other_workers + "conc-list: [15] }"}};
  const auto run = sweep_with({entry}, evals_only);
  CHECK(run.all("conc") == Texts{"[64]"});
  CHECK(run.all("eval-conc") == Texts{"64"});
  CHECK(run.all("eval-only") == Texts{"true"});
}

TEST_CASE("--all-evals chooses every single-node 8k1k and agentic row", "[evals]") {
  Entry entry = single({"{ tp: 8, conc-list: [1, 16, 32] }"});
  entry.rows_1k1k = {"{ tp: 8, conc-list: [5] }"};
  entry.agentic = {"{ tp: 8, kv-offloading: none, conc-list: [2, 3] }"};
  const auto run = sweep_with({entry}, all_evals);
  CHECK(run.all("conc") == Texts{"1", "16", "32", "2", "3"});
  CHECK(run.all("run-eval") == Texts{"true", "true", "true", "true", "true"});
  CHECK(run.all("eval-only") == Texts{"true", "true", "true", "true", "true"});
}

TEST_CASE("--all-evals merges multi-node rows of a group into the first", "[evals]") {
  const auto run = sweep_with(
      {multi({workers + "conc-list: [8, 4, 8] }", other_workers + "conc-list: [3, 1, 3] }",
              workers + "conc-list: [2, 4] }"})},
      all_evals);
  CHECK(run.all("conc") == Texts{"[2,4,8]", "[1,3]"});
  CHECK(run.all("eval-all-concs") == Texts{"true", "true"});
  CHECK(run.all("eval-conc") == Texts{"", ""});
  CHECK(run.all("exp-name") == Texts{"mdl_8k1k", "mdl_8k1k"});
  CHECK(run.all("eval-only") == Texts{"true", "true"});
}

TEST_CASE("--all-evals leaves other multi-node lengths out", "[evals]") {
  Entry entry = multi({});
  entry.rows_1k1k = {workers + "conc-list: [64] }"};
  CHECK(sweep_with({entry}, all_evals).rows.empty());
}

TEST_CASE("--all-evals merges multi-node agentic rows, keeping the first name", "[evals]") {
  const Entry entry = {.multinode = true, .agentic = {workers + "conc-list: [8, 2, 4] }"}};
  const auto run = sweep_with({entry}, all_evals);
  CHECK(run.all("conc") == Texts{"[2,4,8]"});
  CHECK(run.all("eval-conc") == Texts{"8"});
  CHECK(run.all("eval-all-concs") == Texts{""});
  CHECK(run.all("exp-name") == Texts{"mdl_p1x4_d2x8ep8dpa_conc8"});
}

TEST_CASE("rows on different nodes are different groups", "[evals]") {
  FullSweepOptions options;
  options.runner_node_filter = "mi355x-a";
  const auto run = full_sweep({multi({workers + "conc-list: [16] }"})}, options);
  CHECK(run.all("run-eval") == Texts{"true", "true"});
}

TEST_CASE("eval fields come last", "[evals]") {
  const auto fields = [](const Run& run) {
    std::string text = run.rows.at(0).dump();
    return text.substr(text.find("\"kv-p2p-transfer\""));
  };
  Entry entry = multi({workers + "kv-p2p-transfer: nixl, conc-list: [16] }"});
  CHECK(fields(sweep_with({entry}, evals_only)) ==
        R"("kv-p2p-transfer":"nixl","eval-conc":16,"eval-only":true})");
  CHECK(fields(sweep_with({entry}, all_evals)) ==
        R"("kv-p2p-transfer":"nixl","eval-all-concs":true,"eval-only":true})");
  entry.agentic = entry.rows_8k1k;
  entry.rows_8k1k.clear();
  CHECK(fields(sweep_with({entry}, all_evals)) ==
        R"("kv-p2p-transfer":"nixl","run-eval":true,"eval-conc":16,"eval-only":true})");
}
