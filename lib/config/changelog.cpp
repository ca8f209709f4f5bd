#include <utility>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/config.h"
#include "sweep/schema.h"

namespace sweep::config {
namespace {

using yaml::Kind;
using yaml::Node;

bool is_true(const Fields& fields, std::string_view name) { return fields.boolean(name) == true; }

std::vector<std::string> texts(const Node& entry, std::string_view name) {
  std::vector<std::string> list;
  const Node* node = entry.find(name);
  for (const Node* item : node == nullptr ? std::span<const Node* const>() : node->items) {
    list.emplace_back(item->text);
  }
  return list;
}

void append_only_alone(const Fields& fields, const yaml::Document& document,
                       Diagnostics& diagnostics) {
  if (!is_true(fields, "append-only")) return;
  for (const std::string_view name : {"evals-only", "all-evals", "eval-min-prefill-ep"}) {
    const bool set =
        name == "eval-min-prefill-ep" ? fields.given(name) != nullptr : is_true(fields, name);
    if (!set) continue;
    const auto* other = fields.node().find_member(name);
    diagnostics.add({.rule = "changelog-append-only",
                     .message = fmt::format("'append-only' cannot be combined with '{}'", name),
                     .span = document.span(extent_of(*fields.node().find_member("append-only"))),
                     .help = "remove one of the two",
                     .path = {},
                     .related = {{document.span(extent_of(*other)), "given here"}}});
    return;
  }
}

ChangelogEntry entry_of(const Node& node, const Fields& fields) {
  ChangelogEntry entry;
  entry.node = &node;
  entry.config_keys = texts(node, "config-keys");
  entry.description = texts(node, "description");
  entry.pr_link = fields.text("pr-link").value_or("");
  entry.evals_only = is_true(fields, "evals-only");
  entry.all_evals = is_true(fields, "all-evals");
  entry.append_only = is_true(fields, "append-only");
  entry.eval_min_prefill_ep = fields.integer("eval-min-prefill-ep");
  if (fields.given("scenario-type") != nullptr) {
    auto& types = entry.scenario_types.emplace();
    for (const auto& name : texts(node, "scenario-type")) {
      types.push_back(name == to_string(ScenarioType::fixed_seq_len)
                          ? ScenarioType::fixed_seq_len
                          : ScenarioType::agentic_coding);
    }
  }
  return entry;
}

}  // namespace

Changelog read_changelog(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics) {
  Changelog changelog;
  changelog.document = std::move(document);
  const auto refusals = schema::check("changelog", *changelog.document, diagnostics);
  for (const Node* item : changelog.document->root().items) {
    if (!item->is(Kind::mapping)) continue;
    const Fields fields(*item, refusals);
    append_only_alone(fields, *changelog.document, diagnostics);
    if (!refusals.touched(*item)) changelog.entries.push_back(entry_of(*item, fields));
  }
  return changelog;
}

}  // namespace sweep::config
