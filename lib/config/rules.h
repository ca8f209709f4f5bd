/// The rules across the fields of one config entry.
#pragma once

#include "sweep/config.h"
#include "sweep/schema.h"

namespace sweep::config {

/// Checks one entry and notes in `refusals` what has a finding.
void check_rules(const yaml::Document& document, const yaml::Member& entry,
                 schema::Refusals& refusals, Diagnostics& diagnostics);

}  // namespace sweep::config
