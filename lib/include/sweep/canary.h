/// @file
/// The canary of a plan: the one small job that runs before all others.
#pragma once

#include <optional>
#include <string>

#include "sweep/base.h"
#include "sweep/yaml.h"

namespace sweep::canary {

/// A plan split in two. The texts are compact JSON.
struct Split {
  const yaml::Node* row = nullptr;  ///< the canary, in the plan; null when no row can be it
  std::string canary;               ///< a list of that row, or an empty list
  std::string remaining;  ///< the plan without it; `single_node` with `1k1k` and `8k1k` is there

  /// Both as one object: `{"canary": […], "remaining": {…}}`.
  std::string json() const;
};

/// Chooses the single-node fixed row with the lowest concurrency among those of `1k1k`, then
/// `8k1k`, that run no eval; the first on a tie. Nothing, and findings (`wrong-type`,
/// `missing-field`), when the document is no plan.
std::optional<Split> split(const yaml::Document& plan, Diagnostics& diagnostics);

}  // namespace sweep::canary
