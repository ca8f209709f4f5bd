#include <unistd.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "commands.h"
#include "findings.h"

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
  sweep::validate::check_files(files, options, diagnostics);
  return show_findings(diagnostics, command.findings, STDOUT_FILENO);
}

}  // namespace tool
