/// Append-only entries: a change that may add concurrencies, and nothing else.
#pragma once

#include "plan/selection.h"

namespace sweep::plan {

/// Judges one changelog entry's group: `rows` are its rows at the head, of which the added points
/// are kept. Everything that was there at the base must still be.
void keep_added_points(const config::ChangelogEntry& entry, const Group& group,
                       const Change& change, std::vector<expand::MatrixRow>& rows,
                       Diagnostics& diagnostics);

/// Checks that nothing but the selected keys and scenarios changed between base and head.
void check_rest_unchanged(const config::ChangelogEntry& entry, const std::vector<Group>& groups,
                          const Change& change, Diagnostics& diagnostics);

}  // namespace sweep::plan
