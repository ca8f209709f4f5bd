#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "plan/git.h"
#include "sweep/plan.h"

namespace sweep::plan {
namespace {

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// The added lines as a file of their own, whose lines keep the numbers they have at the head.
std::shared_ptr<const SourceFile> added_text(const FileChange& change, const std::string& name) {
  std::string text;
  std::vector<std::size_t> numbers;
  for (const auto& line : change.added) {
    text += line.text + "\n";
    numbers.push_back(line.number);
  }
  return std::make_shared<SourceFile>(name, std::move(text), std::move(numbers));
}

// Every deleted line that is not blank, each at its place in the old file.
void refuse_deletions(const FileChange& change, const std::string& name, Diagnostics& diagnostics) {
  std::string text;
  std::vector<std::size_t> numbers;
  std::vector<Extent> extents;
  for (const auto& line : change.deleted) {
    if (blank(line.text)) continue;
    const auto begin = static_cast<std::uint32_t>(text.size());
    extents.push_back({begin, begin + static_cast<std::uint32_t>(line.text.size())});
    text += line.text + "\n";
    numbers.push_back(line.number);
  }
  const auto file = std::make_shared<SourceFile>(name, std::move(text), std::move(numbers));
  for (const auto extent : extents) {
    diagnostics.add(
        {.rule = "changelog-deleted-line",
         .message =
             fmt::format("a line of the changelog's history was deleted or changed: '{}'",
                         printable(file->text().substr(extent.begin, extent.end - extent.begin))),
         .span = {file, extent},
         .help = "restore it; only additions are allowed (the number is the old file's)",
         .path = {},
         .related = {}});
  }
}

std::optional<config::Changelog> read_additions(const FileChange& change, const std::string& name,
                                                Diagnostics& diagnostics) {
  refuse_deletions(change, name, diagnostics);
  const auto document = yaml::read(added_text(change, name), diagnostics);
  if (document == nullptr) return std::nullopt;
  if (document->root().is_null()) {
    diagnostics.add({.rule = "changelog-no-entry",
                     .message = fmt::format("the change adds no entry to '{}'", printable(name)),
                     .span = {},
                     .help = "add an entry that names the config keys to run",
                     .path = {},
                     .related = {}});
    return std::nullopt;
  }
  return config::read_changelog(document, diagnostics);
}

std::shared_ptr<const Configs> read_configs(
    std::span<const std::shared_ptr<const SourceFile>> files, Diagnostics& diagnostics) {
  auto configs = std::make_shared<Configs>();
  configs->master = config::read_master_configs(files.first(files.size() - 1), diagnostics);
  configs->runners = config::read_runners(files.back(), diagnostics);
  return configs;
}

}  // namespace

std::optional<Change> read_change(const Request& request, Diagnostics& diagnostics) {
  Repository repository(diagnostics);
  const auto commits = repository.resolve(request.base_ref, request.head_ref);
  if (!commits) return std::nullopt;
  const auto lines = repository.changes(*commits, request.changelog_file);
  if (!lines) return std::nullopt;
  auto changelog = read_additions(*lines, request.changelog_file, diagnostics);
  if (!changelog) return std::nullopt;
  const bool needs_base = std::any_of(changelog->entries.begin(), changelog->entries.end(),
                                      [](const auto& entry) { return entry.append_only; });

  std::vector<std::string> names = request.config_files;
  names.push_back(request.runner_config);
  auto objects = repository.find_files(commits->head, names);
  if (!objects) return std::nullopt;
  if (needs_base) {
    const auto older = repository.find_files(commits->base, names);
    if (!older) return std::nullopt;
    objects->insert(objects->end(), older->begin(), older->end());
    const std::size_t count = names.size();
    for (std::size_t i = 0; i < count; ++i) names.push_back(names[i] + " (at the base)");
  }
  const auto files = repository.read(*objects, names);
  if (!files) return std::nullopt;
  const std::span<const std::shared_ptr<const SourceFile>> all(*files);
  const std::size_t count = request.config_files.size() + 1;
  Change change;
  change.changelog = std::move(*changelog);
  change.head = read_configs(all.first(count), diagnostics);
  if (needs_base) {
    // Warnings about the base are nobody's business any more.
    Diagnostics of_base;
    change.base = read_configs(all.subspan(count), of_base);
    for (const auto& finding : of_base.all()) {
      if (finding.severity == Severity::error) diagnostics.add(finding);
    }
  }
  return change;
}

}  // namespace sweep::plan
