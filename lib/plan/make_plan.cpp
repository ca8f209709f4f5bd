#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "plan/append_only.h"
#include "plan/selection.h"
#include "sweep/plan.h"

namespace sweep::plan {
namespace {

using config::ChangelogEntry;
using expand::MatrixRow;

void report(const config::Changelog& changelog, const ChangelogEntry& entry, std::string message,
            std::string help, Diagnostics& diagnostics) {
  const auto* member = entry.node->find_member("append-only");
  diagnostics.add({.rule = "changelog-append-only",
                   .message = std::move(message),
                   .span = changelog.document->span(member->key->extent),
                   .help = std::move(help),
                   .path = {},
                   .related = {}});
}

// append-only entries cannot mix with others, nor with the flags about evals.
bool check_append_only(const config::Changelog& changelog, const PlanOptions& options,
                       Diagnostics& diagnostics) {
  const auto& entries = changelog.entries;
  const auto first = std::find_if(entries.begin(), entries.end(),
                                  [](const auto& entry) { return entry.append_only; });
  if (first == entries.end()) return true;
  const bool mixed = std::any_of(entries.begin(), entries.end(),
                                 [](const auto& entry) { return !entry.append_only; });
  if (mixed) {
    report(changelog, *first, "append-only entries cannot share a change with other entries",
           "split the change, or run all of it without append-only", diagnostics);
  }
  if (options.all_evals || options.evals_only) {
    report(changelog, *first,
           fmt::format("append-only entries cannot be run with {}",
                       options.all_evals ? "--all-evals" : "--evals-only"),
           "remove the flag, or the label behind it", diagnostics);
  }
  return !mixed && !options.all_evals && !options.evals_only;
}

class Planner {
 public:
  Planner(const Change& change, const PlanOptions& options, Diagnostics& diagnostics)
      : change_(change), options_(options), diagnostics_(diagnostics) {}

  SweepPlan run() {
    SweepPlan plan;
    plan.head = change_.head;
    plan.changelog = change_.changelog;
    if (!check_append_only(change_.changelog, options_, diagnostics_)) return plan;
    std::vector<const ChangelogEntry*> entries;
    for (const auto& entry : change_.changelog.entries) entries.push_back(&entry);
    std::stable_partition(entries.begin(), entries.end(),
                          [](const auto* entry) { return entry->all_evals; });
    for (const auto* entry : entries) add(*entry);
    if (!append_only_groups_.empty()) {
      check_rest_unchanged(*entries.front(), append_only_groups_, change_, diagnostics_);
    }
    if (options_.trim_conc) trim();
    for (auto& row : throughput_) {
      std::string fingerprint = fingerprint_of(row);
      plan.throughput.push_back({std::move(row), std::move(fingerprint)});
    }
    for (auto& row : evals_) plan.evals.push_back({std::move(row), {}});
    plan.selected = selected_;
    return plan;
  }

 private:
  void add(const ChangelogEntry& entry) {
    const auto keys =
        named_entries(entry, *change_.changelog.document, change_.head->master, diagnostics_);
    for (const auto* key : keys) {
      if (std::find(selected_.begin(), selected_.end(), key) == selected_.end()) {
        selected_.push_back(key);
      }
    }
    if (!options_.evals_only && !entry.evals_only && !entry.all_evals) {
      for (const auto& group : throughput_pairs_.take(entry, keys)) {
        auto rows = expand(group, {.none = true});
        if (entry.append_only && change_.base != nullptr) {
          keep_added_points(entry, group, change_, rows, diagnostics_);
          append_only_groups_.push_back(group);
        }
        move_into(rows, throughput_);
      }
    }
    if (entry.append_only) return;
    for (const auto& group : eval_pairs_.take(entry, keys)) {
      auto rows = expand(group, {.only = true, .all = entry.all_evals || options_.all_evals});
      std::erase_if(rows, [&](const MatrixRow& row) {
        return entry.eval_min_prefill_ep && row.entry->multinode &&
               row.row->prefill.layout.ep < *entry.eval_min_prefill_ep;
      });
      move_into(rows, evals_);
    }
  }

  std::vector<MatrixRow> expand(const Group& group, const expand::EvalOptions& evals) {
    expand::EntriesOptions options;
    options.evals = evals;
    options.scenario_types.assign(group.scenarios.begin(), group.scenarios.end());
    options.max_rows =
        options_.max_rows - std::min(options_.max_rows, throughput_.size() + evals_.size());
    return expand_entries(group.entries, change_.head->runners, options, diagnostics_).rows;
  }

  static void move_into(std::vector<MatrixRow>& from, std::vector<MatrixRow>& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  // Of single-node rows of one recipe only the first with the lowest concurrency stays; a multi-
  // node row runs at its lowest one.
  void trim() {
    std::map<std::string, const MatrixRow*> lowest;
    std::vector<std::string> recipes;
    for (auto& row : throughput_) {
      std::string recipe;
      append_json(recipe, row, {.identity = false});
      if (row.entry->multinode) {
        row.conc.assign(1, *std::min_element(row.conc.begin(), row.conc.end()));
      } else if (const auto [place, fresh] = lowest.emplace(recipe, &row);
                 !fresh && row.conc.front() < place->second->conc.front()) {
        place->second = &row;
      }
      recipes.push_back(std::move(recipe));
    }
    std::vector<MatrixRow> kept;
    for (std::size_t i = 0; i < throughput_.size(); ++i) {
      const MatrixRow& row = throughput_[i];
      if (row.entry->multinode || lowest.at(recipes[i]) == &row) kept.push_back(row);
    }
    throughput_ = std::move(kept);
  }

  static std::string fingerprint_of(const MatrixRow& row) {
    std::string recipe;
    append_json(recipe, row, {.identity = false});
    // nlohmann's objects are sorted by key, and its writer escapes all but printable ASCII.
    return sha256_hex(nlohmann::json::parse(recipe).dump(-1, ' ', true));
  }

  const Change& change_;
  const PlanOptions& options_;
  Diagnostics& diagnostics_;
  Selection throughput_pairs_;
  Selection eval_pairs_;
  std::vector<MatrixRow> throughput_;
  std::vector<MatrixRow> evals_;
  std::vector<const config::Entry*> selected_;
  std::vector<Group> append_only_groups_;
};

}  // namespace

SweepPlan make_plan(const Change& change, const PlanOptions& options, Diagnostics& diagnostics) {
  return Planner(change, options, diagnostics).run();
}

std::string bucket(const MatrixRow& row) {
  return row.agentic() ? "agentic" : config::length_name(row.isl, row.osl);
}

}  // namespace sweep::plan
