#include <algorithm>

#include <fmt/format.h>

#include "config/fields.h"
#include "schema/check.h"
#include "sweep/policy.h"

namespace sweep::policy {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

// The member that a dotted name leads to; nullptr when the row has none.
const Member* find_dotted(const Node& row, std::string_view name) {
  const Node* at = &row;
  while (true) {
    const auto part = name.substr(0, name.find('.'));
    const Member* member = at->find_member(part);
    if (member == nullptr || part.size() == name.size()) return member;
    at = member->value;
    name.remove_prefix(part.size() + 1);
  }
}

std::string shown(const Node& node) {
  if (node.is(Kind::sequence) || node.is(Kind::mapping)) return std::string(describe(node.kind));
  return printable(node.text);
}

// What a rule allows at a dotted name, when it lists that.
std::vector<std::string_view> allowed_at(const schema::Shape& shape, std::string_view name) {
  const schema::Shape* at = &shape;
  while (at != nullptr && !name.empty()) {
    const auto part = name.substr(0, name.find('.'));
    at = at->property(part);
    name.remove_prefix(std::min(name.size(), part.size() + 1));
  }
  std::vector<std::string_view> texts;
  if (at == nullptr) return texts;
  for (const auto* value : at->allowed) texts.push_back(value->text);
  return texts;
}

// One row under the rules.
class RowPolicy {
 public:
  RowPolicy(const config::Entry& entry, const config::SearchRow& source, const Node& row,
            Diagnostics& diagnostics)
      : entry_(entry), source_(source), row_(row), diagnostics_(diagnostics) {}

  void check(const Rule& rule) {
    const schema::Shape& shape = rule.schema->root();
    if (schema::matches(shape, row_)) return;
    Diagnostics faults;
    const auto refusals = schema::check(shape, row_, *entry_.document, faults);
    bool placed = false;
    for (const auto& name : rule.fields) {
      const Member* member = find_dotted(row_, name);
      if (member == nullptr || !refusals.touched(*member->value)) continue;
      placed = true;
      report(rule, *member, name, faults);
    }
    if (placed) return;
    for (const auto& name : rule.fields) {
      const Member* member = find_dotted(row_, name);
      if (member != nullptr && is_written(*member)) return report(rule, *member, name, faults);
    }
    add(rule, config::first_character(*source_.node), {}, rule.help);
  }

 private:
  // Values that were filled in, and tops of the resolved row, have no place in the file.
  static bool is_written(const Member& member) { return member.key->extent.end != 0; }

  void report(const Rule& rule, const Member& member, std::string_view name,
              const Diagnostics& faults) {
    if (!is_written(member) && member.value->extent.end == 0) {
      return add(rule, config::first_character(*source_.node), shown(*member.value), rule.help);
    }
    std::string help = rule.help;
    const auto near = did_you_mean(member.value->text, allowed_at(rule.schema->root(), name));
    if (!near.empty()) help = help.empty() ? near : near + " " + help;
    // Inside a collection each fault is the better place.
    bool inside = false;
    const Extent whole = member.value->extent;
    const bool collection = member.value->is(Kind::mapping) || member.value->is(Kind::sequence);
    for (const auto& fault : faults.all()) {
      const Extent inner = fault.span.extent;
      if (!collection || inner.begin < whole.begin || inner.end > whole.end) continue;
      if (inner.begin == whole.begin && inner.end == whole.end) continue;
      inside = true;
      const auto text = entry_.document->file()->text();
      add(rule, inner, printable(text.substr(inner.begin, inner.end - inner.begin)), help);
    }
    if (inside) return;
    add(rule, is_written(member) ? config::extent_of(member) : whole, shown(*member.value), help);
  }

  std::string filled(std::string_view text, const std::string& value) const {
    std::string out;
    while (!text.empty()) {
      const auto open = std::min(text.find('{'), text.size());
      const auto close = std::min(text.find('}', open), text.size());
      out += text.substr(0, open);
      if (open == text.size() || close == text.size()) return out + std::string(text.substr(open));
      const auto name = text.substr(open + 1, close - open - 1);
      const Member* member = find_dotted(row_, name);
      out += name == "value" ? value : member == nullptr ? "none" : shown(*member->value);
      text.remove_prefix(close + 1);
    }
    return out;
  }

  void add(const Rule& rule, Extent place, const std::string& value, const std::string& help) {
    diagnostics_.add({.severity = rule.severity,
                      .rule = rule.id,
                      .message = filled(rule.message, value),
                      .span = entry_.document->span(place),
                      .help = filled(help, value),
                      .path = {},
                      .related = {},
                      .config_keys = {entry_.key}});
  }

  const config::Entry& entry_;
  const config::SearchRow& source_;
  const Node& row_;
  Diagnostics& diagnostics_;
};

}  // namespace

void apply(const Policy& policy, const config::MasterConfig& config, Diagnostics& diagnostics) {
  for (const auto& entry : config.entries) {
    for_each_row(entry, [&](const config::SearchRow& row, const config::FixedSeqLen* fixed,
                            const config::AgenticCoding* agentic) {
      yaml::NodeStore store;
      const Node* resolved = resolve(entry, row, fixed, agentic, store);
      RowPolicy checked(entry, row, *resolved, diagnostics);
      for (const auto& rule : policy.rules) checked.check(rule);
    });
  }
}

}  // namespace sweep::policy
