// Which warnings concern a command.
#pragma once

#include <vector>

#include "sweep/sweep.h"

namespace tool {

// Takes away warnings and notes that lie in entries of the config that nobody asked for.
void drop_foreign_warnings(sweep::Diagnostics& diagnostics,
                           const sweep::config::MasterConfig& config,
                           const std::vector<const sweep::config::Entry*>& selected);

}  // namespace tool
