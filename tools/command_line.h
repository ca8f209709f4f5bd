// What the user asked for, read from the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sweep/sweep.h"

namespace tool {

// Exit statuses, as SPEC'd for scripts that call the tool.
enum class Status : std::uint8_t { done = 0, refused = 1, usage = 2, machine = 3 };

enum class ColorMode : std::uint8_t { automatic, always, never };

// How findings look.
struct FindingOptions {
  std::optional<sweep::report::Format> format;  // else by the environment
  ColorMode color = ColorMode::automatic;
  bool strict = false;  // warnings count as errors
};

// Where results go and how they look.
struct OutputOptions {
  std::string file;  // empty: standard output
  bool pretty = false;
  bool with_source = false;
  FindingOptions findings;
};

// What refuses well-formed rows beside the library's own rules.
struct PolicyOptions {
  std::vector<std::string> policy_files;
  std::optional<std::string> waivers;  // else configs/waivers.yaml where it exists
};

struct InputOptions {
  std::vector<std::string> config_files;
  std::string runner_config = "configs/runners.yaml";
  PolicyOptions policy;
};

struct FullSweepCommand {
  InputOptions input;
  OutputOptions output;
  bool resolved = false;  // resolved rows instead of matrix rows
  sweep::expand::FullSweepOptions options;
};

struct TestConfigCommand {
  InputOptions input;
  OutputOptions output;
  bool resolved = false;
  sweep::expand::TestConfigOptions options;
};

struct ValidateCommand {
  std::vector<std::string> files;
  std::optional<sweep::validate::FileKind> kind;
  std::optional<std::string> runner_config;  // else configs/runners.yaml where it exists
  PolicyOptions policy;
  FindingOptions findings;
};

struct PlanCommand {
  sweep::plan::Request request;
  sweep::plan::PlanOptions options;
  PolicyOptions policy;
  OutputOptions output;
};

struct PrioritizeCommand {
  std::string policy;
  std::string input = "-";
  std::optional<std::string> labels_json;
  std::optional<std::string> criteria_json;
  sweep::priority::Run run;  // without labels and criteria, which are still to be read
  OutputOptions output;
};

struct CanaryCommand {
  std::string input = "-";
  OutputOptions output;
};

struct SchemaCommand {
  std::string name;  // empty: list them
};

struct ExplainCommand {
  std::string rule;  // empty: list them
};

using Command = std::variant<FullSweepCommand, TestConfigCommand, ValidateCommand, PlanCommand,
                             PrioritizeCommand, CanaryCommand, SchemaCommand, ExplainCommand>;

// The command, or what to print and exit with instead.
struct Answer {
  std::string text;
  Status status = Status::done;
};

std::variant<Command, Answer> read_command_line(int argc, const char* const* argv);

}  // namespace tool
