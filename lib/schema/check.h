/// The walk of a value against a Shape.
#pragma once

#include "schema/shape.h"
#include "sweep/schema.h"

namespace sweep::schema {

/// Adds a finding for each fault of `node`, a value of the document or one that stands for it.
Refusals check(const Shape& shape, const yaml::Node& node, const yaml::Document& document,
               Diagnostics& diagnostics);

/// Whether `node` satisfies `shape`.
bool matches(const Shape& shape, const yaml::Node& node);

}  // namespace sweep::schema
