#include <algorithm>
#include <array>

#include "base/json_writer.h"
#include "sweep/plan.h"

namespace sweep::plan {
namespace {

void write_row(JsonWriter& json, const PlannedRow& planned) {
  std::string row;
  append_json(row, planned.row, {.plan = true, .fingerprint = planned.fingerprint});
  json.number(row);  // JSON already
}

// Bucket → rows, in the order of their first rows.
void write_buckets(JsonWriter& json, const SweepPlan& plan, bool multinode) {
  std::vector<std::string> names;
  for (const auto& planned : plan.throughput) {
    if (planned.row.entry->multinode != multinode) continue;
    auto name = bucket(planned.row);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  json.open('{');
  for (const auto& name : names) {
    json.key(name);
    json.open('[');
    for (const auto& planned : plan.throughput) {
      if (planned.row.entry->multinode == multinode && bucket(planned.row) == name) {
        write_row(json, planned);
      }
    }
    json.close(']');
  }
  json.close('}');
}

void write_evals(JsonWriter& json, const SweepPlan& plan, bool multinode, bool agentic) {
  json.open('[');
  for (const auto& planned : plan.evals) {
    if (planned.row.entry->multinode == multinode && planned.row.agentic() == agentic) {
      write_row(json, planned);
    }
  }
  json.close(']');
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.open('[');
  for (const auto& text : texts) json.value(std::string_view(text));
  json.close(']');
}

void write_entry(JsonWriter& json, const config::ChangelogEntry& entry) {
  json.open('{');
  write_texts(json, "config-keys", entry.config_keys);
  write_texts(json, "description", entry.description);
  json.field("pr-link", std::string_view(entry.pr_link));
  json.field("evals-only", entry.evals_only);
  json.field("all-evals", entry.all_evals);
  json.field("append-only", entry.append_only);
  if (entry.eval_min_prefill_ep) json.field("eval-min-prefill-ep", *entry.eval_min_prefill_ep);
  if (entry.scenario_types) {
    json.key("scenario-type");
    json.open('[');
    for (const auto type : *entry.scenario_types) json.value(to_string(type));
    json.close(']');
  }
  json.close('}');
}

}  // namespace

std::string to_json(const SweepPlan& plan) {
  std::string out;
  JsonWriter json(out);
  json.open('{');
  json.key("single_node");
  write_buckets(json, plan, false);
  json.key("multi_node");
  write_buckets(json, plan, true);
  json.key("evals");
  write_evals(json, plan, false, false);
  json.key("agentic_evals");
  write_evals(json, plan, false, true);
  json.key("multinode_evals");
  write_evals(json, plan, true, false);
  json.key("multinode_agentic_evals");
  write_evals(json, plan, true, true);
  json.key("changelog_metadata");
  json.open('{');
  json.field("base_ref", std::string_view(plan.base_ref));
  json.field("head_ref", std::string_view(plan.head_ref));
  json.key("entries");
  json.open('[');
  for (const auto& entry : plan.changelog.entries) write_entry(json, entry);
  json.close(']');
  json.close('}');
  json.close('}');
  return out;
}

}  // namespace sweep::plan
