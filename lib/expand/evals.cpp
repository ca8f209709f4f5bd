#include "expand/evals.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sweep::expand {
namespace {

using Group = std::vector<MatrixRow*>;

constexpr std::int64_t least_eval_conc = 16;

bool is_8k1k(const MatrixRow& row) { return !row.agentic() && row.isl == 8192 && row.osl == 1024; }

std::int64_t highest_conc(const MatrixRow& row) {
  return *std::max_element(row.conc.begin(), row.conc.end());
}

// The row with the highest concurrency, the first on a tie; nullptr for none at `least` or more.
MatrixRow* highest(const Group& group, std::int64_t least) {
  MatrixRow* best = nullptr;
  for (MatrixRow* row : group) {
    if (highest_conc(*row) < least) continue;
    if (best == nullptr || highest_conc(*row) > highest_conc(*best)) best = row;
  }
  return best;
}

// Rows that are alike in everything but concurrency, exp-name and eval fields have one text.
std::string recipe_text(const MatrixRow& row) {
  std::string text;
  append_json(text, row, {.identity = false, .evals = false, .source = false});
  return text;
}

// Groups in the order of their first rows.
template <typename Key, typename Wanted>
std::vector<Group> group_rows(std::vector<MatrixRow>& rows, Wanted wanted, Key key) {
  std::map<decltype(key(rows.front())), std::size_t> index;
  std::vector<Group> groups;
  for (auto& row : rows) {
    if (!wanted(row)) continue;
    const auto [place, fresh] = index.emplace(key(row), groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(&row);
  }
  return groups;
}

std::vector<Group> multinode_groups(std::vector<MatrixRow>& rows, bool agentic) {
  return group_rows(
      rows,
      [=](const MatrixRow& row) {
        return row.entry->multinode && (agentic ? row.agentic() : is_8k1k(row));
      },
      recipe_text);
}

void choose_single_node_fixed(std::vector<MatrixRow>& rows) {
  const auto groups = group_rows(
      rows,
      [](const MatrixRow& row) {
        return !row.entry->multinode && is_8k1k(row) && row.conc.front() >= least_eval_conc;
      },
      [](const MatrixRow& row) {
        const config::Entry& entry = *row.entry;
        return std::tuple(std::string_view(entry.model), row.runner,
                          std::string_view(entry.framework), std::string_view(entry.precision),
                          row.row->spec_decoding, row.layout.dp_attn);
      });
  for (const Group& group : groups) {
    std::set<std::int64_t> distinct;
    for (const MatrixRow* row : group) distinct.insert(row->conc.front());
    const auto middle =
        *std::next(distinct.begin(), static_cast<std::ptrdiff_t>(distinct.size() / 2));
    const auto top = *distinct.rbegin();
    for (MatrixRow* row : group) {
      if (row->conc.front() == middle || row->conc.front() == top) row->run_eval = true;
    }
  }
}

void choose_single_node_agentic(std::vector<MatrixRow>& rows) {
  const auto groups = group_rows(
      rows, [](const MatrixRow& row) { return !row.entry->multinode && row.agentic(); },
      [](const MatrixRow& row) {
        const config::Entry& entry = *row.entry;
        return std::tuple(std::string_view(entry.model), row.runner,
                          std::string_view(entry.framework), std::string_view(entry.precision));
      });
  for (const Group& group : groups) {
    if (MatrixRow* row = highest(group, 0); row != nullptr) row->run_eval = true;
  }
}

void choose_multinode(std::vector<MatrixRow>& rows, bool agentic) {
  for (const Group& group : multinode_groups(rows, agentic)) {
    MatrixRow* row = highest(group, least_eval_conc);
    if (row == nullptr) continue;
    row->run_eval = true;
    row->eval_conc = highest_conc(*row);
  }
}

// Every row of a group becomes one, in the first one's place.
void merge_multinode(std::vector<MatrixRow>& rows, bool agentic) {
  for (const Group& group : multinode_groups(rows, agentic)) {
    std::set<std::int64_t> concurrencies;
    for (MatrixRow* row : group) {
      concurrencies.insert(row->conc.begin(), row->conc.end());
      row->run_eval = false;
    }
    MatrixRow& first = *group.front();
    first.run_eval = true;
    first.conc.assign(concurrencies.begin(), concurrencies.end());
    if (agentic) {
      first.eval_conc = first.conc.back();
    } else {
      first.eval_all_concs = true;
    }
  }
}

}  // namespace

void choose_evals(std::vector<MatrixRow>& rows, const EvalOptions& options) {
  if (options.none || rows.empty()) return;
  for (auto& row : rows) row.run_eval = false;
  if (options.all) {
    for (auto& row : rows) {
      if (!row.entry->multinode && (row.agentic() || is_8k1k(row))) row.run_eval = true;
    }
    merge_multinode(rows, false);
    merge_multinode(rows, true);
  } else {
    choose_single_node_fixed(rows);
    choose_multinode(rows, false);
    if (options.only) {
      choose_single_node_agentic(rows);
      choose_multinode(rows, true);
    }
  }
  if (!options.all && !options.only) return;
  std::erase_if(rows, [](const MatrixRow& row) { return row.run_eval != true; });
  for (auto& row : rows) row.eval_only = true;
}

}  // namespace sweep::expand
