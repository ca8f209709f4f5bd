#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <unistd.h>
#include <variant>

#include <fmt/format.h>

#include "commands.h"
#include "output.h"

namespace {

using tool::Status;

Status start(int argc, const char* const* argv) {
  // A closed pipe is an error to report, not a signal to die from.
  std::signal(SIGPIPE, SIG_IGN);
  const auto answer = tool::read_command_line(argc, argv);
  if (const auto* text = std::get_if<tool::Answer>(&answer)) {
    tool::write_all(text->status == Status::done ? STDOUT_FILENO : STDERR_FILENO, text->text);
    return text->status;
  }
  return std::visit([](const auto& command) { return tool::run(command); },
                    std::get<tool::Command>(answer));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(start(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("generate_sweeps: out of memory\n", stderr);
  } catch (const std::exception& fault) {
    std::fputs("generate_sweeps: ", stderr);
    std::fputs(fault.what(), stderr);
    std::fputs("\n", stderr);
  }
  return static_cast<int>(Status::machine);
}
