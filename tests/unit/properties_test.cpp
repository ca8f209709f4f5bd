// What holds for every config, over random ones.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "random_config.h"
#include "support.h"

using sweep::expand::EvalOptions;
using sweep::expand::FullSweepOptions;
using test::Json;
using test::RandomConfig;
using test::RandomRow;
using test::Run;
using test::Texts;

namespace {

constexpr std::uint32_t configs = 200;

template <typename Check>
void for_each_config(Check check) {
  for (std::uint32_t seed = 1; seed <= configs; ++seed) {
    const auto config = test::random_config(seed);
    std::string shown;
    for (const auto& text : config.texts) shown += text;
    INFO("seed " << seed << ":\n" << shown);
    check(config);
  }
}

Run swept(const RandomConfig& config, const FullSweepOptions& options = {}) {
  auto run = test::full_sweep(config.texts, options);
  std::erase_if(run.findings, [](const std::string& text) { return text.starts_with("warning"); });
  REQUIRE(run.findings.empty());
  return run;
}

FullSweepOptions without_evals() {
  FullSweepOptions options;
  options.evals.none = true;
  return options;
}

std::vector<std::int64_t> steps(const RandomRow& row, std::int64_t factor = 2) {
  if (!row.range) return row.conc;
  std::vector<std::int64_t> values;
  for (auto step = row.conc[0]; step < row.conc[1]; step *= factor) values.push_back(step);
  values.push_back(row.conc[1]);
  return values;
}

const std::map<std::string, Texts> nodes_with_a = {
    {"cluster:mi355x-a", {"mi355x-a_0", "mi355x-a_1"}}, {"cluster:gb300-n", {}}};

// `runner/isl/osl/tp/conc` of every row, made from the config alone.
Texts expected_rows(const RandomConfig& config, bool by_node) {
  Texts texts;
  for (const auto& file : config.files) {
    for (const auto& entry : file) {
      const Texts runners = by_node ? nodes_with_a.at(entry.runner) : Texts{entry.runner};
      for (const auto& item : entry.items) {
        for (const auto& row : item.rows) {
          const auto add = [&](const std::string& runner, const Json& conc) {
            Json shown = {entry.multinode, runner, item.isl, item.osl, row.tp, conc};
            texts.push_back(shown.dump());
          };
          if (entry.multinode) {
            for (const auto& runner : runners) {
              if (!item.agentic) add(runner, steps(row));
              for (const auto conc : item.agentic ? steps(row) : std::vector<std::int64_t>{}) {
                add(runner, Json::array({conc}));
              }
            }
          } else {
            for (const auto conc : steps(row)) {
              for (const auto& runner : runners) add(runner, conc);
            }
          }
        }
      }
    }
  }
  return texts;
}

Texts made_rows(const Run& run) {
  Texts texts;
  for (const auto& row : run.rows) {
    Json shown = {row.contains("prefill"), row["runner"],      row.value("isl", 0),
                  row.value("osl", 0),     row.value("tp", 0), row["conc"]};
    texts.push_back(shown.dump());
  }
  return texts;
}

std::vector<std::int64_t> concurrencies(const Json& row) {
  if (row["conc"].is_number()) return {row["conc"].get<std::int64_t>()};
  return row["conc"].get<std::vector<std::int64_t>>();
}
std::int64_t highest(const Json& row) {
  const auto values = concurrencies(row);
  return *std::max_element(values.begin(), values.end());
}

// The row without what differs between rows of one layout.
std::string recipe(Json row) {
  for (const char* field :
       {"conc", "exp-name", "run-eval", "eval-conc", "eval-all-concs", "eval-only"}) {
    row.erase(field);
  }
  return row.dump();
}

bool is_agentic(const Json& row) { return row.contains("scenario-type"); }
bool is_multinode(const Json& row) { return row.contains("prefill"); }
bool is_8k1k(const Json& row) { return row.value("isl", 0) == 8192 && row["osl"] == 1024; }

// The choice of evals, said once more: the indexes of the chosen rows.
std::set<std::size_t> chosen(const std::vector<Json>& rows, bool agentic_too) {
  std::set<std::size_t> result;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    const bool agentic = is_agentic(row);
    if (agentic ? !agentic_too : !is_8k1k(row)) continue;
    const bool minimum = !agentic || is_multinode(row);
    if (minimum && highest(row) < 16) continue;
    Json group = {is_multinode(row), agentic};
    if (is_multinode(row)) {
      group.push_back(recipe(row));
    } else {
      for (const char* field : {"model", "runner", "framework", "precision"}) {
        group.push_back(row[field]);
      }
      if (!agentic) group.push_back({row["spec-decoding"], row["dp-attn"]});
    }
    groups[group.dump()].push_back(i);
  }
  for (const auto& [name, members] : groups) {
    const Json& first = rows[members.front()];
    if (!is_multinode(first) && !is_agentic(first)) {
      std::set<std::int64_t> distinct;
      for (const auto i : members) distinct.insert(highest(rows[i]));
      std::vector<std::int64_t> sorted(distinct.begin(), distinct.end());
      for (const auto i : members) {
        const auto conc = highest(rows[i]);
        if (conc == sorted.back() || conc == sorted[sorted.size() / 2]) result.insert(i);
      }
      continue;
    }
    auto best = members.front();
    for (const auto i : members) {
      if (highest(rows[i]) > highest(rows[best])) best = i;
    }
    result.insert(best);
  }
  return result;
}

}  // namespace

TEST_CASE("rows come in the order of the files", "[properties]") {
  std::size_t total = 0;
  for_each_config([&](const RandomConfig& config) {
    const auto rows = made_rows(swept(config));
    CHECK(rows == expected_rows(config, false));
    total += rows.size();
  });
  CHECK(total > 2000);  // the configs are worth the while
}

TEST_CASE("rows on nodes come in the order of the files", "[properties]") {
  FullSweepOptions options;
  options.runner_node_filter = "mi355x-a";
  for_each_config([&](const RandomConfig& config) {
    CHECK(made_rows(swept(config, options)) == expected_rows(config, true));
  });
}

TEST_CASE("test-config of all keys is full-sweep", "[properties]") {
  sweep::expand::TestConfigOptions options;
  options.config_keys = {"*"};
  for_each_config([&](const RandomConfig& config) {
    CHECK(test::test_config(config.texts, options).rows == swept(config).rows);
  });
}

TEST_CASE("a ladder starts at the start, ends at the end and climbs by its factor",
          "[properties]") {
  for (std::int64_t start = 1; start < 40; ++start) {
    for (std::int64_t end = start; end < start + 150; end += 7) {
      for (const std::int64_t factor : {2, 3, 10}) {
        INFO(start << ".." << end << " by " << factor);
        const auto values = sweep::expand::ladder(start, end, factor);
        REQUIRE(!values.empty());
        CHECK(values.front() == start);
        CHECK(values.back() == end);
        for (std::size_t i = 1; i < values.size(); ++i) {
          CHECK(values[i] > values[i - 1]);
          const bool last = i + 1 == values.size();
          CHECK((last ? values[i] <= values[i - 1] * factor : values[i] == values[i - 1] * factor));
        }
      }
    }
  }
}

TEST_CASE("filters by entry keep whole entries", "[properties]") {
  for_each_config([&](const RandomConfig& config) {
    const auto all = swept(config, without_evals()).rows;
    const auto kept = [&](auto change, auto wanted) {
      auto options = without_evals();
      change(options);
      std::vector<Json> expected;
      std::copy_if(all.begin(), all.end(), std::back_inserter(expected), wanted);
      CHECK(test::full_sweep(config.texts, options).rows == expected);
    };
    kept([](auto& o) { o.precisions = {"fp4"}; },
         [](const Json& row) { return row["precision"] == "fp4"; });
    kept(
        [](auto& o) {
          o.frameworks = {"vllm", "other"};
        },
        [](const Json& row) { return row["framework"] == "vllm"; });
    kept([](auto& o) { o.runner_types = {"cluster:gb300-n"}; },
         [](const Json& row) { return row["runner"] == "cluster:gb300-n"; });
    kept([](auto& o) { o.multi_node = true; }, is_multinode);
    kept([](auto& o) { o.single_node = true; }, [](const Json& row) { return !is_multinode(row); });
    kept([](auto& o) { o.seq_lens = {"8k1k"}; },
         [](const Json& row) { return is_agentic(row) || is_8k1k(row); });
    kept([](auto& o) { o.scenario_types = {sweep::config::ScenarioType::agentic_coding}; },
         is_agentic);
    kept([](auto& o) { o.max_tp = 2; },
         [](const Json& row) { return is_agentic(row) || is_multinode(row) || row["tp"] <= 2; });
  });
}

TEST_CASE("--max-ep changes nothing but ep", "[properties]") {
  auto options = without_evals();
  options.max_ep = 2;
  for_each_config([&](const RandomConfig& config) {
    auto expected = swept(config, without_evals()).rows;
    for (auto& row : expected) {
      if (!is_agentic(row) && !is_multinode(row) && row["ep"] > 2) row["ep"] = 2;
    }
    CHECK(swept(config, options).rows == expected);
  });
}

TEST_CASE("bounds on concurrency clip", "[properties]") {
  auto options = without_evals();
  options.min_conc = 12;
  options.max_conc = 50;
  for_each_config([&](const RandomConfig& config) {
    const auto all = swept(config, without_evals()).rows;
    const auto clipped = swept(config, options).rows;
    std::set<std::string> recipes;
    for (const auto& row : all) recipes.insert(recipe(row));
    for (const auto& row : clipped) {
      CHECK(recipes.contains(recipe(row)));
      for (const auto conc : concurrencies(row)) {
        CHECK(conc >= 12);
        CHECK(conc <= 50);
      }
    }
    // Agentic rows are kept or left out as they are.
    std::vector<Json> expected;
    std::vector<Json> made;
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected), [](const Json& row) {
      return is_agentic(row) && highest(row) >= 12 && highest(row) <= 50;
    });
    std::copy_if(clipped.begin(), clipped.end(), std::back_inserter(made), is_agentic);
    CHECK(made == expected);
  });
}

TEST_CASE("wide bounds change nothing", "[properties]") {
  FullSweepOptions options;
  options.min_conc = 1;
  options.max_conc = 1'000'000;
  options.max_tp = 8;
  options.max_ep = 8;
  for_each_config([&](const RandomConfig& config) {
    CHECK(swept(config, options).rows == swept(config).rows);
  });
}

TEST_CASE("evals are chosen by the rules", "[properties]") {
  std::size_t total = 0;
  for_each_config([&](const RandomConfig& config) {
    const auto rows = swept(config).rows;
    const auto indexes = chosen(rows, false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool wanted = indexes.contains(i);
      total += wanted ? 1 : 0;
      CHECK(rows[i]["run-eval"] == wanted);
      CHECK(rows[i].contains("eval-conc") == (wanted && is_multinode(rows[i])));
      if (rows[i].contains("eval-conc")) CHECK(rows[i]["eval-conc"] == highest(rows[i]));
    }
  });
  CHECK(total > 100);
}

TEST_CASE("--evals-only prints the chosen rows", "[properties]") {
  FullSweepOptions only;
  only.evals.only = true;
  for_each_config([&](const RandomConfig& config) {
    const auto all = swept(config).rows;
    std::vector<Json> expected;
    for (const auto i : chosen(all, true)) {
      Json row = all[i];
      row["run-eval"] = true;
      if (is_multinode(row)) row["eval-conc"] = highest(row);
      row["eval-only"] = true;
      expected.push_back(std::move(row));
    }
    CHECK(swept(config, only).rows == expected);
  });
}

TEST_CASE("--all-evals loses no concurrency", "[properties]") {
  FullSweepOptions everything;
  everything.evals.all = true;
  for_each_config([&](const RandomConfig& config) {
    std::map<std::string, std::multiset<std::int64_t>> single;
    std::map<std::string, std::set<std::int64_t>> multi;
    for (const auto& row : swept(config, without_evals()).rows) {
      if (!is_agentic(row) && !is_8k1k(row)) continue;
      for (const auto conc : concurrencies(row)) {
        if (is_multinode(row)) {
          multi[recipe(row)].insert(conc);
        } else {
          single[recipe(row)].insert(conc);
        }
      }
    }
    decltype(single) made_single;
    std::size_t merged = 0;
    for (const auto& row : swept(config, everything).rows) {
      CHECK(row["run-eval"] == true);
      CHECK(row["eval-only"] == true);
      const auto values = concurrencies(row);
      if (!is_multinode(row)) {
        made_single[recipe(row)].insert(values.begin(), values.end());
        continue;
      }
      ++merged;
      const auto& expected = multi[recipe(row)];
      CHECK(values == std::vector<std::int64_t>(expected.begin(), expected.end()));
      CHECK(row.contains("eval-all-concs") == !is_agentic(row));
      CHECK(row.contains("eval-conc") == is_agentic(row));
    }
    CHECK(made_single == single);
    CHECK(merged == multi.size());
  });
}
