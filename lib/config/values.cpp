#include <algorithm>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/config.h"

namespace sweep::config {

std::string_view to_string(SpecDecoding value) {
  switch (value) {
    case SpecDecoding::none:
      return "none";
    case SpecDecoding::mtp:
      return "mtp";
    case SpecDecoding::draft_model:
      return "draft_model";
  }
  return "none";
}

std::string_view to_string(KvOffloading value) {
  switch (value) {
    case KvOffloading::none:
      return "none";
    case KvOffloading::dram:
      return "dram";
  }
  return "none";
}

std::string_view to_string(ScenarioType value) {
  switch (value) {
    case ScenarioType::fixed_seq_len:
      return "fixed-seq-len";
    case ScenarioType::agentic_coding:
      return "agentic-coding";
  }
  return "fixed-seq-len";
}

std::optional<std::int64_t> replica_gpus(const Layout& layout) {
  std::int64_t gpus = 0;
  if (__builtin_mul_overflow(layout.tp, layout.pp, &gpus) ||
      __builtin_mul_overflow(gpus, layout.pcp_size, &gpus)) {
    return std::nullopt;
  }
  return gpus;
}

std::optional<std::int64_t> row_gpus(const Entry& entry, const SearchRow& row) {
  if (!entry.multinode) return replica_gpus(row.layout);
  std::int64_t sum = 0;
  for (const Worker* worker : {&row.prefill, &row.decode}) {
    const auto replica = replica_gpus(worker->layout);
    std::int64_t gpus = 0;
    if (!replica || __builtin_mul_overflow(*replica, worker->num_worker, &gpus) ||
        __builtin_add_overflow(sum, gpus, &sum)) {
      return std::nullopt;
    }
  }
  return sum;
}

SourceSpan Entry::field(std::string_view name) const {
  const yaml::Member* found = member->value->find_member(name);
  return document->span(found == nullptr ? member->key->extent : extent_of(*found));
}

const Entry* MasterConfig::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const RunnerLabel* Runners::find_label(std::string_view label) const {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const RunnerLabel& item) { return item.name == label; });
  return found == labels.end() ? nullptr : &*found;
}

const Hardware* Runners::find_hardware(std::string_view label) const {
  const auto found = std::find_if(hardware.begin(), hardware.end(),
                                  [&](const auto& item) { return item.first == label; });
  return found == hardware.end() ? nullptr : &found->second;
}

std::vector<std::string_view> Runners::label_names() const {
  std::vector<std::string_view> names;
  for (const auto& label : labels) names.emplace_back(label.name);
  return names;
}

std::string_view hardware_family(std::string_view runner) {
  constexpr std::string_view cluster = "cluster:";
  if (runner.starts_with(cluster)) runner.remove_prefix(cluster.size());
  return runner.substr(0, runner.find('-'));
}

std::string length_name(std::int64_t isl, std::int64_t osl) {
  if (isl == 1024 && osl == 1024) return "1k1k";
  if (isl == 8192 && osl == 1024) return "8k1k";
  return fmt::format("{}_{}", isl, osl);
}

}  // namespace sweep::config
