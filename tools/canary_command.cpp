#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

#include "commands.h"
#include "findings.h"
#include "output.h"

namespace tool {

Status run(const CanaryCommand& command) {
  sweep::Diagnostics diagnostics;
  std::shared_ptr<const sweep::yaml::Document> plan;
  if (auto file = sweep::load_file(command.input, diagnostics)) {
    plan = sweep::yaml::read_json(std::move(file), diagnostics);
  }
  std::optional<sweep::canary::Split> split;
  if (plan != nullptr) split = sweep::canary::split(*plan, diagnostics);
  const Status status = show_findings(diagnostics, command.output.findings, STDERR_FILENO);
  if (status != Status::done) return status;
  write_result(command.output.file, split.value().json() + "\n");
  return Status::done;
}

}  // namespace tool
