#include <memory>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "findings.h"
#include "output.h"
#include "policy_files.h"
#include "selected_findings.h"

namespace tool {
namespace {

using sweep::Diagnostics;

struct Inputs {
  sweep::config::MasterConfig config;
  sweep::config::Runners runners;
  sweep::policy::Policy policy;
  sweep::policy::Waivers waivers;
};

Inputs load(const InputOptions& options, Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<const sweep::SourceFile>> files;
  for (const auto& name : options.config_files) {
    if (auto file = sweep::load_file(name, diagnostics)) files.push_back(std::move(file));
  }
  Inputs inputs;
  inputs.config = sweep::config::read_master_configs(files, diagnostics);
  if (auto file = sweep::load_file(options.runner_config, diagnostics)) {
    inputs.runners = sweep::config::read_runners(std::move(file), diagnostics);
  }
  inputs.policy = load_policy(options.policy, diagnostics);
  inputs.waivers = load_waivers(options.policy, diagnostics);
  return inputs;
}

template <typename Options>
using Expand = sweep::expand::Expansion (*)(const sweep::config::MasterConfig&,
                                            const sweep::config::Runners&, const Options&,
                                            Diagnostics&);

template <typename Options>
Status run_rows(const InputOptions& input, const OutputOptions& output, const Options& options,
                Expand<Options> expand, bool resolved) {
  Diagnostics diagnostics;
  const Inputs inputs = load(input, diagnostics);
  // A refused file would only make keys and labels look unknown.
  const bool readable = !diagnostics.has_errors();
  sweep::expand::Expansion expansion;
  if (readable) expansion = expand(inputs.config, inputs.runners, options, diagnostics);
  if (!resolved) sweep::policy::apply(inputs.policy, inputs.config, diagnostics);
  drop_foreign_warnings(diagnostics, inputs.config, expansion.selected);
  if (!resolved && inputs.waivers.document != nullptr) {
    apply_waivers(inputs.waivers, inputs.policy, inputs.config, today(), false, diagnostics);
  }
  sweep::config::add_places_in_words(inputs.config.documents, diagnostics);
  const Status status = show_findings(diagnostics, output.findings, STDERR_FILENO);
  if (status != Status::done) return status;
  sweep::expand::RowParts parts;
  parts.source = output.with_source;
  std::string json = resolved ? sweep::policy::resolved_json(expansion.selected)
                              : sweep::expand::to_json(expansion.rows, parts);
  if (output.pretty) json = nlohmann::ordered_json::parse(json).dump(2);
  json += '\n';
  write_result(output.file, json);
  return Status::done;
}

}  // namespace

Status run(const FullSweepCommand& command) {
  return run_rows(command.input, command.output, command.options, &sweep::expand::full_sweep,
                  command.resolved);
}

Status run(const TestConfigCommand& command) {
  return run_rows(command.input, command.output, command.options, &sweep::expand::test_config,
                  command.resolved);
}

}  // namespace tool
