#include "plan/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweep::plan {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset();
    value_ = std::exchange(other.value_, -1);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return value_; }
  bool open() const { return value_ >= 0; }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<std::string> merged_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> merged;
  for (char** item = environ; *item != nullptr; ++item) {
    const std::string_view text = *item;
    const auto name = text.substr(0, text.find('='));
    const bool changed =
        std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
          return std::string_view(change).substr(0, change.find('=')) == name;
        });
    if (!changed) merged.emplace_back(text);
  }
  for (const auto& change : changes) {
    if (change.find('=') != std::string::npos) merged.push_back(change);
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (auto& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

void set_nonblocking(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0)
    fail("cannot set up a pipe");
}

// Moves what is there; closes the descriptor at its end. False when the text is past the limit.
bool drain(Descriptor& from, std::string& into, std::size_t limit) {
  std::array<char, 65536> block{};
  const ssize_t count = read(from.get(), block.data(), block.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) {
    from.reset();
    return true;
  }
  into.append(block.data(), static_cast<std::size_t>(count));
  return into.size() <= limit;
}

void feed(Descriptor& to, std::string_view& input) {
  const ssize_t count = write(to.get(), input.data(), input.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  // A process that no longer reads is its own business; its status tells.
  if (count < 0) input = {};
  if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
  if (input.empty()) to.reset();
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          const std::vector<std::string>& environment, std::size_t max_output) {
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);  // which this process ignores
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = arguments;
  std::vector<std::string> variables = merged_environment(environment);
  pid_t child = -1;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, &attributes,
                                 pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ProcessResult result;
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return result;
  if (error != 0) {
    errno = error;
    fail("cannot start a process");
  }
  result.started = true;
  in.read_end.reset();
  out.write_end.reset();
  err.write_end.reset();
  if (input.empty()) in.write_end.reset();
  if (in.write_end.open()) set_nonblocking(in.write_end.get());
  constexpr std::size_t max_errors = 65536;
  while (out.read_end.open() || err.read_end.open()) {
    std::array<pollfd, 3> waiting{{{out.read_end.get(), POLLIN, 0},
                                   {err.read_end.get(), POLLIN, 0},
                                   {in.write_end.get(), POLLOUT, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) fail("cannot wait");
    if (out.read_end.open() && waiting[0].revents != 0 &&
        !drain(out.read_end, result.output, max_output)) {
      result.too_large = true;
      kill(child, SIGKILL);
      break;
    }
    if (err.read_end.open() && waiting[1].revents != 0) {
      drain(err.read_end, result.errors, max_errors);
      result.errors.resize(std::min(result.errors.size(), max_errors));
    }
    if (in.write_end.open() && waiting[2].revents != 0) feed(in.write_end, input);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a process");
  }
  constexpr int signal_base = 128;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status);
  return result;
}

}  // namespace sweep::plan
