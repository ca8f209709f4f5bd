#include "plan/append_only.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace sweep::plan {
namespace {

using config::ScenarioType;
using expand::MatrixRow;

// Rows of one recipe differ in concurrency and exp-name alone.
std::string recipe_of(const MatrixRow& row) {
  std::string text;
  append_json(text, row, {.identity = false});
  return text;
}

// What a result is compared along: rows of one curve differ in concurrency and tuning alone.
std::string curve_of(const MatrixRow& row) {
  const config::Entry& entry = *row.entry;
  const auto hardware = [](const config::Worker& worker) {
    return worker.hardware && *worker.hardware ? **worker.hardware : std::string();
  };
  const bool fixed = !row.agentic();
  return fmt::format(
      "{}",
      fmt::join(
          std::vector<std::string>{
              entry.model, entry.model_prefix, entry.precision, entry.framework,
              std::string(row.runner), entry.disagg ? "disagg" : "", fixed ? "fixed" : "agentic",
              fixed ? fmt::format("{} {}", row.isl, row.osl) : "",
              row.row->kv_offloading == config::KvOffloading::none ? "" : "offloading",
              fixed ? std::string(to_string(row.row->spec_decoding)) : "",
              hardware(row.row->prefill), hardware(row.row->decode)},
          "\x1f"));
}

class Judge {
 public:
  Judge(const config::ChangelogEntry& entry, const Change& change, Diagnostics& diagnostics)
      : entry_(entry), change_(change), diagnostics_(diagnostics) {}

  // A finding at the entry's `append-only`; `place` is where the configs show it.
  void report(std::string message, const SourceSpan& place, std::string words) {
    const auto* member = entry_.node->find_member("append-only");
    std::vector<RelatedPlace> related;
    if (place.file != nullptr) related.push_back({place, std::move(words)});
    diagnostics_.add({.rule = "changelog-append-only",
                      .message = "append-only: " + std::move(message),
                      .span = change_.changelog.document->span(member->key->extent),
                      .help = "make the change without append-only, or restore what was there",
                      .path = {},
                      .related = std::move(related)});
  }

  static SourceSpan place_of(const MatrixRow& row) {
    const auto begin = row.row->node->extent.begin;
    return row.entry->document->span({begin, begin + 1});
  }
  static SourceSpan place_of(const config::Entry& entry) {
    return entry.document->span(entry.member->key->extent);
  }

 private:
  const config::ChangelogEntry& entry_;
  const Change& change_;
  Diagnostics& diagnostics_;
};

using Points = std::map<std::string, std::set<std::int64_t>>;

Points points_of(const std::vector<MatrixRow>& rows) {
  Points points;
  for (const auto& row : rows) {
    points[recipe_of(row)].insert(row.conc.begin(), row.conc.end());
  }
  return points;
}

std::vector<MatrixRow> rows_at_base(const Group& group, const Change& change) {
  std::vector<const config::Entry*> entries;
  for (const auto* entry : group.entries) {
    if (const auto* older = change.base->master.find(entry->key)) entries.push_back(older);
  }
  expand::EntriesOptions options;
  options.evals.none = true;
  options.scenario_types.assign(group.scenarios.begin(), group.scenarios.end());
  Diagnostics ignored;  // the base passed its own checks when it was the head
  return expand_entries(entries, change.base->runners, options, ignored).rows;
}

bool all_kept(const std::vector<MatrixRow>& older, const Points& now, Judge& judge) {
  for (const auto& row : older) {
    const auto kept = now.find(recipe_of(row));
    if (kept == now.end()) {
      judge.report(
          fmt::format("a recipe of '{}' was removed or changed", printable(row.entry->key)),
          Judge::place_of(row), "it was here at the base");
      return false;
    }
    for (const auto conc : row.conc) {
      if (kept->second.contains(conc)) continue;
      judge.report(
          fmt::format("concurrency {} of '{}' was removed", conc, printable(row.entry->key)),
          Judge::place_of(row), "it was here at the base");
      return false;
    }
  }
  return true;
}

// Keeps what `seen` does not hold, each point once.
void cut_to_added(std::vector<MatrixRow>& rows, Points seen) {
  for (auto& row : rows) {
    auto& known = seen[recipe_of(row)];
    std::erase_if(row.conc, [&](auto conc) { return !known.insert(conc).second; });
  }
  std::erase_if(rows, [](const MatrixRow& row) { return row.conc.empty(); });
}

void check_curves(const std::vector<MatrixRow>& older, const std::vector<MatrixRow>& added,
                  Judge& judge) {
  std::map<std::string, std::set<std::string_view>> images;
  for (const auto& row : older) images[curve_of(row)].insert(row.entry->image);
  for (const auto& row : added) {
    const auto curve = images.find(curve_of(row));
    const std::string_view image = row.entry->image;
    if (curve != images.end() && curve->second == std::set<std::string_view>{image}) continue;
    judge.report(curve == images.end()
                     ? fmt::format("'{}' adds a point to a curve that has none at the base",
                                   printable(row.entry->key))
                     : fmt::format("'{}' adds a point with image '{}' to a curve of another image",
                                   printable(row.entry->key), printable(image)),
                 Judge::place_of(row), "the added point");
    return;
  }
}

std::set<std::string_view> scenario_names(const yaml::Node& entry) {
  std::set<std::string_view> names;
  for (const auto& member : entry.find("scenarios")->members) {
    if (!member.value->is_null()) names.insert(member.name());
  }
  return names;
}

// The fields outside `scenarios`, by name.
bool same_outside_scenarios(const yaml::Node& left, const yaml::Node& right) {
  const auto covered = [](const yaml::Node& from, const yaml::Node& to) {
    return std::all_of(from.members.begin(), from.members.end(), [&](const auto& member) {
      if (member.name() == "scenarios") return true;
      const auto* other = to.find(member.name());
      return other != nullptr && yaml::equal(*member.value, *other);
    });
  };
  return covered(left, right) && covered(right, left);
}

void check_selected(const config::Entry& older, const config::Entry& newer,
                    const Scenarios& scenarios, Judge& judge) {
  const yaml::Node& before = *older.member->value;
  const yaml::Node& after = *newer.member->value;
  const auto names = scenario_names(before);
  if (names != scenario_names(after)) {
    judge.report(fmt::format("the scenarios of '{}' changed", printable(newer.key)),
                 Judge::place_of(newer), "the entry");
    return;
  }
  bool some_left_out = false;
  for (const auto name : names) {
    const auto type = name == to_string(ScenarioType::fixed_seq_len) ? ScenarioType::fixed_seq_len
                                                                     : ScenarioType::agentic_coding;
    if (scenarios.contains(type)) continue;
    some_left_out = true;
    if (yaml::equal(*before.find("scenarios")->find(name), *after.find("scenarios")->find(name))) {
      continue;
    }
    judge.report(fmt::format("scenario '{}' of '{}' changed and is not selected", name,
                             printable(newer.key)),
                 Judge::place_of(newer), "the entry");
  }
  if (some_left_out && !same_outside_scenarios(before, after)) {
    judge.report(fmt::format("fields of '{}' changed that scenarios not selected use too",
                             printable(newer.key)),
                 Judge::place_of(newer), "the entry");
  }
}

}  // namespace

void keep_added_points(const config::ChangelogEntry& entry, const Group& group,
                       const Change& change, std::vector<MatrixRow>& rows,
                       Diagnostics& diagnostics) {
  Judge judge(entry, change, diagnostics);
  const auto older = rows_at_base(group, change);
  if (older.empty()) {
    judge.report("the keys have no row at the base", Judge::place_of(*group.entries.front()),
                 "the first key");
    return;
  }
  if (!all_kept(older, points_of(rows), judge)) return;
  cut_to_added(rows, points_of(older));
  if (rows.empty()) {
    judge.report("the change adds no point", Judge::place_of(*group.entries.front()),
                 "the first key");
    return;
  }
  check_curves(older, rows, judge);
}

void check_rest_unchanged(const config::ChangelogEntry& entry, const std::vector<Group>& groups,
                          const Change& change, Diagnostics& diagnostics) {
  Judge judge(entry, change, diagnostics);
  std::map<std::string_view, Scenarios> selected;
  for (const auto& group : groups) {
    for (const auto* key : group.entries) {
      selected[key->key].insert(group.scenarios.begin(), group.scenarios.end());
    }
  }
  const auto& before = change.base->master;
  const auto& after = change.head->master;
  for (const auto& newer : after.entries) {
    const config::Entry* older = before.find(newer.key);
    const auto chosen = selected.find(newer.key);
    if (older == nullptr) {
      judge.report(fmt::format("config key '{}' is new", printable(newer.key)),
                   Judge::place_of(newer), "the entry");
    } else if (chosen != selected.end()) {
      check_selected(*older, newer, chosen->second, judge);
    } else if (!yaml::equal(*older->member->value, *newer.member->value)) {
      judge.report(fmt::format("config key '{}' changed and is not selected", printable(newer.key)),
                   Judge::place_of(newer), "the entry");
    }
  }
  for (const auto& older : before.entries) {
    if (after.find(older.key) != nullptr) continue;
    judge.report(fmt::format("config key '{}' was removed", printable(older.key)),
                 Judge::place_of(older), "it was here at the base");
  }
}

}  // namespace sweep::plan
