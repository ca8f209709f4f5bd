#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/priority.h"
#include "sweep/schema.h"

namespace sweep::priority {
namespace {

using config::Fields;
using yaml::Kind;
using yaml::Member;
using yaml::Node;

// Ten such numbers make a score; with these bounds their sum is exact and fits.
constexpr std::int64_t largest = 1'000'000'000'000;
constexpr std::int32_t most_decimals = 18;

bool in_bounds(const Decimal& value) {
  std::int64_t whole = value.digits;
  for (std::int32_t i = 0; i < value.scale && whole != 0; ++i) whole /= 10;
  return value.scale <= most_decimals && whole < largest && whole > -largest;
}

class PolicyReader {
 public:
  PolicyReader(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics)
      : document_(std::move(document)),
        refusals_(schema::check("priority", *document_, diagnostics)),
        diagnostics_(diagnostics) {}

  Policy read() const {
    Policy policy;
    const Fields root = fields(document_->root());
    policy.base_score = number(root, "base-score");
    const Fields adjustments = inner(root, "adjustments");
    policy.event = numbers(adjustments, "event");
    policy.multi_node = number(adjustments, "multi-node");
    policy.agentic = number(adjustments, "agentic");
    policy.eval_only = number(adjustments, "eval-only");
    policy.precision = numbers(adjustments, "precision");
    policy.spec_decoding = numbers(adjustments, "spec-decoding");
    policy.framework_prefix = numbers(adjustments, "framework-prefix");
    policy.model_prefix = numbers(adjustments, "model-prefix");
    const Fields labels = inner(root, "labels");
    const Fields checklist = inner(labels, "checklist-complete");
    policy.checklist_complete = number(checklist, "adjustment");
    policy.checklist_labels = texts(checklist, "names");
    const Fields patchwork = inner(labels, "patchwork");
    policy.patchwork_labels = texts(patchwork, "names");
    policy.patchwork_waivers = texts(patchwork, "waived-by");
    policy.patchwork_score = number(patchwork, "score");
    policy.skip_queue_label = inner(labels, "skip-queue").text("name");
    return policy;
  }

 private:
  Fields fields(const Node& mapping) const { return {mapping, refusals_}; }

  // A mapping's fields; those of an empty one where it is left out or refused.
  Fields inner(const Fields& outer, std::string_view name) const {
    static const Node nothing;
    const Node* mapping = outer.collection(name, Kind::mapping);
    return fields(mapping == nullptr ? nothing : *mapping);
  }

  Decimal number(const Fields& mapping, std::string_view name) const {
    const Member* member = mapping.given(name);
    return member == nullptr ? Decimal() : number(*member);
  }

  Decimal number(const Member& member) const {
    const Node& node = *member.value;
    const bool is_number = node.is(Kind::integer) || node.is(Kind::real);
    if (!is_number || refusals_.refused(node)) return {};
    const auto value = node.is(Kind::integer) ? Decimal{node.integer, 0} : parse_decimal(node.text);
    if (value && in_bounds(*value)) return *value;
    diagnostics_.add({.rule = "bad-value",
                      .message = fmt::format(
                          "'{}' ({}) must be a plain decimal number between -10^12 and 10^12, of "
                          "at most {} digits",
                          printable(member.name()), printable(node.text), most_decimals),
                      .span = document_->span(config::extent_of(member)),
                      .help = "write a short number, such as 0.75",
                      .path = {},
                      .related = {}});
    return {};
  }

  std::vector<Adjustment> numbers(const Fields& mapping, std::string_view name) const {
    std::vector<Adjustment> list;
    const Node* node = mapping.collection(name, Kind::mapping);
    if (node == nullptr) return list;
    for (const Member& member : node->members) {
      list.push_back({std::string(member.name()), number(member)});
    }
    return list;
  }

  std::vector<std::string> texts(const Fields& mapping, std::string_view name) const {
    std::vector<std::string> list;
    const Node* node = mapping.collection(name, Kind::sequence);
    if (node == nullptr) return list;
    for (const Node* item : node->items) {
      if (item->is(Kind::string)) list.emplace_back(item->text);
    }
    return list;
  }

  std::shared_ptr<const yaml::Document> document_;
  schema::Refusals refusals_;
  Diagnostics& diagnostics_;
};

}  // namespace

Policy read_policy(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics) {
  return PolicyReader(std::move(document), diagnostics).read();
}

}  // namespace sweep::priority
