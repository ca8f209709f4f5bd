/// @file
/// JSON Schemas (draft 7): the embedded ones, and checking a document against one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "sweep/yaml.h"

namespace sweep::schema {

/// One JSON Schema file of `schemas/`, as it was when the library was built.
struct EmbeddedSchema {
  std::string_view name;  ///< the file's name without `.schema.json`, for example `master-config`
  std::string_view text;  ///< the file's text, unchanged
};

/// All embedded schemas, ordered by name. The texts live as long as the program.
std::span<const EmbeddedSchema> embedded_schemas();

/// Which values of a document a check has refused, so that nothing they would have fed is checked
/// further: one cause, one finding.
class Refusals {
 public:
  /// `node` itself is not what it must be.
  bool refused(const yaml::Node& node) const { return refused_.contains(&node); }
  /// `node`, or something inside it, has a finding.
  bool touched(const yaml::Node& node) const { return touched_.contains(&node); }
  bool empty() const { return touched_.empty(); }
  /// The mapping has an unknown field that is most likely a misspelt `name`.
  bool misspelt(const yaml::Node& mapping, std::string_view name) const {
    const auto found = misspelt_.find(&mapping);
    return found != misspelt_.end() && found->second.contains(std::string(name));
  }

  /// Notes that `node` is refused; true the first time.
  bool refuse(const yaml::Node& node) { return refused_.insert(&node).second; }
  void touch(const yaml::Node& node) { touched_.insert(&node); }
  /// Notes that the mapping lacks `name`; true the first time, and never where it is misspelt.
  bool miss(const yaml::Node& mapping, std::string_view name) {
    return !misspelt(mapping, name) && missing_[&mapping].emplace(name).second;
  }
  void misspell(const yaml::Node& mapping, std::string_view name) {
    misspelt_[&mapping].emplace(name);
  }

 private:
  std::unordered_set<const yaml::Node*> refused_;
  std::unordered_set<const yaml::Node*> touched_;
  std::unordered_map<const yaml::Node*, std::unordered_set<std::string>> missing_;
  std::unordered_map<const yaml::Node*, std::unordered_set<std::string>> misspelt_;
};

/// Checks `document` against the embedded schema `name` (which must exist) and adds a finding for
/// each fault: `unknown-field`, `missing-field`, `wrong-type` or `bad-value`. Parts of the schema
/// that carry `x-rule` restate a rule across fields for other validators; they are not applied
/// here, since code reports those rules at better places.
Refusals check(std::string_view name, const yaml::Document& document, Diagnostics& diagnostics);

/// The same for one value of the document.
Refusals check_value(std::string_view name, const yaml::Node& value, const yaml::Document& document,
                     Diagnostics& diagnostics);

}  // namespace sweep::schema
