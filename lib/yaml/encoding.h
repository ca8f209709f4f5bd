/// Which bytes a YAML text may hold.
#pragma once

#include <memory>

#include "sweep/base.h"

namespace sweep::yaml {

/// False, with one finding (`yaml-encoding`), for UTF-16 and UTF-32, invalid UTF-8, control
/// characters and a lone carriage return.
bool check_encoding(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics);

}  // namespace sweep::yaml
