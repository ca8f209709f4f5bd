/// Embedded schemas, compiled once each.
#pragma once

#include <string_view>

#include "schema/shape.h"

namespace sweep::schema {

/// The compiled embedded schema `name`, without its `x-rule` parts. Throws std::logic_error when
/// there is none of that name.
const Shape& embedded_shape(std::string_view name);

}  // namespace sweep::schema
