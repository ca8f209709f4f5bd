#include <algorithm>

#include <fmt/format.h>

#include "expand/expander.h"
#include "sweep/expand.h"

namespace sweep::expand {
namespace {

using config::Entry;
using config::ScenarioType;
using config::SearchRow;

void report_unmatched(const std::string& key, bool pattern, const config::MasterConfig& config,
                      Diagnostics& diagnostics) {
  std::vector<std::string_view> keys;
  for (const auto& entry : config.entries) keys.emplace_back(entry.key);
  diagnostics.add(
      {.rule = "key-unknown",
       .message = pattern ? fmt::format("pattern '{}' matches no config key", printable(key))
                          : fmt::format("no config key '{}'", printable(key)),
       .span = {},
       .help = did_you_mean(key, keys, 3),
       .path = {},
       .related = {}});
}

std::vector<const Entry*> select(const config::MasterConfig& config,
                                 const std::vector<std::string>& wanted, Diagnostics& diagnostics) {
  std::vector<const Entry*> selected;
  for (const auto& key : wanted) {
    const bool pattern = key.find_first_of("*?") != std::string::npos;
    bool any = false;
    for (const auto& entry : config.entries) {
      if (!(pattern ? matches_pattern(key, entry.key) : key == entry.key)) continue;
      any = true;
      if (std::find(selected.begin(), selected.end(), &entry) == selected.end()) {
        selected.push_back(&entry);
      }
    }
    if (!any) report_unmatched(key, pattern, config, diagnostics);
  }
  return selected;
}

// The label itself and its nodes, each once, where they contain the filter.
std::vector<std::string_view> runners_of(const Entry& entry, const config::Runners& runners,
                                         const std::string& filter) {
  if (filter.empty()) return {entry.runner};
  std::vector<std::string_view> names;
  if (entry.runner.find(filter) != std::string::npos) names.emplace_back(entry.runner);
  for (const auto node : matching_nodes(runners, entry.runner, filter)) {
    if (std::find(names.begin(), names.end(), node) == names.end()) names.push_back(node);
  }
  return names;
}

}  // namespace

Expansion test_config(const config::MasterConfig& config, const config::Runners& runners,
                      const TestConfigOptions& options, Diagnostics& diagnostics) {
  return expand_entries(select(config, options.config_keys, diagnostics), runners, options,
                        diagnostics);
}

Expansion expand_entries(std::span<const config::Entry* const> entries,
                         const config::Runners& runners, const EntriesOptions& options,
                         Diagnostics& diagnostics) {
  Expander expander(runners, options, diagnostics);
  Expansion result;
  for (const Entry* entry : entries) {
    EntryPlan plan;
    plan.runners = runners_of(*entry, runners, options.runner_node_filter);
    if (plan.runners.empty()) continue;
    result.selected.push_back(entry);
    check_selected(*entry, runners, expander.wants(ScenarioType::agentic_coding), diagnostics);
    plan.conc = [&](const SearchRow& row, ScenarioType) {
      constexpr std::int64_t factor = 2;
      auto values = all_concurrencies(row.concurrency, factor);
      std::erase_if(values, [&](auto value) {
        return !options.conc.empty() &&
               std::find(options.conc.begin(), options.conc.end(), value) == options.conc.end();
      });
      return values;
    };
    plan.fixed_layout = [](config::Layout&) { return true; };
    expander.add(*entry, plan);
  }
  check_duplicates(result.selected, runners, Severity::warning, diagnostics);
  result.rows = expander.finish();
  return result;
}

}  // namespace sweep::expand
