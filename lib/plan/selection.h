/// Which config keys and scenarios each changelog entry runs.
#pragma once

#include <set>
#include <vector>

#include "sweep/plan.h"

namespace sweep::plan {

using Scenarios = std::set<config::ScenarioType>;

/// Keys that are generated together.
struct Group {
  std::vector<const config::Entry*> entries;
  Scenarios scenarios;
};

/// Hands every pair of key and scenario out once.
class Selection {
 public:
  /// The groups of the entry's keys by the scenarios that no earlier call has handed out, in the
  /// order they first appear.
  std::vector<Group> take(const config::ChangelogEntry& entry,
                          const std::vector<const config::Entry*>& keys);

 private:
  std::set<std::pair<const config::Entry*, config::ScenarioType>> seen_;
};

/// The config entries that a changelog entry names: in its order, a pattern's in file order, each
/// once. A key or pattern that matches nothing is a finding (`key-unknown`).
std::vector<const config::Entry*> named_entries(const config::ChangelogEntry& entry,
                                                const yaml::Document& changelog,
                                                const config::MasterConfig& config,
                                                Diagnostics& diagnostics);

}  // namespace sweep::plan
