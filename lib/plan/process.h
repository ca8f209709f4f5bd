/// Child processes: an argument vector in, bytes out. No shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sweep::plan {

struct ProcessResult {
  bool started = false;  ///< false: there is no such program
  int status = -1;       ///< exit status; 128 + signal where one ended it
  std::string output;
  std::string errors;
  bool too_large = false;  ///< output went past the limit and the process was ended
};

/// Runs `arguments[0]`, found on PATH, with `input` on its standard input, and waits for it.
/// `environment` holds NAME=value texts laid over the process's own; NAME alone takes one away.
/// Throws std::system_error for faults of the machine.
ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          const std::vector<std::string>& environment, std::size_t max_output);

}  // namespace sweep::plan
