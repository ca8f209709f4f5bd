#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/sha256.h"
#include "sweep/priority.h"

namespace sweep::priority {
namespace {

using yaml::Kind;
using yaml::Node;

constexpr int decimals = 3;
constexpr std::size_t token_digits = 32;
constexpr std::array<std::string_view, 5> general_facts{"multi-node", "agentic", "eval-only",
                                                        "checklist-complete", "patchwork"};

bool is_row(const Node& node) {
  return node.find("runner") != nullptr && node.find("framework") != nullptr;
}

std::string_view text_of(const Node& row, std::string_view name) {
  const Node* value = row.find(name);
  return value != nullptr && value->is(Kind::string) ? value->text : std::string_view();
}

// `sglang` and `sglang-x` have the prefix `sglang`, `sglangx` has not.
bool has_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) && (text.size() == prefix.size() || text[prefix.size()] == '-');
}

bool holds_one_of(const std::optional<Names>& given, const std::vector<std::string>& names) {
  return given && std::any_of(names.begin(), names.end(),
                              [&](const auto& name) { return given->contains(name); });
}

Decimal lookup(const std::vector<Adjustment>& list, std::string_view name) {
  for (const auto& adjustment : list) {
    if (adjustment.name == name) return adjustment.value;
  }
  return {};
}

Decimal lookup_prefix(const std::vector<Adjustment>& list, std::string_view text) {
  for (const auto& adjustment : list) {
    if (has_prefix(text, adjustment.name)) return adjustment.value;
  }
  return {};
}

// The scores of a run's rows. What does not depend on the row is decided once.
class Scorer {
 public:
  Scorer(const Policy& policy, const Run& run)
      : policy_(policy),
        run_(run),
        patchwork_((holds_one_of(run.labels, policy.patchwork_labels) || chosen("patchwork")) &&
                   !holds_one_of(run.labels, policy.patchwork_waivers)),
        checklist_complete_(holds_one_of(run.labels, policy.checklist_labels) ||
                            chosen("checklist-complete")) {}

  bool by_facts() const { return !patchwork_; }

  std::string score(const Node& row) const {
    std::vector<Decimal> terms;
    if (patchwork_) {
      terms.push_back(policy_.patchwork_score);
    } else {
      add_facts(row, terms);
    }
    // The bounds of the policy's numbers leave room for every sum of them.
    return to_string(rounded_sum(terms, decimals).value());
  }

 private:
  void add_facts(const Node& row, std::vector<Decimal>& terms) const {
    terms.push_back(policy_.base_score);
    terms.push_back(lookup(policy_.event, run_.event_name));
    const auto add_if = [&](bool counts, const Decimal& value) {
      if (counts) terms.push_back(value);
    };
    const Node* prefill = row.find("prefill");
    add_if(prefill != nullptr && !prefill->is_null() && counts("multi-node"), policy_.multi_node);
    add_if(text_of(row, "scenario-type") == "agentic-coding" && counts("agentic"), policy_.agentic);
    const Node* eval_only = row.find("eval-only");
    add_if(eval_only != nullptr && eval_only->boolean && counts("eval-only"), policy_.eval_only);
    const auto precision = text_of(row, "precision");
    add_if(counts(precision), lookup(policy_.precision, precision));
    const auto spec_decoding = text_of(row, "spec-decoding");
    add_if(counts(spec_decoding), lookup(policy_.spec_decoding, spec_decoding));
    const auto framework = text_of(row, "framework");
    add_if(prefix_counts(framework), lookup_prefix(policy_.framework_prefix, framework));
    const auto model_prefix = text_of(row, "model-prefix");
    add_if(prefix_counts(model_prefix), lookup(policy_.model_prefix, model_prefix));
    add_if(checklist_complete_, policy_.checklist_complete);
  }

  bool chosen(std::string_view fact) const {
    return run_.criteria && run_.criteria->contains(fact);
  }
  bool counts(std::string_view fact) const { return !run_.criteria || chosen(fact); }
  bool prefix_counts(std::string_view text) const {
    return !run_.criteria || std::any_of(run_.criteria->names.begin(), run_.criteria->names.end(),
                                         [&](const auto& name) { return has_prefix(text, name); });
  }

  const Policy& policy_;
  const Run& run_;
  bool patchwork_;
  bool checklist_complete_;
};

void check_criteria(const Policy& policy, const Names& criteria, Diagnostics& diagnostics) {
  std::vector<std::string_view> known(general_facts.begin(), general_facts.end());
  for (const auto* list :
       {&policy.precision, &policy.spec_decoding, &policy.framework_prefix, &policy.model_prefix}) {
    for (const auto& adjustment : *list) known.emplace_back(adjustment.name);
  }
  for (const Node* item : criteria.document->root().items) {
    if (std::find(known.begin(), known.end(), item->text) != known.end()) continue;
    auto help = did_you_mean(item->text, known);
    if (help.empty()) help = fmt::format("use names out of {}", fmt::join(known, ", "));
    diagnostics.add({.rule = "bad-value",
                     .message = fmt::format("'{}' is no criterion that the priority policy knows",
                                            printable(item->text)),
                     .span = criteria.document->span(item->extent),
                     .help = std::move(help),
                     .path = {},
                     .related = {}});
  }
}

class Writer {
 public:
  Writer(const Policy& policy, const Run& run, Diagnostics& diagnostics)
      : policy_(policy), run_(run), scorer_(policy, run), diagnostics_(diagnostics) {
    skips_queue_ = run.pull_request && policy.skip_queue_label && run.labels &&
                   run.labels->contains(*policy.skip_queue_label);
  }

  std::string write(const Node& root) {
    value(root);
    return std::move(out_);
  }

 private:
  void value(const Node& node) {
    if (node.is(Kind::mapping)) return object(node);
    if (!node.is(Kind::sequence)) return write_json(json_, node);
    json_.open('[');
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      below(fmt::format("{}", i), *node.items[i]);
    }
    json_.close(']');
  }

  void object(const Node& node) {
    const bool row = is_row(node);
    json_.open('{');
    for (const auto& member : node.members) {
      if (row && is_ours(member.name())) continue;
      json_.key(member.name());
      below(member.name(), *member.value);
    }
    if (row) annotate(node);
    json_.close('}');
  }

  // Writes a value one step further down the path.
  void below(std::string_view step, const Node& node) {
    const std::size_t length = path_.size();
    if (!at_top_) path_ += '/';
    path_ += step;
    const bool was_at_top = std::exchange(at_top_, false);
    value(node);
    at_top_ = was_at_top;
    path_.resize(length);
  }

  bool is_ours(std::string_view name) const {
    return name == "priority" || name == "queue-token" || (skips_queue_ && name == "skip-queue-pr");
  }

  void annotate(const Node& row) {
    if (!criteria_checked_ && scorer_.by_facts() && run_.criteria) {
      check_criteria(policy_, *run_.criteria, diagnostics_);
    }
    criteria_checked_ = true;
    const auto token = fmt::format("{}:{}:{}", run_.queue_namespace, path_, canonical_json(row));
    json_.field("priority", std::string_view(scorer_.score(row)));
    json_.field("queue-token", std::string_view(sha256_hex(token)).substr(0, token_digits));
    if (skips_queue_) json_.field("skip-queue-pr", *run_.pull_request);
  }

  const Policy& policy_;
  const Run& run_;
  Scorer scorer_;
  Diagnostics& diagnostics_;
  bool skips_queue_ = false;
  bool criteria_checked_ = false;
  bool at_top_ = true;
  std::string path_;
  std::string out_;
  JsonWriter json_{out_};
};

}  // namespace

std::string prioritize(const yaml::Document& document, const Policy& policy, const Run& run,
                       Diagnostics& diagnostics) {
  return Writer(policy, run, diagnostics).write(document.root());
}

}  // namespace sweep::priority
