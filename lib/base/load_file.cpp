#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sweep/base.h"

namespace sweep {
namespace {

// What the last system call says went wrong.
std::string last_problem() { return std::generic_category().message(errno); }

constexpr std::size_t max_bytes = 16UL * 1024 * 1024;

// Why the open file cannot be read as a text; empty when it may.
std::string unfit(int descriptor, bool standard_input) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) return last_problem();
  if (S_ISDIR(facts.st_mode)) return "is a directory";
  // A device or a pipe by name may never end; standard input is the caller's own choice.
  if (!standard_input && !S_ISREG(facts.st_mode)) return "is not a regular file";
  return {};
}

// Appends everything up to one byte past the limit. Returns why it failed, or nothing.
std::string read_all(int descriptor, std::string& text) {
  constexpr std::size_t block = 256UL * 1024;
  while (text.size() <= max_bytes) {
    const std::size_t old_size = text.size();
    text.resize(old_size + block);
    const ssize_t count = read(descriptor, text.data() + old_size, block);
    if (count < 0 && errno == EINTR) {
      text.resize(old_size);
      continue;
    }
    if (count < 0) return last_problem();
    text.resize(old_size + static_cast<std::size_t>(count));
    if (count == 0) return {};
  }
  return fmt::format("is larger than {} MiB", max_bytes >> 20U);
}

}  // namespace

std::shared_ptr<const SourceFile> load_file(const std::string& name, Diagnostics& diagnostics) {
  const bool standard_input = name == "-";
  const auto refuse = [&](const std::string& why) {
    diagnostics.add({.rule = "file",
                     .message = fmt::format("cannot read '{}': {}", printable(name), why),
                     .span = {},
                     .help = {},
                     .path = {},
                     .related = {}});
    return nullptr;
  };
  if (name.find('\0') != std::string::npos) return refuse("the name holds a NUL");
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int descriptor = standard_input
                             ? STDIN_FILENO
                             : open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return refuse(last_problem());
  std::string text;
  std::string problem = unfit(descriptor, standard_input);
  if (problem.empty()) problem = read_all(descriptor, text);
  if (!standard_input) close(descriptor);
  if (!problem.empty()) return refuse(problem);
  return std::make_shared<SourceFile>(standard_input ? "<standard input>" : name, std::move(text));
}

}  // namespace sweep
