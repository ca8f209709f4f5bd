/// @file
/// The one table of all rule ids, with what each is about.
#pragma once

#include <span>
#include <string_view>

#include "sweep/base.h"

namespace sweep {

/// A rule as `generate_sweeps explain` prints it.
struct RuleInfo {
  std::string_view id;
  Severity severity = Severity::error;  ///< as `validate` says it
  std::string_view title;               ///< what is refused or warned of, a short phrase
  std::string_view explanation;         ///< one paragraph: the rule and why it is there
  std::string_view wrong;               ///< an example that has the finding
  std::string_view right;               ///< the same, put right
};

/// All rules, in the order of the documentation.
std::span<const RuleInfo> rules();

/// The rule of that id; nullptr when there is none.
const RuleInfo* find_rule(std::string_view id);

}  // namespace sweep
