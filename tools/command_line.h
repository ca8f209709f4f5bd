// What the user asked for, read from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sweep/sweep.h"

namespace tool {

// Exit statuses, as SPEC'd for scripts that call the tool.
enum class Status : std::uint8_t { done = 0, refused = 1, usage = 2, machine = 3 };

// Where results go and how findings look.
struct OutputOptions {
  std::string file;  // empty: standard output
  bool pretty = false;
  bool with_source = false;
  bool strict = false;
};

struct InputOptions {
  std::vector<std::string> config_files;
  std::string runner_config = "configs/runners.yaml";
};

struct FullSweepCommand {
  InputOptions input;
  OutputOptions output;
  sweep::expand::FullSweepOptions options;
};

struct TestConfigCommand {
  InputOptions input;
  OutputOptions output;
  sweep::expand::TestConfigOptions options;
};

using Command = std::variant<FullSweepCommand, TestConfigCommand>;

// The command, or what to print and exit with instead.
struct Answer {
  std::string text;
  Status status = Status::done;
};

std::variant<Command, Answer> read_command_line(int argc, const char* const* argv);

}  // namespace tool
