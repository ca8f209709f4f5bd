/// What is done to a schema before valijson reads it.
#pragma once

#include "sweep/yaml.h"

namespace sweep::schema {

/// A copy of the schema without the subschemas that carry `x-rule`, and with every `propertyNames`
/// schema moved under `definitions` and referred to: valijson 1.0 takes one that stands in its
/// place for the schema around it.
const yaml::Node* prepare(const yaml::Node& root, yaml::NodeStore& store);

}  // namespace sweep::schema
