#include "plan/git.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "plan/process.h"

namespace sweep::plan {
namespace {

constexpr std::size_t max_listing = 16UL << 20U;
constexpr std::size_t max_contents = 256UL << 20U;

// Takes the text up to `end` and passes it.
std::string_view take(std::string_view& text, char end) {
  const auto part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// git's own words, in one line, without "fatal: ".
std::string reason(std::string_view errors) {
  std::string words;
  while (!errors.empty()) {
    auto line = take(errors, '\n');
    for (const std::string_view prefix : {"fatal: ", "error: "}) {
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    }
    if (line.empty()) break;
    words += (words.empty() ? "" : " ") + std::string(line);
  }
  return printable(words, 300);
}

// `@@ -5,2 +7 @@`: where a hunk begins in the old and in the new file.
std::pair<std::size_t, std::size_t> hunk_begins(std::string_view line) {
  const auto old_part = line.substr(line.find('-') + 1);
  const auto new_part = line.substr(line.find('+') + 1);
  return {number(old_part), number(new_part)};
}

}  // namespace

void Repository::report(std::string message, std::string help) {
  diagnostics_.add({.rule = "git",
                    .message = std::move(message),
                    .span = {},
                    .help = std::move(help),
                    .path = {},
                    .related = {}});
}

std::optional<std::string> Repository::run(std::vector<std::string> arguments,
                                           std::string_view input, std::size_t max_output) {
  arguments.insert(arguments.begin(), {"git", "--no-pager", "--literal-pathspecs"});
  // Nothing of the user's may change what is read; nothing may ask or fetch.
  const std::vector<std::string> environment{"LC_ALL=C",
                                             "GIT_TERMINAL_PROMPT=0",
                                             "GIT_NO_LAZY_FETCH=1",
                                             "GIT_OPTIONAL_LOCKS=0",
                                             "GIT_NO_REPLACE_OBJECTS=1",
                                             "GIT_DIFF_OPTS",
                                             "GIT_EXTERNAL_DIFF",
                                             "GIT_TRACE"};
  const ProcessResult result = run_process(arguments, input, environment, max_output);
  if (!result.started) {
    report("cannot start git: it is not on PATH", "install git");
    return std::nullopt;
  }
  if (result.too_large) {
    report(fmt::format("git {} gave more than {} MiB", arguments[3], max_output >> 20U));
    return std::nullopt;
  }
  if (result.status != 0) {
    report(fmt::format("git {} failed: {}", arguments[3], reason(result.errors)));
    return std::nullopt;
  }
  return result.output;
}

std::optional<Commits> Repository::resolve(const std::string& base, const std::string& head) {
  for (const auto& ref : {base, head}) {
    const bool fits =
        !ref.empty() && ref.find_first_of(std::string_view("\0\n\r", 3)) == std::string::npos;
    if (fits) continue;
    report(fmt::format("'{}' is no name of a commit", printable(ref)));
    return std::nullopt;
  }
  // By standard input no name can be taken for an option.
  const auto answer = run({"cat-file", "--batch-check"},
                          fmt::format("{}^{{commit}}\n{}^{{commit}}\n", base, head), max_listing);
  if (!answer) return std::nullopt;
  std::string_view rest = *answer;
  std::vector<std::string> objects;
  for (const auto& ref : {base, head}) {
    auto line = take(rest, '\n');
    const std::string object(take(line, ' '));
    if (!line.starts_with("commit ")) {
      report(fmt::format("no commit '{}' in this repository", printable(ref)),
             "fetch it first; in a shallow clone the base may be missing (fetch-depth: 0)");
      return std::nullopt;
    }
    objects.push_back(object);
  }
  return Commits{objects[0], objects[1]};
}

std::optional<FileChange> Repository::changes(const Commits& commits, const std::string& file) {
  // Plumbing with every choice spelled out: configuration, attributes and environment have no say.
  const auto answer = run({"diff-tree",
                           "-r",
                           "-p",
                           "--no-commit-id",
                           "--text",
                           "--unified=0",
                           "--no-ext-diff",
                           "--no-textconv",
                           "--no-color",
                           "--no-renames",
                           "--diff-algorithm=myers",
                           "--indent-heuristic",
                           "--inter-hunk-context=0",
                           "--src-prefix=a/",
                           "--dst-prefix=b/",
                           "--submodule=short",
                           commits.base,
                           commits.head,
                           "--",
                           file},
                          {}, max_contents);
  if (!answer) return std::nullopt;
  FileChange change;
  std::string_view rest = *answer;
  std::size_t old_number = 0;
  std::size_t new_number = 0;
  bool in_hunk = false;
  while (!rest.empty()) {
    const auto line = take(rest, '\n');
    if (line.starts_with("@@ ")) {
      in_hunk = true;
      std::tie(old_number, new_number) = hunk_begins(line);
    } else if (line.starts_with("diff --git ")) {
      in_hunk = false;
    } else if (in_hunk && line.starts_with('+')) {
      change.added.push_back({new_number++, std::string(line.substr(1))});
    } else if (in_hunk && line.starts_with('-')) {
      change.deleted.push_back({old_number++, std::string(line.substr(1))});
    }
  }
  return change;
}

std::optional<std::vector<std::string>> Repository::find_files(const std::string& commit,
                                                               std::span<const std::string> files) {
  std::vector<std::string> arguments{"ls-tree", "-z", commit, "--"};
  std::vector<std::string> paths;  // as git writes them
  for (const auto& file : files) {
    paths.push_back(std::filesystem::path(file).lexically_normal().string());
    if (file.starts_with('/') || file.find('\0') != std::string::npos) {
      report(fmt::format("'{}' must be a path inside the repository", printable(file)));
      return std::nullopt;
    }
    arguments.push_back(paths.back());
  }
  const auto answer = run(std::move(arguments), {}, max_listing);
  if (!answer) return std::nullopt;
  std::vector<std::string> objects(files.size());
  bool good = true;
  for (std::string_view rest = *answer; !rest.empty();) {
    // `<mode> <type> <object>\t<path>`
    auto item = take(rest, '\0');
    const auto mode = take(item, ' ');
    take(item, ' ');
    const auto object = take(item, '\t');
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (paths[i] != item) continue;
      objects[i] = object;
      const std::string_view what = mode == "120000"   ? "a symbolic link"
                                    : mode == "160000" ? "a submodule"
                                    : mode == "040000" ? "a folder"
                                                       : "";
      if (what.empty()) continue;
      report(fmt::format("'{}' is {} at {}, not a file", printable(files[i]), what, commit));
      good = false;
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!objects[i].empty()) continue;
    report(fmt::format("there is no file '{}' at {}", printable(files[i]), commit));
    good = false;
  }
  if (!good) return std::nullopt;
  return objects;
}

std::optional<std::vector<std::shared_ptr<const SourceFile>>> Repository::read(
    std::span<const std::string> objects, std::span<const std::string> names) {
  std::string input;
  for (const auto& object : objects) input += object + "\n";
  const auto answer = run({"cat-file", "--batch"}, input, max_contents);
  if (!answer) return std::nullopt;
  std::vector<std::shared_ptr<const SourceFile>> files;
  std::string_view rest = *answer;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    // `<object> blob <size>\n<contents>\n`
    auto header = take(rest, '\n');
    take(header, ' ');
    const auto type = take(header, ' ');
    const std::size_t size = number(header);
    if (type != "blob" || size >= rest.size()) {
      report(fmt::format("git cannot give the contents of '{}'", printable(names[i])));
      return std::nullopt;
    }
    files.push_back(std::make_shared<SourceFile>(names[i], std::string(rest.substr(0, size))));
    rest.remove_prefix(size + 1);
  }
  return files;
}

}  // namespace sweep::plan
