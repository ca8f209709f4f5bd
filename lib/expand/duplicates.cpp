#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "expand/expander.h"
#include "sweep/expand.h"

namespace sweep::expand {
namespace {

// A search-space row as one matrix row without its concurrencies.
struct Candidate {
  const config::Entry* entry = nullptr;
  const config::SearchRow* row = nullptr;
  bool one_job = false;            // all concurrencies are one job
  std::vector<std::int64_t> conc;  // sorted, each once
};

std::vector<std::int64_t> common(const Candidate& left, const Candidate& right) {
  std::vector<std::int64_t> both;
  std::set_intersection(left.conc.begin(), left.conc.end(), right.conc.begin(), right.conc.end(),
                        std::back_inserter(both));
  return both;
}

std::string wasted(const Candidate& copy, std::size_t jobs) {
  const auto gpus = config::row_gpus(*copy.entry, *copy.row);
  std::int64_t total = 0;
  const auto count = static_cast<std::int64_t>(copy.one_job ? 1 : jobs);
  if (!gpus || __builtin_mul_overflow(*gpus, count, &total)) return "more than 2^63 GPUs";
  if (count == 1) return fmt::format("{} GPU{}", total, total == 1 ? "" : "s");
  return fmt::format("{} GPUs in {} jobs", total, count);
}

std::string listed(const std::vector<std::int64_t>& values) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
  }
  if (values.size() > most) text += fmt::format(" and {} more", values.size() - most);
  return text;
}

void report(const Candidate& first, const Candidate& copy,
            const std::vector<std::int64_t>& concurrencies, Severity across_keys,
            Diagnostics& diagnostics) {
  const bool across = first.entry != copy.entry;
  const auto place = [](const Candidate& candidate) {
    const auto begin = candidate.row->node->extent.begin;
    return candidate.entry->document->span({begin, begin + 1});
  };
  std::string message = fmt::format(
      "this row and one of '{}' are the same job at concurrency {}; the copy takes {}",
      printable(first.entry->key), listed(concurrencies), wasted(copy, concurrencies.size()));
  if (!across) {
    message = fmt::format("this row repeats an earlier one at concurrency {}; the copy wastes {}",
                          listed(concurrencies), wasted(copy, concurrencies.size()));
  }
  diagnostics.add({.severity = across ? across_keys : Severity::warning,
                   .rule = across ? "duplicate-across-keys" : "duplicate-row",
                   .message = std::move(message),
                   .span = place(copy),
                   .help = across ? "leave it if both are meant, as in an A/B run"
                                  : "remove the concurrencies from one of the two",
                   .path = {},
                   .related = {{place(first), "the other row"}},
                   .config_keys = {copy.entry->key}});
}

using Groups = std::unordered_map<std::string, std::vector<Candidate>>;

// `total_gb` gives a row's DRAM budget, `{}` where it is not known.
template <typename Scenario, typename Budget>
void add_rows(const config::Entry& entry, const Scenario& scenario, MatrixRow row, Budget total_gb,
              Groups& groups) {
  constexpr std::int64_t factor = 2;
  row.entry = &entry;
  row.runner = entry.runner;
  for (const auto& search_row : scenario.rows) {
    row.row = &search_row;
    row.layout = search_row.layout;
    row.total_cpu_dram_gb = total_gb(search_row);
    Candidate candidate{&entry, &search_row, entry.multinode && !row.agentic(),
                        all_concurrencies(search_row.concurrency, factor)};
    std::sort(candidate.conc.begin(), candidate.conc.end());
    candidate.conc.erase(std::unique(candidate.conc.begin(), candidate.conc.end()),
                         candidate.conc.end());
    std::string recipe;
    append_json(recipe, row, {.identity = false, .evals = false, .source = false});
    groups[std::move(recipe)].push_back(std::move(candidate));
  }
}

}  // namespace

void check_duplicates(std::span<const config::Entry* const> entries, const config::Runners& runners,
                      Severity across_keys, Diagnostics& diagnostics) {
  Groups groups;
  for (const auto* entry : entries) {
    MatrixRow row;
    row.scenario = config::ScenarioType::fixed_seq_len;
    for (const auto& fixed : entry->fixed_seq_len) {
      row.isl = fixed.isl;
      row.osl = fixed.osl;
      add_rows(
          *entry, fixed, row, [](const auto&) { return 0; }, groups);
    }
    row.scenario = config::ScenarioType::agentic_coding;
    for (const auto& agentic : entry->agentic_coding) {
      add_rows(
          *entry, agentic, row,
          [&](const config::SearchRow& search_row) {
            return dram_budget_gb(*entry, agentic, search_row, runners);
          },
          groups);
    }
  }
  // A file of nothing but copies has a quadratic number of pairs; nobody reads past the first.
  constexpr std::size_t most_pairs = 10'000;
  std::size_t pairs = 0;
  for (const auto& [recipe, rows] : groups) {
    for (std::size_t second = 1; second < rows.size(); ++second) {
      for (std::size_t first = 0; first < second && pairs < most_pairs; ++first) {
        const auto both = common(rows[first], rows[second]);
        if (both.empty()) continue;
        ++pairs;
        report(rows[first], rows[second], both, across_keys, diagnostics);
      }
    }
  }
}

}  // namespace sweep::expand
