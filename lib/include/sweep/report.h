/// @file
/// Findings and results as bytes.
#pragma once

#include <string>

#include "sweep/base.h"

namespace sweep::report {

/// Each finding as `file:line:column: severity: message [rule]`, one a line, help and related
/// places on lines of their own. After 1,000 findings a count ends the list.
std::string text(const Diagnostics& diagnostics);

}  // namespace sweep::report
