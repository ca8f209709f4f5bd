/// @file
/// What is well-formed and cannot run: rules over resolved rows, given as data, and waivers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/config.h"

namespace sweep::schema {
struct Shape;
class Compiled;
}  // namespace sweep::schema

namespace sweep::policy {

/// One rule of a policy file.
struct Rule {
  std::string id;
  std::string message;  ///< with `{field}` still in it
  std::string help;     ///< the same; may be empty
  Severity severity = Severity::error;
  std::vector<std::string> fields;  ///< dotted names of places to point at
  std::shared_ptr<const schema::Compiled> schema;
};

/// All rules that apply, those of the library first.
struct Policy {
  std::vector<Rule> rules;
};

/// The rules of `schemas/row-policy.schema.json`, compiled once.
const Policy& embedded_policy();

/// Adds the rules of a policy file, which is checked first: shape, known keywords and annotations,
/// local references without circles, patterns that RE2 takes, known `{fields}`. Rules with a
/// finding are not added.
void add_policy_file(Policy& policy, std::shared_ptr<const yaml::Document> document,
                     Diagnostics& diagnostics);

/// A search-space row with everything that holds for it, as a tree: the entry's and the scenario's
/// fields, its own with defaults filled in, and `config-key`, `hardware`, `scenario-type`, `gpus`.
const yaml::Node* resolve(const config::Entry& entry, const config::SearchRow& row,
                          const config::FixedSeqLen* fixed, const config::AgenticCoding* agentic,
                          yaml::NodeStore& store);

/// All resolved rows of the entries as one compact JSON array, before any rule is applied.
std::string resolved_json(std::span<const config::Entry* const> entries);

/// Adds a finding for each rule that a row of the config breaks.
void apply(const Policy& policy, const config::MasterConfig& config, Diagnostics& diagnostics);

/// One permission to go on in spite of a finding.
struct Waiver {
  std::string rule;
  std::vector<std::string> config_keys;  ///< patterns
  std::string reason;
  std::string expires;  ///< last valid day as YYYY-MM-DD; may be empty
  const yaml::Node* node = nullptr;
};

struct Waivers {
  std::vector<Waiver> items;
  std::shared_ptr<const yaml::Document> document;
};

/// Checks a waivers file: shape, real dates, documents that `exists` knows.
Waivers read_waivers(std::shared_ptr<const yaml::Document> document,
                     const std::function<bool(const std::string&)>& exists,
                     Diagnostics& diagnostics);

/// Turns what is waived into notes with their reason: warnings, and errors of the rules of
/// `policy`. `today` is YYYY-MM-DD. Adds `waiver-expired` and `waiver-unused`, both warnings; with
/// `all_keys_given` unset a waiver for keys that are not in `config` is not called unused.
void apply_waivers(const Waivers& waivers, const Policy& policy, const config::MasterConfig& config,
                   std::string_view today, bool all_keys_given, Diagnostics& diagnostics);

}  // namespace sweep::policy
