#include <unistd.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "findings.h"
#include "output.h"
#include "policy_files.h"
#include "selected_findings.h"

namespace tool {

Status run(const PlanCommand& command) {
  sweep::Diagnostics diagnostics;
  const auto policy = load_policy(command.policy, diagnostics);
  const auto waivers = load_waivers(command.policy, diagnostics);
  const auto change = sweep::plan::read_change(command.request, diagnostics);
  sweep::plan::SweepPlan plan;
  if (change && !diagnostics.has_errors()) {
    plan = make_plan(*change, command.options, diagnostics);
    plan.base_ref = command.request.base_ref;
    plan.head_ref = command.request.head_ref;
    const auto& config = change->head->master;
    sweep::policy::apply(policy, config, diagnostics);
    drop_foreign_warnings(diagnostics, config, plan.selected);
    if (waivers.document != nullptr) {
      apply_waivers(waivers, policy, config, today(), false, diagnostics);
    }
    sweep::config::add_places_in_words(config.documents, diagnostics);
  }
  const Status status = show_findings(diagnostics, command.output.findings, STDERR_FILENO);
  if (status != Status::done) return status;
  std::string json = to_json(plan);
  if (command.output.pretty) json = nlohmann::ordered_json::parse(json).dump(2);
  write_result(command.output.file, json + "\n");
  return Status::done;
}

}  // namespace tool
