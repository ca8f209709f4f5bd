/// @file
/// Which rows a change triggers: changelog additions between two commits to a bucketed plan.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/config.h"
#include "sweep/expand.h"
#include "sweep/policy.h"

namespace sweep::plan {

/// Whom and what a plan is made from.
struct Request {
  std::string base_ref;
  std::string head_ref;
  std::string changelog_file = "perf-changelog.yaml";
  std::vector<std::string> config_files;
  std::string runner_config;
};

/// What of the chosen rows is wanted.
struct PlanOptions {
  bool all_evals = false;
  bool evals_only = false;
  bool trim_conc = false;
  std::size_t max_rows = 100'000;
};

/// The configs and runners of one commit, or of the working tree.
struct Configs {
  config::MasterConfig master;
  config::Runners runners;
};

struct PlannedRow {
  expand::MatrixRow row;
  std::string fingerprint;  ///< SHA-256 of the recipe, in hex; throughput rows only
};

/// The rows that one change triggers. Rows point into the configs, which the plan keeps.
struct SweepPlan {
  std::shared_ptr<const Configs> head;
  std::vector<PlannedRow> throughput;
  std::vector<PlannedRow> evals;
  std::vector<const config::Entry*> selected;
  std::string base_ref;
  std::string head_ref;
  config::Changelog changelog;  ///< the added entries alone
};

/// What `git` gives for a request: the added changelog entries and the configs they concern.
struct Change {
  std::shared_ptr<const Configs> head;
  std::shared_ptr<const Configs> base;  ///< only where an entry is append-only
  config::Changelog changelog;
};

/// Reads a change from the repository of the working directory, with at most five git processes.
/// Adds findings (`git`, `changelog-…`, and those of the files read) and returns nothing when the
/// change cannot be read; with other errors the change is returned, and must not be used.
std::optional<Change> read_change(const Request& request, Diagnostics& diagnostics);

/// Selects, expands, judges and trims. Pure: the same change gives the same plan.
SweepPlan make_plan(const Change& change, const PlanOptions& options, Diagnostics& diagnostics);

/// `agentic`, or the name of the row's lengths: the bucket that it runs in.
std::string bucket(const expand::MatrixRow& row);

/// The plan as one compact JSON object.
std::string to_json(const SweepPlan& plan);

}  // namespace sweep::plan
