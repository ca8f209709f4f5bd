#include <string>
#include <utility>

#include <fmt/format.h>

#include "sweep/config.h"
#include "sweep/expand.h"
#include "sweep/priority.h"
#include "sweep/schema.h"
#include "sweep/validate.h"

namespace sweep::validate {
namespace {

using DocumentPtr = std::shared_ptr<const yaml::Document>;

DocumentPtr read(const std::shared_ptr<const SourceFile>& file, std::optional<FileKind> kind,
                 Diagnostics& diagnostics) {
  const bool json = kind == FileKind::matrix || file->name().ends_with(".json");
  return json ? yaml::read_json(file, diagnostics) : yaml::read(file, diagnostics);
}

// Matrix rows may stand in lists of lists (shards) and in buckets by name (a plan).
void check_rows(const yaml::Node& node, const yaml::Document& document, Diagnostics& diagnostics) {
  const bool row = node.is(yaml::Kind::mapping) &&
                   (node.find("image") != nullptr || node.find("exp-name") != nullptr ||
                    node.find("runner") != nullptr);
  if (row || (!node.is(yaml::Kind::mapping) && !node.is(yaml::Kind::sequence))) {
    schema::check_value("matrix-row", node, document, diagnostics);
    return;
  }
  for (const auto* item : node.items) check_rows(*item, document, diagnostics);
  for (const auto& member : node.members) {
    if (member.name() != "changelog_metadata") check_rows(*member.value, document, diagnostics);
  }
}

void check_masters(const std::vector<DocumentPtr>& documents, const config::Runners* runners,
                   const Options& options, Diagnostics& diagnostics) {
  const auto config = config::read_master_configs(documents, diagnostics);
  std::vector<const config::Entry*> entries;
  for (const auto& entry : config.entries) {
    entries.push_back(&entry);
    config::check_entry_warnings(entry, diagnostics);
    if (runners == nullptr) continue;
    config::check_hardware(entry, *runners, diagnostics);
    config::check_runner_label(entry, *runners, diagnostics);
  }
  expand::check_duplicates(entries, runners == nullptr ? config::Runners() : *runners,
                           Severity::note, diagnostics);
  if (options.policy != nullptr) {
    policy::apply(*options.policy, config, diagnostics);
    if (options.waivers != nullptr) {
      policy::apply_waivers(*options.waivers, *options.policy, config, options.today, true,
                            diagnostics);
    }
  }
  config::add_places_in_words(documents, diagnostics);
}

// Files by kind, and the runners that the rules of master configs use.
struct Sorted {
  std::vector<DocumentPtr> masters;
  std::optional<config::Runners> runners;
};

void check_one(DocumentPtr document, FileKind kind, const Options& options, Sorted& sorted,
               Diagnostics& diagnostics) {
  switch (kind) {
    case FileKind::master:
      sorted.masters.push_back(std::move(document));
      return;
    case FileKind::runners:
      sorted.runners = config::read_runners(std::move(document), diagnostics);
      return;
    case FileKind::changelog:
      config::read_changelog(std::move(document), diagnostics);
      return;
    case FileKind::matrix:
      check_rows(document->root(), *document, diagnostics);
      return;
    case FileKind::policy: {
      policy::Policy unused;
      policy::add_policy_file(unused, std::move(document), diagnostics);
      return;
    }
    case FileKind::waivers:
      policy::read_waivers(
          std::move(document),
          options.document_exists ? options.document_exists : [](const auto&) { return true; },
          diagnostics);
      return;
    case FileKind::priority:
      priority::read_policy(std::move(document), diagnostics);
      return;
    case FileKind::labels:
      schema::check(to_string(kind), *document, diagnostics);
      return;
  }
}

}  // namespace

void check_files(std::span<const std::shared_ptr<const SourceFile>> files, const Options& options,
                 Diagnostics& diagnostics) {
  Sorted sorted;
  std::string wanted_runners;
  if (options.runners != nullptr) wanted_runners = options.runners->name();
  bool runners_among_files = false;
  for (const auto& file : files) {
    auto document = read(file, options.kind, diagnostics);
    runners_among_files = runners_among_files || file->name() == wanted_runners;
    if (document == nullptr) continue;
    const FileKind kind = options.kind.value_or(recognise(*document));
    check_one(std::move(document), kind, options, sorted, diagnostics);
  }
  if (sorted.masters.empty()) return;
  if (options.runners != nullptr && !runners_among_files) {
    if (auto document = yaml::read(options.runners, diagnostics)) {
      sorted.runners = config::read_runners(std::move(document), diagnostics);
    }
  }
  if (!sorted.runners && options.runners == nullptr && !runners_among_files) {
    diagnostics.add({.severity = Severity::note,
                     .rule = "runners-skipped",
                     .message = "no runners file: the rules about runner labels and their hardware "
                                "were skipped",
                     .span = {},
                     .help = "give --runner-config",
                     .path = {},
                     .related = {}});
  }
  check_masters(sorted.masters, sorted.runners ? &*sorted.runners : nullptr, options, diagnostics);
}

}  // namespace sweep::validate
