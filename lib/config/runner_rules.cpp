#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/config.h"

namespace sweep::config {
namespace {

const yaml::Member* member_of(const SearchRow& row, std::string_view name) {
  return row.node->find_member(name);
}

void check_row(const Entry& entry, const SearchRow& row, const Runners& runners,
               const Hardware& hardware, Diagnostics& diagnostics) {
  const auto report = [&](std::string_view rule, Extent place, std::string message,
                          std::string help) {
    std::vector<RelatedPlace> related;
    if (runners.document != nullptr) {
      const auto* facts = runners.document->root().find("hardware");
      const auto* label = facts == nullptr ? nullptr : facts->find_member(entry.runner);
      if (label != nullptr) {
        related.push_back({runners.document->span(label->key->extent), "the runner's hardware"});
      }
    }
    diagnostics.add({.rule = std::string(rule),
                     .message = std::move(message),
                     .span = entry.document->span(place),
                     .help = std::move(help),
                     .path = {},
                     .related = std::move(related),
                     .config_keys = {entry.key}});
  };
  const Layout& layout = entry.multinode ? row.prefill.layout : row.layout;
  const auto gpus = replica_gpus(layout);
  const std::string shown = gpus ? fmt::format("{}", *gpus) : "more than 2^63";
  const std::int64_t per_node = hardware.gpus_per_node;
  if (!entry.multinode) {
    if (gpus && *gpus <= per_node) return;
    report("gpus-exceed-node", extent_of(*member_of(row, "tp")),
           fmt::format("the row needs {} GPUs (tp × pp × pcp-size), but a node of '{}' has {}",
                       shown, printable(entry.runner), per_node),
           fmt::format("keep tp × pp × pcp-size at most {}", per_node));
    return;
  }
  const bool tiles = gpus && (*gpus % per_node == 0 || per_node % *gpus == 0);
  if (tiles) return;
  report("worker-tiling", extent_of(*member_of(row, "prefill")),
         fmt::format("a prefill replica of {} GPUs neither divides the {} GPUs of a node of '{}' "
                     "nor is a multiple of them",
                     shown, per_node, printable(entry.runner)),
         "choose tp × pp × pcp-size so that replicas fill nodes evenly");
}

}  // namespace

void check_hardware(const Entry& entry, const Runners& runners, Diagnostics& diagnostics) {
  if (entry.runner_refused) return;
  const Hardware* hardware = runners.find_hardware(entry.runner);
  for (const auto& scenario : entry.agentic_coding) {
    for (const auto& row : scenario.rows) {
      if (row.kv_offloading == KvOffloading::none) continue;
      if (hardware != nullptr) {
        check_row(entry, row, runners, *hardware, diagnostics);
        continue;
      }
      const auto* offloading = member_of(row, "kv-offloading");
      diagnostics.add(
          {.rule = "runner-hardware-missing",
           .message = fmt::format("runner '{}' has no hardware entry, which 'kv-offloading: dram' "
                                  "needs",
                                  printable(entry.runner)),
           .span = entry.field("runner"),
           .help = "add the label under 'hardware' in the runners file",
           .path = {},
           .related = {{entry.document->span(extent_of(*offloading)), "offloading is used here"}},
           .config_keys = {entry.key}});
      return;
    }
  }
}

void check_runner_label(const Entry& entry, const Runners& runners, Diagnostics& diagnostics) {
  if (entry.runner_refused || runners.find_label(entry.runner) != nullptr) return;
  diagnostics.add(
      {.severity = Severity::warning,
       .rule = "unknown-runner",
       .message = fmt::format("runner '{}' is not a label of the runners file; its jobs "
                              "would wait for ever",
                              printable(entry.runner)),
       .span = entry.field("runner"),
       .help = did_you_mean(entry.runner, runners.label_names(), 3),
       .path = {},
       .related = {},
       .config_keys = {entry.key}});
}

}  // namespace sweep::config
