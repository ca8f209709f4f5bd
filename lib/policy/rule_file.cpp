#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "config/fields.h"
#include "schema/prepare.h"
#include "schema/shape.h"
#include "sweep/policy.h"
#include "sweep/rules.h"
#include "sweep/schema.h"

namespace sweep::policy {
namespace {

using config::extent_of;
using yaml::Kind;
using yaml::Member;
using yaml::Node;

// How the value of a keyword is made up of schemas.
enum class Holds : std::uint8_t { nothing, one, list, one_or_list, named, named_or_names, pattern };

const std::map<std::string_view, Holds>& keywords() {
  static const std::map<std::string_view, Holds> known{
      {"type", Holds::nothing},
      {"enum", Holds::nothing},
      {"const", Holds::nothing},
      {"multipleOf", Holds::nothing},
      {"maximum", Holds::nothing},
      {"exclusiveMaximum", Holds::nothing},
      {"minimum", Holds::nothing},
      {"exclusiveMinimum", Holds::nothing},
      {"maxLength", Holds::nothing},
      {"minLength", Holds::nothing},
      {"pattern", Holds::pattern},
      {"maxItems", Holds::nothing},
      {"minItems", Holds::nothing},
      {"uniqueItems", Holds::nothing},
      {"maxProperties", Holds::nothing},
      {"minProperties", Holds::nothing},
      {"required", Holds::nothing},
      {"title", Holds::nothing},
      {"description", Holds::nothing},
      {"default", Holds::nothing},
      {"examples", Holds::nothing},
      {"$comment", Holds::nothing},
      {"$ref", Holds::nothing},
      {"items", Holds::one_or_list},
      {"additionalItems", Holds::one},
      {"contains", Holds::one},
      {"properties", Holds::named},
      {"patternProperties", Holds::named},
      {"additionalProperties", Holds::one},
      {"dependencies", Holds::named_or_names},
      {"propertyNames", Holds::one},
      {"if", Holds::one},
      {"then", Holds::one},
      {"else", Holds::one},
      {"allOf", Holds::list},
      {"anyOf", Holds::list},
      {"oneOf", Holds::list},
      {"not", Holds::one},
  };
  return known;
}

constexpr std::array<std::string_view, 4> annotations{"x-message", "x-help", "x-severity",
                                                      "x-field"};

// The fields that a resolved row can have, as messages and places name them.
const std::set<std::string_view>& row_fields() {
  static const std::set<std::string_view> names = [] {
    std::set<std::string_view> all{"config-key",
                                   "image",
                                   "model",
                                   "model-prefix",
                                   "precision",
                                   "framework",
                                   "runner",
                                   "hardware",
                                   "multinode",
                                   "disagg",
                                   "isl",
                                   "osl",
                                   "scenario-type",
                                   "dram-utilization",
                                   "prefill",
                                   "decode",
                                   "tp",
                                   "pp",
                                   "dcp-size",
                                   "pcp-size",
                                   "ep",
                                   "dp-attn",
                                   "spec-decoding",
                                   "kv-offloading",
                                   "kv-offload-backend",
                                   "router",
                                   "moe-backend",
                                   "env",
                                   "kv-p2p-transfer",
                                   "conc-start",
                                   "conc-end",
                                   "conc-list",
                                   "gpus",
                                   "kv-offload-backend.name",
                                   "kv-offload-backend.version",
                                   "router.name",
                                   "router.version"};
    for (const std::string_view name : {"prefill.num-worker",
                                        "prefill.tp",
                                        "prefill.pp",
                                        "prefill.dcp-size",
                                        "prefill.pcp-size",
                                        "prefill.ep",
                                        "prefill.dp-attn",
                                        "prefill.hardware",
                                        "prefill.additional-settings",
                                        "prefill.moe-backend",
                                        "decode.num-worker",
                                        "decode.tp",
                                        "decode.pp",
                                        "decode.dcp-size",
                                        "decode.pcp-size",
                                        "decode.ep",
                                        "decode.dp-attn",
                                        "decode.hardware",
                                        "decode.additional-settings",
                                        "decode.moe-backend"}) {
      all.insert(name);
    }
    return all;
  }();
  return names;
}

bool is_row_field(std::string_view name) {
  return row_fields().contains(name) || (name.starts_with("env.") && name.size() > 4);
}

// Walks a policy file before valijson sees it.
class RuleFile {
 public:
  // `own`: the file is the library's.
  RuleFile(std::shared_ptr<const yaml::Document> document, bool own, Diagnostics& diagnostics)
      : document_(std::move(document)), own_(own), diagnostics_(diagnostics) {}

  void add_rules(Policy& policy) {
    const auto refusals = schema::check("policy", *document_, diagnostics_);
    const Node& root = document_->root();
    if (const Node* given = root.find("definitions");
        given != nullptr && given->is(Kind::mapping)) {
      definitions_ = given;
      for (const auto& member : given->members) good_ = walk(*member.value) && good_;
      good_ = check_circles() && good_;
    }
    const Node* rules = root.find("allOf");
    for (const Node* rule : rules == nullptr ? std::span<const Node* const>() : rules->items) {
      if (!rule->is(Kind::mapping)) continue;
      bool good = walk(*rule, true);
      good = check_texts(*rule) && good;
      good = check_title(*rule, policy) && good;
      if (good && good_ && !refusals.touched(*rule)) compile(*rule, policy);
    }
  }

 private:
  bool refuse(std::string_view rule, Extent place, std::string message, std::string help = {}) {
    diagnostics_.add({.rule = std::string(rule),
                      .message = std::move(message),
                      .span = document_->span(place),
                      .help = std::move(help),
                      .path = {},
                      .related = {}});
    return false;
  }

  // One schema; `rule` says that it may carry annotations.
  bool walk(const Node& schema, bool rule = false) {
    if (schema.is(Kind::boolean)) return true;
    if (!schema.is(Kind::mapping)) {
      return refuse(
          "policy-schema", schema.extent,
          fmt::format("a schema must be a mapping or a boolean, not {}", describe(schema.kind)));
    }
    bool good = true;
    for (const Member& member : schema.members) {
      const auto name = member.name();
      if (rule && std::find(annotations.begin(), annotations.end(), name) != annotations.end()) {
        continue;
      }
      const auto known = keywords().find(name);
      good =
          (known == keywords().end() ? unknown(member, rule) : walk_value(member, known->second)) &&
          good;
    }
    if (const Member* reference = schema.find_member("$ref"))
      good = check_reference(*reference) && good;
    return good;
  }

  bool unknown(const Member& member, bool rule) {
    const auto name = member.name();
    std::vector<std::string_view> names;
    for (const auto& [keyword, holds] : keywords()) names.push_back(keyword);
    names.insert(names.end(), annotations.begin(), annotations.end());
    const bool annotation = name.starts_with("x-");
    const bool misplaced =
        !rule && std::find(annotations.begin(), annotations.end(), name) != annotations.end();
    return refuse(annotation ? "policy-annotation" : "policy-keyword", member.key->extent,
                  misplaced ? fmt::format("'{}' stands on a rule, not inside it", name)
                            : fmt::format("unknown {} '{}'", annotation ? "annotation" : "keyword",
                                          printable(name)),
                  misplaced ? "" : did_you_mean(name, names));
  }

  bool walk_value(const Member& member, Holds holds) {
    const Node& value = *member.value;
    const auto all = [&](bool list) {
      bool good = true;
      for (const Node* item : value.items) good = walk(*item) && good;
      if (!list) {
        for (const Member& item : value.members) {
          const bool names = holds == Holds::named_or_names && item.value->is(Kind::sequence);
          if (!names) good = walk(*item.value) && good;
          if (member.name() == "patternProperties") good = check_pattern(*item.key) && good;
        }
      }
      return good;
    };
    const auto wrong = [&](std::string_view wanted) {
      return refuse(
          "policy-schema", extent_of(member),
          fmt::format("'{}' must be {}, not {}", member.name(), wanted, describe(value.kind)));
    };
    switch (holds) {
      case Holds::nothing:
        return true;
      case Holds::pattern:
        return value.is(Kind::string) ? check_pattern(value) : wrong("a string");
      case Holds::one:
        return walk(value);
      case Holds::one_or_list:
        return value.is(Kind::sequence) ? all(true) : walk(value);
      case Holds::list:
        return value.is(Kind::sequence) && !value.items.empty() ? all(true)
                                                                : wrong("a list of schemas");
      case Holds::named:
      case Holds::named_or_names:
        return value.is(Kind::mapping) ? all(false) : wrong("a mapping of schemas");
    }
    return true;
  }

  bool check_pattern(const Node& text) {
    const std::string problem = schema::pattern_problem(text.text);
    if (problem.empty()) return true;
    return refuse(
        "policy-pattern", text.extent,
        fmt::format("pattern '{}' is refused: {}", printable(text.text), printable(problem)),
        "patterns have RE2's syntax, which knows no look-ahead and no back-references");
  }

  // Only `#/definitions/NAME` is followed; the rest would reach outside or into the middle of
  // rules.
  static std::string_view definition_name(std::string_view reference) {
    constexpr std::string_view prefix = "#/definitions/";
    if (!reference.starts_with(prefix)) return {};
    reference.remove_prefix(prefix.size());
    return reference.find_first_of("/~%") == std::string_view::npos ? reference
                                                                    : std::string_view();
  }

  bool check_reference(const Member& reference) {
    const auto name = definition_name(reference.value->text);
    if (!reference.value->is(Kind::string) || name.empty()) {
      return refuse("policy-reference", extent_of(reference),
                    fmt::format("reference '{}' is not followed", printable(reference.value->text)),
                    "refer to '#/definitions/NAME' of the same file");
    }
    if (definitions_ != nullptr && definitions_->find(name) != nullptr) return true;
    return refuse("policy-reference", extent_of(reference),
                  fmt::format("no definition '{}'", printable(name)));
  }

  // Names that a schema refers to, at any depth.
  static void collect(const Node& schema, std::vector<std::string_view>& names) {
    for (const Node* item : schema.items) collect(*item, names);
    for (const Member& member : schema.members) {
      const auto name = member.name();
      if (name == "const" || name == "enum" || name == "default" || name == "examples") continue;
      if (name == "$ref") names.push_back(definition_name(member.value->text));
      collect(*member.value, names);
    }
  }

  // How many subschemas a definition stands for once its references are followed. Circles, and
  // definitions that are too deep or too large, are findings.
  bool check_circles() {
    for (const auto& member : definitions_->members) collect(*member.value, uses_[member.name()]);
    bool good = true;
    for (const auto& member : definitions_->members) {
      std::set<std::string_view> open;
      const auto size = expanded_size(member.name(), open);
      if (size && *size <= max_expanded_size) continue;
      good = refuse("policy-reference", member.key->extent,
                    size ? fmt::format("definition '{}' stands for more than {} schemas",
                                       printable(member.name()), max_expanded_size)
                         : fmt::format("definition '{}' refers to itself in a circle, or through "
                                       "more than {} others",
                                       printable(member.name()), max_path));
    }
    return good;
  }

  // Empty for a circle or a path that is too long.
  std::optional<std::size_t> expanded_size(std::string_view name,
                                           std::set<std::string_view>& open) {
    if (const auto known = sizes_.find(name); known != sizes_.end()) return known->second;
    if (open.size() >= max_path || !open.insert(name).second) return std::nullopt;
    std::optional<std::size_t> total = 1;
    for (const auto used : uses_[name]) {
      const auto size = expanded_size(used, open);
      total = size && total ? std::optional(std::min(*total + *size, max_expanded_size + 1))
                            : std::nullopt;
    }
    open.erase(name);
    return sizes_[name] = total;
  }

  // A title is a rule's id: findings and waivers name it, so it must mean one rule. Those of the
  // library's own file are in the table of rules.
  bool check_title(const Node& rule, const Policy& policy) {
    const Member* title = rule.find_member("title");
    if (title == nullptr || !title->value->is(Kind::string)) return true;
    const auto id = title->value->text;
    const auto [first, fresh] = titles_.emplace(id, extent_of(*title));
    const bool elsewhere = std::any_of(policy.rules.begin(), policy.rules.end(),
                                       [&](const Rule& other) { return other.id == id; });
    const bool builtin = find_rule(id) != nullptr && !own_;
    if (fresh && (elsewhere || builtin)) {
      return refuse("policy-title", extent_of(*title),
                    fmt::format("there is a rule '{}' already", printable(id)),
                    "choose another title");
    }
    if (fresh) return true;
    diagnostics_.add(
        {.rule = "policy-title",
         .message = fmt::format("there are two rules '{}' in this file", printable(id)),
         .span = document_->span(extent_of(*title)),
         .help = "choose another title",
         .path = {},
         .related = {{document_->span(first->second), "first used here"}}});
    return false;
  }

  // `{field}` in texts and names under x-field must be fields of a row.
  bool check_texts(const Node& rule) {
    bool good = true;
    for (const std::string_view name : {"x-message", "x-help"}) {
      const Member* member = rule.find_member(name);
      if (member == nullptr || !member->value->is(Kind::string)) continue;
      std::string_view text = member->value->text;
      if (text.find('\n') != std::string_view::npos) {
        good =
            refuse("policy-field", extent_of(*member), fmt::format("'{}' must be one line", name));
      }
      for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
        const auto close = text.find('}', open);
        const auto field = text.substr(
            open + 1, close == std::string_view::npos ? std::string_view::npos : close - open - 1);
        if (close == std::string_view::npos || (field != "value" && !is_row_field(field))) {
          good = unknown_field(extent_of(*member), field);
        }
        text.remove_prefix(close == std::string_view::npos ? text.size() : close + 1);
      }
    }
    const Node* fields = rule.find("x-field");
    for (const Node* field : fields == nullptr ? std::span<const Node* const>() : fields->items) {
      if (field->is(Kind::string) && !is_row_field(field->text)) {
        good = unknown_field(field->extent, field->text);
      }
    }
    return good;
  }

  bool unknown_field(Extent place, std::string_view field) {
    const std::vector<std::string_view> names(row_fields().begin(), row_fields().end());
    return refuse("policy-field", place,
                  fmt::format("a resolved row has no field '{}'", printable(field)),
                  did_you_mean(field, names));
  }

  // The rule as a schema of its own, with the file's definitions.
  void compile(const Node& node, Policy& policy) {
    Rule rule;
    const auto text = [&](std::string_view name) {
      const Node* value = node.find(name);
      return value == nullptr ? std::string() : std::string(value->text);
    };
    rule.id = text("title");
    rule.message = text("x-message");
    rule.help = text("x-help");
    rule.severity = text("x-severity") == "warning" ? Severity::warning : Severity::error;
    const Node* fields = node.find("x-field");
    for (const Node* field : fields == nullptr ? std::span<const Node* const>() : fields->items) {
      rule.fields.emplace_back(field->text);
    }
    auto part = std::make_shared<yaml::Document>(document_->file());
    Node* root = part->store().make();
    *root = node;
    std::vector<Member> members(node.members.begin(), node.members.end());
    if (const Member* definitions = document_->root().find_member("definitions")) {
      members.push_back(*definitions);
    }
    root->members = part->store().keep(members);
    part->set_root(schema::prepare(*root, part->store()));
    // The copy's texts lie in the file's own document, which must live as long.
    const std::shared_ptr<const yaml::Document> kept(
        part.get(), [part, whole = document_](const yaml::Document*) {});
    try {
      rule.schema = schema::compile(kept, kept->root());
    } catch (const std::runtime_error& problem) {
      refuse("policy-schema", node.extent,
             fmt::format("rule '{}' is no valid schema: {}", printable(rule.id),
                         printable(problem.what())));
      return;
    }
    policy.rules.push_back(std::move(rule));
  }

  std::shared_ptr<const yaml::Document> document_;
  bool own_;
  Diagnostics& diagnostics_;
  static constexpr std::size_t max_expanded_size = 10'000;
  static constexpr std::size_t max_path = 200;
  std::map<std::string_view, std::vector<std::string_view>> uses_;
  std::map<std::string_view, std::optional<std::size_t>> sizes_;
  std::map<std::string_view, Extent> titles_;
  const Node* definitions_ = nullptr;
  bool good_ = true;  // the definitions, on which every rule may stand
};

}  // namespace

void add_policy_file(Policy& policy, std::shared_ptr<const yaml::Document> document,
                     Diagnostics& diagnostics) {
  RuleFile(std::move(document), false, diagnostics).add_rules(policy);
}

const Policy& embedded_policy() {
  static const Policy policy = [] {
    Policy made;
    Diagnostics diagnostics;
    for (const auto& schema : schema::embedded_schemas()) {
      if (schema.name != "row-policy") continue;
      auto file = std::make_shared<SourceFile>("row-policy.schema.json", std::string(schema.text));
      if (auto document = yaml::read_json(std::move(file), diagnostics)) {
        RuleFile(std::move(document), true, diagnostics).add_rules(made);
      }
    }
    if (diagnostics.has_errors() || made.rules.empty()) {
      throw std::logic_error("the embedded row policy is broken");
    }
    return made;
  }();
  return policy;
}

}  // namespace sweep::policy
