// One function a command. Each returns the exit status and throws only for faults of the machine.
#pragma once

#include "command_line.h"

namespace tool {

Status run(const FullSweepCommand& command);
Status run(const TestConfigCommand& command);
Status run(const ValidateCommand& command);
Status run(const PlanCommand& command);
Status run(const PrioritizeCommand& command);
Status run(const CanaryCommand& command);
Status run(const SchemaCommand& command);
Status run(const ExplainCommand& command);

}  // namespace tool
