/// One entry's rows, whatever command asks for them.
#pragma once

#include <functional>

#include "sweep/expand.h"

namespace sweep::expand {

/// What of an entry is wanted; a function answers for each search-space row which concurrencies
/// are left (none: the row is left out).
struct EntryPlan {
  std::vector<std::string_view> runners;  ///< labels or nodes, a row for each
  std::function<std::vector<std::int64_t>(const config::SearchRow&, config::ScenarioType)> conc;
  std::function<bool(config::Layout&)> fixed_layout;  ///< single-node fixed; may lower ep
};

/// Collects rows up to a limit.
class Expander {
 public:
  Expander(const config::Runners& runners, const CommonOptions& options, Diagnostics& diagnostics)
      : runners_(runners), options_(options), diagnostics_(diagnostics) {}

  bool wants(config::ScenarioType type) const;

  /// Appends the entry's rows. Its rules must have been checked.
  void add(const config::Entry& entry, const EntryPlan& plan);

  /// The rows, with evals chosen; none where a finding refuses them.
  std::vector<MatrixRow> finish();

 private:
  bool wants_length(const config::FixedSeqLen& fixed) const;
  void add_fixed(const config::Entry& entry, const config::FixedSeqLen& fixed,
                 const EntryPlan& plan);
  void add_agentic(const config::Entry& entry, const config::AgenticCoding& agentic,
                   const EntryPlan& plan);
  void push(MatrixRow row);

  const config::Runners& runners_;
  const CommonOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<MatrixRow> rows_;
  bool over_limit_ = false;
};

/// The nodes of `label` whose names contain `part`, in their order; empty for an unknown label.
std::vector<std::string_view> matching_nodes(const config::Runners& runners, std::string_view label,
                                             std::string_view part);

/// total-cpu-dram-gb of an agentic row; 0 without offloading or without hardware facts.
std::int64_t dram_budget_gb(const config::Entry& entry, const config::AgenticCoding& agentic,
                            const config::SearchRow& row, const config::Runners& runners);

/// A row's concurrencies before any filter.
std::vector<std::int64_t> all_concurrencies(const config::Concurrency& concurrency,
                                            std::int64_t factor);

/// The findings that concern an entry once it is selected: the hardware rules when its agentic
/// rows are wanted, and warnings.
void check_selected(const config::Entry& entry, const config::Runners& runners, bool agentic,
                    Diagnostics& diagnostics);

}  // namespace sweep::expand
