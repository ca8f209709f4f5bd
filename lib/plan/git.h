/// What a plan reads from a git repository.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweep/base.h"

namespace sweep::plan {

/// Two commits, by their object names.
struct Commits {
  std::string base;
  std::string head;
};

/// One line that a change adds to a file, or takes from it.
struct ChangedLine {
  std::size_t number = 0;  ///< from 1, in the new file or in the old one
  std::string text;        ///< without its line end
};

/// A file's change between two commits.
struct FileChange {
  std::vector<ChangedLine> added;
  std::vector<ChangedLine> deleted;
};

/// The repository that the working directory is in. Every function returns nothing and adds a
/// finding (`git`) when git does not answer.
class Repository {
 public:
  explicit Repository(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<Commits> resolve(const std::string& base, const std::string& head);

  /// The lines that `git diff BASE HEAD -- file` adds and deletes, by git's default algorithm.
  std::optional<FileChange> changes(const Commits& commits, const std::string& file);

  /// The object names of regular files at a commit, in the order asked for. A file that is not
  /// there, a symbolic link, a submodule or a folder is a finding.
  std::optional<std::vector<std::string>> find_files(const std::string& commit,
                                                     std::span<const std::string> files);

  /// The contents of objects, named for messages by `names`.
  std::optional<std::vector<std::shared_ptr<const SourceFile>>> read(
      std::span<const std::string> objects, std::span<const std::string> names);

 private:
  std::optional<std::string> run(std::vector<std::string> arguments, std::string_view input,
                                 std::size_t max_output);
  void report(std::string message, std::string help = {});

  Diagnostics& diagnostics_;
};

}  // namespace sweep::plan
