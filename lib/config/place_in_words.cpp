#include <algorithm>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/config.h"

namespace sweep::config {
namespace {

bool holds(const yaml::Node& node, std::size_t offset) {
  return node.extent.begin <= offset && offset < std::max(node.extent.end, node.extent.begin + 1);
}

bool holds(const yaml::Member& member, std::size_t offset) {
  const Extent extent = extent_of(member);
  return extent.begin <= offset && offset < extent.end;
}

std::string item_in_words(const yaml::Member& list, std::size_t offset) {
  std::string words = fmt::format(", {}", printable(list.name()));
  const auto items = list.value->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!holds(*items[i], offset)) continue;
    const yaml::Node* isl = items[i]->find("isl");
    const yaml::Node* osl = items[i]->find("osl");
    if (isl != nullptr && osl != nullptr && isl->is(yaml::Kind::integer) &&
        osl->is(yaml::Kind::integer)) {
      words += " " + length_name(isl->integer, osl->integer);
    } else if (items.size() > 1) {
      words += fmt::format(" {}", i + 1);
    }
    const yaml::Node* rows = items[i]->find("search-space");
    if (rows == nullptr) return words;
    for (std::size_t row = 0; row < rows->items.size(); ++row) {
      if (!holds(*rows->items[row], offset)) continue;
      words += fmt::format(", row {}", row + 1);
      for (const std::string_view worker : {"prefill", "decode"}) {
        const auto* member = rows->items[row]->find_member(worker);
        if (member != nullptr && holds(*member, offset)) words += fmt::format(", {}", worker);
      }
    }
  }
  return words;
}

}  // namespace

std::string place_in_words(const yaml::Document& document, std::size_t offset) {
  for (const auto& entry : document.root().members) {
    if (!holds(entry, offset)) continue;
    std::string words = printable(entry.name());
    const yaml::Node* scenarios = entry.value->find("scenarios");
    if (scenarios == nullptr) return words;
    for (const auto& list : scenarios->members) {
      if (holds(list, offset)) words += item_in_words(list, offset);
    }
    return words;
  }
  return {};
}

void add_places_in_words(std::span<const std::shared_ptr<const yaml::Document>> documents,
                         Diagnostics& diagnostics) {
  for (auto& finding : diagnostics.all()) {
    const auto document =
        std::find_if(documents.begin(), documents.end(),
                     [&](const auto& candidate) { return candidate->file() == finding.span.file; });
    if (document == documents.end()) continue;
    finding.path = place_in_words(**document, finding.span.extent.begin);
    const auto& keys = finding.config_keys;
    const auto written_in = finding.path.substr(0, finding.path.find(','));
    if (keys.empty() || (keys.size() == 1 && keys.front() == written_in)) continue;
    // A row from an anchor: who uses it matters more than where it stands.
    std::string users;
    for (const auto& key : keys) users += (users.empty() ? "" : ", ") + printable(key);
    finding.path = fmt::format("{} (written in {})", users, finding.path);
  }
}

}  // namespace sweep::config
