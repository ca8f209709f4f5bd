#include <filesystem>
#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

#include "commands.h"
#include "findings.h"
#include "policy_files.h"

namespace tool {

Status run(const ValidateCommand& command) {
  sweep::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const sweep::SourceFile>> files;
  for (const auto& name : command.files) {
    if (auto file = sweep::load_file(name, diagnostics)) files.push_back(std::move(file));
  }
  sweep::validate::Options options;
  options.kind = command.kind;
  const std::string usual_runners = "configs/runners.yaml";
  if (command.runner_config) {
    options.runners = sweep::load_file(*command.runner_config, diagnostics);
  } else if (std::error_code ignored; std::filesystem::exists(usual_runners, ignored)) {
    options.runners = sweep::load_file(usual_runners, diagnostics);
  }
  const sweep::policy::Policy policy = load_policy(command.policy, diagnostics);
  const sweep::policy::Waivers waivers = load_waivers(command.policy, diagnostics);
  options.policy = &policy;
  options.waivers = waivers.document == nullptr ? nullptr : &waivers;
  options.today = today();
  options.document_exists = document_exists;
  sweep::validate::check_files(files, options, diagnostics);
  return show_findings(diagnostics, command.findings, STDOUT_FILENO);
}

}  // namespace tool
