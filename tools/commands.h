// One function a command. Each returns the exit status and throws only for faults of the machine.
#pragma once

#include "command_line.h"

namespace tool {

Status run(const FullSweepCommand& command);
Status run(const TestConfigCommand& command);

}  // namespace tool
