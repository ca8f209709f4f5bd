/// @file
/// How soon each job of a plan is to run: scores and queue tokens by a priority policy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/base.h"
#include "sweep/yaml.h"

namespace sweep::priority {

/// What is added to the score for one name.
struct Adjustment {
  std::string name;
  Decimal value;

  friend bool operator==(const Adjustment&, const Adjustment&) = default;
};

/// A priority file as `schemas/priority.schema.json` describes it. What a file leaves out is 0 or
/// empty here.
struct Policy {
  Decimal base_score;
  std::vector<Adjustment> event;
  Decimal multi_node;
  Decimal agentic;
  Decimal eval_only;
  std::vector<Adjustment> precision;
  std::vector<Adjustment> spec_decoding;
  std::vector<Adjustment> framework_prefix;  ///< in the file's order: the first that fits decides
  std::vector<Adjustment> model_prefix;
  Decimal checklist_complete;
  std::vector<std::string> checklist_labels;   ///< any one of them makes the checklist complete
  std::vector<std::string> patchwork_labels;   ///< any one of them marks a patch
  std::vector<std::string> patchwork_waivers;  ///< any one of them lifts that mark
  Decimal patchwork_score;                     ///< the whole score of a patch
  std::optional<std::string> skip_queue_label;
};

/// Checks a priority file. Numbers must be exact: at most 18 digits and 18 decimals, and below
/// 10^12, so that every sum of them is exact too. What has a finding is 0 or empty in the result;
/// whoever scores with it must look at `diagnostics` first.
Policy read_policy(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics);

/// A list of names with the place where each was written.
struct Names {
  std::vector<std::string> names;
  std::shared_ptr<const yaml::Document> document;  ///< its root is the list

  bool contains(std::string_view name) const;
};

/// Reads a JSON list of strings. Nothing, and no finding, for an empty text and for `null`;
/// nothing, and a finding (`json-syntax`, `wrong-type`, …) at the place in `file`, for any other
/// value.
std::optional<Names> read_names(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

/// What is known of a run beside its rows.
struct Run {
  std::string event_name;         ///< the event that started it; may be empty
  std::optional<Names> labels;    ///< of the pull request
  std::optional<Names> criteria;  ///< the only facts that count; without them all do
  std::string queue_namespace = "local";
  std::optional<std::int64_t> pull_request;  ///< its number, for labels that skip the queue
};

/// The document as compact JSON, with `priority`, `queue-token` and, for a pull request that skips
/// the queue, `skip-queue-pr` as the last fields of every object that has both `runner` and
/// `framework`; fields of these names that are there already are replaced. All else stays as it is.
/// Adds a finding (`bad-value`) for each criterion that the policy does not know, when a row is
/// scored by them; the result must not be used then.
std::string prioritize(const yaml::Document& document, const Policy& policy, const Run& run,
                       Diagnostics& diagnostics);

}  // namespace sweep::priority
