#include "expand/expander.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "expand/evals.h"

namespace sweep::expand {
namespace {

using config::KvOffloading;
using config::ScenarioType;
using config::SearchRow;
using config::SpecDecoding;

std::string kv_name(const SearchRow& row) {
  if (row.kv_offloading == KvOffloading::none) return "kvnone";
  return fmt::format("kv{}-{}", to_string(row.kv_offloading), row.kv_offload_backend->name);
}

std::string worker_name(const config::Worker& worker) {
  std::string name = fmt::format("{}x{}", worker.num_worker, worker.layout.tp);
  if (worker.layout.ep != 1) name += fmt::format("ep{}", worker.layout.ep);
  if (worker.layout.dp_attn) name += "dpa";
  return name;
}

std::string agentic_name(const MatrixRow& row, std::int64_t conc) {
  const SearchRow& source = *row.row;
  const std::string& prefix = row.entry->model_prefix;
  if (row.entry->multinode) {
    std::string name = fmt::format("{}_p{}_d{}_conc{}", prefix, worker_name(source.prefill),
                                   worker_name(source.decode), conc);
    if (source.kv_offloading != KvOffloading::none) name += "_" + kv_name(source);
    return name;
  }
  std::string name = fmt::format("{}_tp{}_conc{}_{}", prefix, row.layout.tp, conc, kv_name(source));
  if (source.spec_decoding != SpecDecoding::none) {
    name += fmt::format("_spec-{}", to_string(source.spec_decoding));
  }
  return name;
}

}  // namespace

std::vector<std::string_view> matching_nodes(const config::Runners& runners, std::string_view label,
                                             std::string_view part) {
  std::vector<std::string_view> nodes;
  if (const auto* found = runners.find_label(label); found != nullptr) {
    for (const auto& node : found->nodes) {
      if (node.find(part) != std::string::npos) nodes.emplace_back(node);
    }
  }
  return nodes;
}

std::vector<std::int64_t> all_concurrencies(const config::Concurrency& concurrency,
                                            std::int64_t factor) {
  return concurrency.is_range ? ladder(concurrency.start, concurrency.end, factor)
                              : concurrency.list;
}

void check_selected(const config::Entry& entry, const config::Runners& runners, bool agentic,
                    Diagnostics& diagnostics) {
  if (agentic) config::check_hardware(entry, runners, diagnostics);
  config::check_runner_label(entry, runners, diagnostics);
  config::check_entry_warnings(entry, diagnostics);
}

std::int64_t dram_budget_gb(const config::Entry& entry, const config::AgenticCoding& agentic,
                            const config::SearchRow& row, const config::Runners& runners) {
  const config::Hardware* hardware = runners.find_hardware(entry.runner);
  if (row.kv_offloading == KvOffloading::none || hardware == nullptr) return 0;
  const auto gpus = config::replica_gpus(entry.multinode ? row.prefill.layout : row.layout);
  const auto on_a_node = std::min(gpus.value_or(hardware->gpus_per_node), hardware->gpus_per_node);
  return dram_budget_gb(*hardware, *agentic.dram_utilization, on_a_node);
}

bool Expander::wants(ScenarioType type) const {
  const auto& types = options_.scenario_types;
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

bool Expander::wants_length(const config::FixedSeqLen& fixed) const {
  const auto& names = options_.seq_lens;
  return names.empty() || std::find(names.begin(), names.end(),
                                    config::length_name(fixed.isl, fixed.osl)) != names.end();
}

void Expander::add(const config::Entry& entry, const EntryPlan& plan) {
  if (wants(ScenarioType::fixed_seq_len)) {
    for (const auto& fixed : entry.fixed_seq_len) {
      if (wants_length(fixed)) add_fixed(entry, fixed, plan);
    }
  }
  if (wants(ScenarioType::agentic_coding)) {
    for (const auto& agentic : entry.agentic_coding) add_agentic(entry, agentic, plan);
  }
}

void Expander::add_fixed(const config::Entry& entry, const config::FixedSeqLen& fixed,
                         const EntryPlan& plan) {
  MatrixRow made;
  made.entry = &entry;
  made.scenario = ScenarioType::fixed_seq_len;
  made.isl = fixed.isl;
  made.osl = fixed.osl;
  made.exp_name = entry.model_prefix + "_" + config::length_name(fixed.isl, fixed.osl);
  for (const auto& row : fixed.rows) {
    made.row = &row;
    made.layout = row.layout;
    if (!entry.multinode && !plan.fixed_layout(made.layout)) continue;
    const auto concurrencies = plan.conc(row, ScenarioType::fixed_seq_len);
    if (concurrencies.empty()) continue;
    if (entry.multinode) {
      made.conc = concurrencies;
      for (const auto runner : plan.runners) {
        made.runner = runner;
        push(made);
      }
      continue;
    }
    for (const auto conc : concurrencies) {
      made.conc.assign(1, conc);
      for (const auto runner : plan.runners) {
        made.runner = runner;
        push(made);
      }
    }
  }
}

void Expander::add_agentic(const config::Entry& entry, const config::AgenticCoding& agentic,
                           const EntryPlan& plan) {
  MatrixRow made;
  made.entry = &entry;
  made.scenario = ScenarioType::agentic_coding;
  for (const auto& row : agentic.rows) {
    made.row = &row;
    made.layout = row.layout;
    made.total_cpu_dram_gb = dram_budget_gb(entry, agentic, row, runners_);
    const auto concurrencies = plan.conc(row, ScenarioType::agentic_coding);
    const auto one = [&](std::string_view runner, std::int64_t conc) {
      made.runner = runner;
      made.conc.assign(1, conc);
      made.exp_name = agentic_name(made, conc);
      push(made);
    };
    if (entry.multinode) {
      for (const auto runner : plan.runners) {
        for (const auto conc : concurrencies) one(runner, conc);
      }
    } else {
      for (const auto conc : concurrencies) {
        for (const auto runner : plan.runners) one(runner, conc);
      }
    }
  }
}

void Expander::push(MatrixRow row) {
  if (rows_.size() < options_.max_rows) {
    rows_.push_back(std::move(row));
    return;
  }
  if (over_limit_) return;
  over_limit_ = true;
  diagnostics_.add({.rule = "limit-rows",
                    .message = fmt::format("more than {} rows in one run", options_.max_rows),
                    .span = row.entry->document->span(row.row->node->extent),
                    .help = "narrow the selection, or raise --max-rows",
                    .path = {},
                    .related = {}});
}

std::vector<MatrixRow> Expander::finish() {
  choose_evals(rows_, options_.evals);
  return std::move(rows_);
}

}  // namespace sweep::expand
