/// @file
/// Configs to matrix rows: filters, ladders, names, the DRAM budget, and the choice of evals.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/config.h"

namespace sweep::expand {

/// One benchmark job. It points into the MasterConfig and the Runners that it was made from, which
/// must outlive it.
struct MatrixRow {
  const config::Entry* entry = nullptr;
  const config::SearchRow* row = nullptr;
  config::ScenarioType scenario = config::ScenarioType::fixed_seq_len;
  std::int64_t isl = 0;            ///< fixed only, in tokens
  std::int64_t osl = 0;            ///< fixed only, in tokens
  std::string_view runner;         ///< the entry's label, or a node of it
  config::Layout layout;           ///< single-node only; `ep` may be lower than in the config
  std::vector<std::int64_t> conc;  ///< one value, but all of a multi-node fixed row
  std::int64_t total_cpu_dram_gb = 0;
  std::string exp_name;
  std::optional<bool> run_eval;
  std::optional<std::int64_t> eval_conc;
  bool eval_all_concs = false;
  bool eval_only = false;

  bool agentic() const { return scenario == config::ScenarioType::agentic_coding; }
};

/// Which rows run evals.
struct EvalOptions {
  bool none = false;  ///< no row is chosen and agentic rows have no run-eval
  bool only = false;  ///< only the chosen rows come out
  bool all = false;   ///< the same, after widening the choice
};

/// What both commands can filter by. Empty lists and texts do not filter.
struct CommonOptions {
  std::vector<std::string> seq_lens;  ///< `1k1k`, `8k1k`
  std::vector<config::ScenarioType> scenario_types;
  std::string runner_node_filter;
  EvalOptions evals;
  std::size_t max_rows = 100'000;
};

struct FullSweepOptions : CommonOptions {
  std::vector<std::string> model_prefixes;  ///< beginnings of config keys
  std::vector<std::string> precisions;
  std::vector<std::string> frameworks;
  std::vector<std::string> runner_types;
  bool single_node = false;
  bool multi_node = false;
  std::int64_t step_size = 2;  ///< greater than 1
  std::optional<std::int64_t> min_conc;
  std::optional<std::int64_t> max_conc;
  std::optional<std::int64_t> max_tp;
  std::optional<std::int64_t> max_ep;
};

/// How the rows of chosen entries are made.
struct EntriesOptions : CommonOptions {
  std::vector<std::int64_t> conc;  ///< keep just these concurrencies; empty: all
};

struct TestConfigOptions : EntriesOptions {
  std::vector<std::string> config_keys;  ///< keys or patterns, in the order wanted
};

struct Expansion {
  std::vector<MatrixRow> rows;
  std::vector<const config::Entry*> selected;  ///< the entries the filters left, in order
};

/// All rows of the entries that the filters leave, in file order. Adds `bad-value` for a runner
/// type that is no known label, the hardware rules' findings for the entries left, `limit-rows`
/// past `max_rows`, and warnings: `unmatched-filter`, and those that concern the entries left.
Expansion full_sweep(const config::MasterConfig& config, const config::Runners& runners,
                     const FullSweepOptions& options, Diagnostics& diagnostics);

/// The rows of these entries, in this order, as test-config makes them.
Expansion expand_entries(std::span<const config::Entry* const> entries,
                         const config::Runners& runners, const EntriesOptions& options,
                         Diagnostics& diagnostics);

/// The rows of the named entries. Adds `key-unknown` for a key or pattern that matches nothing.
Expansion test_config(const config::MasterConfig& config, const config::Runners& runners,
                      const TestConfigOptions& options, Diagnostics& diagnostics);

/// Finds search-space rows that expand to the same matrix row at a concurrency: `duplicate-row`, a
/// warning, within a config key, and `duplicate-across-keys`, of the severity given, across two.
/// One finding a pair of rows.
void check_duplicates(std::span<const config::Entry* const> entries, const config::Runners& runners,
                      Severity across_keys, Diagnostics& diagnostics);

/// `start, start·factor, …` while below `end`, then `end`. Needs 1 <= start <= end, factor >= 2.
std::vector<std::int64_t> ladder(std::int64_t start, std::int64_t end, std::int64_t factor);

/// The share of a node's DRAM for offloading, in GB: floor(min(available, 2,861,022 MiB) ×
/// utilization × gpus / gpus_per_node), exact in decimal. `gpus` must be at most `gpus_per_node`.
std::int64_t dram_budget_gb(const config::Hardware& hardware, const Decimal& utilization,
                            std::int64_t gpus);

/// Seconds that an agentic row runs.
inline constexpr std::int64_t agentic_duration_seconds = 3600;

/// Which parts of a row to write.
struct RowParts {
  bool identity = true;               ///< conc and exp-name
  bool evals = true;                  ///< run-eval, eval-conc, eval-all-concs, eval-only
  bool source = false;                ///< `source`: file, line and config key
  bool plan = false;                  ///< as in a plan: fields filled in, null ones left out
  std::string_view fingerprint = {};  ///< recipe-fingerprint; left out when empty
};

/// Appends the row as one compact JSON object, fields in the order of the matrix row schema.
void append_json(std::string& out, const MatrixRow& row, const RowParts& parts = {});

/// All rows as one compact JSON array.
std::string to_json(std::span<const MatrixRow> rows, const RowParts& parts = {});

}  // namespace sweep::expand
