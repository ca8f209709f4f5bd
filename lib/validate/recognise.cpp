#include <algorithm>
#include <array>
#include <utility>

#include "sweep/validate.h"

namespace sweep::validate {
namespace {

using yaml::Kind;
using yaml::Node;

constexpr std::array<std::pair<FileKind, std::string_view>, 8> names{{
    {FileKind::master, "master"},
    {FileKind::runners, "runners"},
    {FileKind::changelog, "changelog"},
    {FileKind::priority, "priority"},
    {FileKind::labels, "labels"},
    {FileKind::waivers, "waivers"},
    {FileKind::policy, "policy"},
    {FileKind::matrix, "matrix"},
}};

bool has(const Node& node, std::string_view field) { return node.find(field) != nullptr; }

std::optional<FileKind> by_content(const Node& root) {
  if (root.is(Kind::sequence)) {
    for (const Node* item : root.items) {
      if (has(*item, "rule") || has(*item, "reason")) return FileKind::waivers;
      if (has(*item, "config-keys") || has(*item, "pr-link")) return FileKind::changelog;
      if (has(*item, "image") || has(*item, "exp-name")) return FileKind::matrix;
    }
    return std::nullopt;
  }
  if (has(root, "base-score") || has(root, "adjustments")) return FileKind::priority;
  if (has(root, "primary") && has(root, "modifiers")) return FileKind::labels;
  if (has(root, "allOf") || has(root, "$schema")) return FileKind::policy;
  if (has(root, "single_node") || has(root, "exp-name")) return FileKind::matrix;
  // Both tops of a runners file could be config keys by name alone.
  for (const std::string_view top : {"labels", "hardware"}) {
    const Node* value = root.find(top);
    if (value != nullptr && !has(*value, "image") && !has(*value, "scenarios")) {
      return FileKind::runners;
    }
  }
  return std::nullopt;
}

std::optional<FileKind> by_name(std::string_view file_name) {
  const auto base = file_name.substr(file_name.rfind('/') + 1);
  for (const auto& [kind, name] : names) {
    if (base.find(name) != std::string_view::npos) return kind;
  }
  return std::nullopt;
}

}  // namespace

std::span<const FileKind> file_kinds() {
  static constexpr auto kinds = [] {
    std::array<FileKind, names.size()> list{};
    for (std::size_t i = 0; i < names.size(); ++i) list.at(i) = names.at(i).first;
    return list;
  }();
  return kinds;
}

std::string_view to_string(FileKind kind) {
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& item) { return item.first == kind; });
  return found->second;
}

std::optional<FileKind> parse_file_kind(std::string_view name) {
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& item) { return item.second == name; });
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

FileKind recognise(const yaml::Document& document) {
  if (const auto kind = by_content(document.root())) return *kind;
  return by_name(document.file()->name()).value_or(FileKind::master);
}

}  // namespace sweep::validate
