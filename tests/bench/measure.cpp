// Runs a command with its standard output thrown away, and prints how long it took in nanoseconds
// and the most memory it held in KiB.
// usage: measure COMMAND ARG…

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(nowhere, STDOUT_FILENO);
    execv(argv[1], argv + 1);
    std::perror(argv[1]);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    std::perror("measure");
    return 1;
  }
  const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "measure: %s failed\n", argv[1]);
    return 1;
  }
  std::printf("%lld %ld\n", static_cast<long long>(taken.count()), usage.ru_maxrss);
  return 0;
}
