#include "plan/selection.h"

#include <algorithm>

#include <fmt/format.h>

namespace sweep::plan {

using config::ScenarioType;

std::vector<Group> Selection::take(const config::ChangelogEntry& entry,
                                   const std::vector<const config::Entry*>& keys) {
  const std::vector<ScenarioType> both{ScenarioType::fixed_seq_len, ScenarioType::agentic_coding};
  std::vector<Group> groups;
  for (const auto* key : keys) {
    Scenarios unseen;
    for (const auto type : entry.scenario_types.value_or(both)) {
      if (seen_.emplace(key, type).second) unseen.insert(type);
    }
    if (unseen.empty()) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
      return candidate.scenarios == unseen;
    });
    if (group == groups.end()) {
      groups.push_back({{key}, std::move(unseen)});
    } else {
      group->entries.push_back(key);
    }
  }
  return groups;
}

std::vector<const config::Entry*> named_entries(const config::ChangelogEntry& entry,
                                                const yaml::Document& changelog,
                                                const config::MasterConfig& config,
                                                Diagnostics& diagnostics) {
  std::vector<const config::Entry*> named;
  for (std::size_t i = 0; i < entry.config_keys.size(); ++i) {
    const std::string& pattern = entry.config_keys[i];
    bool any = false;
    for (const auto& candidate : config.entries) {
      if (!matches_stars(pattern, candidate.key)) continue;
      any = true;
      if (std::find(named.begin(), named.end(), &candidate) == named.end()) {
        named.push_back(&candidate);
      }
    }
    if (any) continue;
    std::vector<std::string_view> keys;
    for (const auto& candidate : config.entries) keys.emplace_back(candidate.key);
    diagnostics.add(
        {.rule = "key-unknown",
         .message = pattern.find('*') != std::string::npos
                        ? fmt::format("pattern '{}' matches no config key", printable(pattern))
                        : fmt::format("no config key '{}'", printable(pattern)),
         .span = changelog.span(entry.node->find("config-keys")->items[i]->extent),
         .help = did_you_mean(pattern, keys, 3),
         .path = {},
         .related = {}});
  }
  return named;
}

}  // namespace sweep::plan
