#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sweep/priority.h"

namespace sweep::priority {

using yaml::Kind;
using yaml::Node;

bool Names::contains(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<Names> read_names(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  if (file->text().empty()) return std::nullopt;
  Names list;
  list.document = yaml::read_json(std::move(file), diagnostics);
  if (list.document == nullptr || list.document->root().is_null()) return std::nullopt;
  const auto refuse = [&](const Node& node, std::string_view what) {
    diagnostics.add({.rule = "wrong-type",
                     .message = fmt::format("'{}' must be a JSON list of strings, but {} {}",
                                            printable(list.document->file()->name()), what,
                                            yaml::describe(node.kind)),
                     .span = list.document->span(node.extent),
                     .help = R"(write a list such as ["ci-patchwork"])",
                     .path = {},
                     .related = {}});
  };
  const Node& root = list.document->root();
  if (!root.is(Kind::sequence)) {
    refuse(root, "it is");
    return std::nullopt;
  }
  bool good = true;
  for (const Node* item : root.items) {
    if (!item->is(Kind::string)) {
      refuse(*item, "an item is");
      good = false;
    }
    list.names.emplace_back(item->text);
  }
  return good ? std::optional(std::move(list)) : std::nullopt;
}

}  // namespace sweep::priority
