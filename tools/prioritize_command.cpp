#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

#include "commands.h"
#include "findings.h"
#include "output.h"

namespace tool {
namespace {

using sweep::Diagnostics;

// The list in a flag's value; places in it are shown as places in a file of the flag's name.
std::optional<sweep::priority::Names> names_of(const char* flag,
                                               const std::optional<std::string>& json,
                                               Diagnostics& diagnostics) {
  if (!json) return std::nullopt;
  return sweep::priority::read_names(std::make_shared<sweep::SourceFile>(flag, *json), diagnostics);
}

sweep::priority::Policy load_priority_policy(const std::string& name, Diagnostics& diagnostics) {
  auto file = sweep::load_file(name, diagnostics);
  if (file == nullptr) return {};
  auto document = name.ends_with(".json") ? sweep::yaml::read_json(std::move(file), diagnostics)
                                          : sweep::yaml::read(std::move(file), diagnostics);
  if (document == nullptr) return {};
  return sweep::priority::read_policy(std::move(document), diagnostics);
}

}  // namespace

Status run(const PrioritizeCommand& command) {
  Diagnostics diagnostics;
  const auto policy = load_priority_policy(command.policy, diagnostics);
  auto run = command.run;
  run.labels = names_of("--labels-json", command.labels_json, diagnostics);
  run.criteria = names_of("--criteria-json", command.criteria_json, diagnostics);
  std::shared_ptr<const sweep::yaml::Document> input;
  if (auto file = sweep::load_file(command.input, diagnostics)) {
    input = sweep::yaml::read_json(std::move(file), diagnostics);
  }
  std::string json;
  if (!diagnostics.has_errors()) json = prioritize(*input, policy, run, diagnostics);
  const Status status = show_findings(diagnostics, command.output.findings, STDERR_FILENO);
  if (status != Status::done) return status;
  write_result(command.output.file, json + "\n");
  return Status::done;
}

}  // namespace tool
