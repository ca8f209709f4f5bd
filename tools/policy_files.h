// The policy and the waivers that a command works with.
#pragma once

#include "command_line.h"

namespace tool {

// Today's date (UTC) as YYYY-MM-DD.
std::string today();

sweep::policy::Policy load_policy(const PolicyOptions& options, sweep::Diagnostics& diagnostics);

// The waivers of the file given, or of configs/waivers.yaml where it exists.
sweep::policy::Waivers load_waivers(const PolicyOptions& options, sweep::Diagnostics& diagnostics);

// Whether a waiver document is there.
bool document_exists(const std::string& path);

}  // namespace tool
