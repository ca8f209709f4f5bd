// Findings on a stream of the process.
#pragma once

#include "command_line.h"

namespace tool {

// Sorts the findings, writes them to `descriptor` in the wanted form, and says whether they allow a
// result. The form and colours follow the options, else the environment and the terminal.
Status show_findings(sweep::Diagnostics& diagnostics, const FindingOptions& options,
                     int descriptor);

}  // namespace tool
