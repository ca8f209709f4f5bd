/// The walk of a value against a Shape.
#pragma once

#include "schema/shape.h"

namespace sweep::schema {

/// Whether `node` satisfies `shape`.
bool matches(const Shape& shape, const yaml::Node& node);

}  // namespace sweep::schema
