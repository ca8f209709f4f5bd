#include <algorithm>

#include <fmt/format.h>

#include "expand/expander.h"
#include "sweep/expand.h"

namespace sweep::expand {
namespace {

using config::Entry;
using config::ScenarioType;
using config::SearchRow;

bool listed(const std::vector<std::string>& values, std::string_view value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

bool selects(const FullSweepOptions& options, const Entry& entry) {
  const bool prefixed =
      options.model_prefixes.empty() ||
      std::any_of(options.model_prefixes.begin(), options.model_prefixes.end(),
                  [&](const std::string& prefix) { return entry.key.starts_with(prefix); });
  const bool kind =
      options.single_node == options.multi_node || entry.multinode == options.multi_node;
  return prefixed && kind && listed(options.precisions, entry.precision) &&
         listed(options.frameworks, entry.framework) && listed(options.runner_types, entry.runner);
}

// The concurrencies of one search-space row that --min-conc and --max-conc leave.
class ConcurrencyFilter {
 public:
  explicit ConcurrencyFilter(const FullSweepOptions& options)
      : step_(options.step_size), least_(options.min_conc), most_(options.max_conc) {}

  std::vector<std::int64_t> operator()(const SearchRow& row, ScenarioType type,
                                       bool multinode) const {
    const auto& concurrency = row.concurrency;
    if (type == ScenarioType::agentic_coding) {
      auto values = all_concurrencies(concurrency, step_);
      std::erase_if(values, [&](auto value) {
        return (least_ && value < *least_) || (most_ && value > *most_);
      });
      return values;
    }
    if ((least_ && *least_ <= 0) || (most_ && *most_ <= 0)) return {};
    if (concurrency.is_range && !multinode) return clipped_range(concurrency);
    return clipped_list(all_concurrencies(concurrency, step_));
  }

 private:
  std::vector<std::int64_t> clipped_range(const config::Concurrency& range) const {
    std::int64_t start = range.start;
    std::int64_t end = range.end;
    if (least_ && end < *least_) return {};
    if (least_) start = std::max(start, *least_);
    if (most_ && start > *most_) return {*most_};
    if (most_) end = std::min(end, *most_);
    return ladder(start, end, step_);
  }

  std::vector<std::int64_t> clipped_list(std::vector<std::int64_t> values) const {
    if (least_) std::erase_if(values, [&](auto value) { return value < *least_; });
    if (values.empty() || !most_) return values;
    std::erase_if(values, [&](auto value) { return value > *most_; });
    if (values.empty()) values.push_back(*most_);
    return values;
  }

  std::int64_t step_;
  std::optional<std::int64_t> least_;
  std::optional<std::int64_t> most_;
};

// False when --max-tp or --max-ep leave a single-node fixed row out; lowers its ep.
bool fit_layout(const FullSweepOptions& options, config::Layout& layout) {
  if (options.max_tp && (*options.max_tp <= 0 || layout.tp > *options.max_tp)) return false;
  if (options.max_ep && *options.max_ep <= 0) return false;
  if (options.max_ep) layout.ep = std::min(layout.ep, *options.max_ep);
  return true;
}

void check_runner_types(const FullSweepOptions& options, const config::Runners& runners,
                        Diagnostics& diagnostics) {
  const auto names = runners.label_names();
  for (const auto& type : options.runner_types) {
    if (std::find(names.begin(), names.end(), type) != names.end()) continue;
    auto sorted = names;
    std::sort(sorted.begin(), sorted.end());
    std::string known;
    for (const auto name : sorted) known += (known.empty() ? "" : ", ") + printable(name);
    diagnostics.add({.rule = "bad-value",
                     .message = fmt::format("runner type '{}' is no label of the runners file",
                                            printable(type)),
                     .span = {},
                     .help = fmt::format("{}{}known labels: {}", did_you_mean(type, names, 3),
                                         near_names(type, names).empty() ? "" : " ", known),
                     .path = {},
                     .related = {}});
  }
}

// A value that no entry has leaves nothing, which is rarely what was meant.
void warn_of_values(std::string_view flag, const std::vector<std::string>& values,
                    const std::vector<std::string_view>& known, Diagnostics& diagnostics) {
  for (const auto& value : values) {
    if (std::find(known.begin(), known.end(), value) != known.end()) continue;
    diagnostics.add({.severity = Severity::warning,
                     .rule = "unmatched-filter",
                     .message = fmt::format("{} '{}' matches no entry", flag, printable(value)),
                     .span = {},
                     .help = did_you_mean(value, known, 3),
                     .path = {},
                     .related = {}});
  }
}

void check_filter_values(const FullSweepOptions& options, const config::MasterConfig& config,
                         Diagnostics& diagnostics) {
  std::vector<std::string_view> precisions;
  std::vector<std::string_view> frameworks;
  std::vector<std::string_view> prefixes;
  for (const auto& entry : config.entries) {
    precisions.emplace_back(entry.precision);
    frameworks.emplace_back(entry.framework);
    prefixes.emplace_back(entry.model_prefix);
  }
  warn_of_values("--precision", options.precisions, precisions, diagnostics);
  warn_of_values("--framework", options.frameworks, frameworks, diagnostics);
  for (const auto& prefix : options.model_prefixes) {
    const bool any = std::any_of(config.entries.begin(), config.entries.end(),
                                 [&](const auto& e) { return e.key.starts_with(prefix); });
    if (!any) warn_of_values("--model-prefix", {prefix}, prefixes, diagnostics);
  }
}

}  // namespace

Expansion full_sweep(const config::MasterConfig& config, const config::Runners& runners,
                     const FullSweepOptions& options, Diagnostics& diagnostics) {
  check_runner_types(options, runners, diagnostics);
  check_filter_values(options, config, diagnostics);
  Expander expander(runners, options, diagnostics);
  Expansion result;
  const ConcurrencyFilter concurrencies(options);
  for (const auto& entry : config.entries) {
    if (!selects(options, entry)) continue;
    EntryPlan plan;
    plan.runners = options.runner_node_filter.empty()
                       ? std::vector<std::string_view>{entry.runner}
                       : matching_nodes(runners, entry.runner, options.runner_node_filter);
    if (plan.runners.empty()) continue;
    result.selected.push_back(&entry);
    check_selected(entry, runners, expander.wants(ScenarioType::agentic_coding), diagnostics);
    plan.conc = [&](const SearchRow& row, ScenarioType type) {
      return concurrencies(row, type, entry.multinode);
    };
    plan.fixed_layout = [&](config::Layout& layout) { return fit_layout(options, layout); };
    expander.add(entry, plan);
  }
  check_duplicates(result.selected, runners, Severity::warning, diagnostics);
  result.rows = expander.finish();
  return result;
}

}  // namespace sweep::expand
