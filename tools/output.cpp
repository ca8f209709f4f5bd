#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tool {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// A file that is removed unless it is renamed away.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : name_((target.parent_path() / ".generate_sweeps.XXXXXX").string()),
        descriptor_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail("cannot write into the folder of '" + target.string() + "'");
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close(descriptor_);
    if (!renamed_) unlink(name_.c_str());
  }

  int descriptor() const { return descriptor_; }
  void rename_to(const std::filesystem::path& target) {
    if (std::rename(name_.c_str(), target.c_str()) != 0)
      fail("cannot replace '" + target.string() + "'");
    renamed_ = true;
  }

 private:
  std::string name_;
  int descriptor_;
  bool renamed_ = false;
};

// The file that `path` leads to, which need not exist; the links on the way stay as they are.
std::filesystem::path follow_links(std::filesystem::path path) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;  // as the kernel
  for (int i = 0; fs::is_symlink(fs::symlink_status(path)); ++i) {
    if (i == most_links) {
      errno = ELOOP;
      fail("cannot follow '" + path.string() + "'");
    }
    path = path.parent_path() / fs::read_symlink(path);
  }
  return path;
}

void replace_file(const std::string& file, std::string_view bytes) {
  const std::filesystem::path target = follow_links(file);
  mode_t mode = 0;
  struct stat facts {};
  if (stat(target.c_str(), &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) {
      errno = EINVAL;
      fail("'" + file + "' is not a regular file");
    }
    mode = facts.st_mode & 07777U;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666U & ~mask;
  }
  TemporaryFile temporary(target);
  write_all(temporary.descriptor(), bytes);
  if (fchmod(temporary.descriptor(), mode) != 0) fail("cannot set the mode of '" + file + "'");
  temporary.rename_to(target);
}

}  // namespace

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void write_result(const std::string& file, std::string_view bytes) {
  if (file.empty()) {
    write_all(STDOUT_FILENO, bytes);
  } else {
    replace_file(file, bytes);
  }
}

}  // namespace tool
