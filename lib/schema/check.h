/// The walk of a value against a Shape.
#pragma once

#include "schema/shape.h"
#include "sweep/schema.h"

namespace sweep::schema {

/// Adds a finding for each fault of `node` against `shape`. `node` is the document's root.
void check(const Shape& shape, const yaml::Document& document, Diagnostics& diagnostics,
           Refusals& refusals);

/// Whether `node` satisfies `shape`.
bool matches(const Shape& shape, const yaml::Node& node);

}  // namespace sweep::schema
