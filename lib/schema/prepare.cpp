#include "schema/prepare.h"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace sweep::schema {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

class Preparer {
 public:
  explicit Preparer(yaml::NodeStore& store) : store_(store) {}

  const Node* run(const Node& root) {
    const Node* copied = copy(root);
    if (hoisted_.empty()) return copied;
    std::vector<Member> members(copied->members.begin(), copied->members.end());
    std::erase_if(members, [](const Member& member) { return member.name() == "definitions"; });
    std::vector<Member> definitions = hoisted_;
    if (const Node* given = copied->find("definitions"); given != nullptr) {
      definitions.insert(definitions.end(), given->members.begin(), given->members.end());
    }
    members.push_back({text("definitions"), mapping(definitions)});
    return mapping(members);
  }

 private:
  Node* text(std::string_view words) {
    Node* node = store_.make();
    node->kind = Kind::string;
    node->text = store_.keep(words);
    return node;
  }

  Node* mapping(const std::vector<Member>& members) {
    Node* node = store_.make();
    node->kind = Kind::mapping;
    node->members = store_.keep(members);
    return node;
  }

  const Node* copy(const Node& node) {
    Node* copied = store_.make();
    *copied = node;
    std::vector<const Node*> items;
    for (const Node* item : node.items) {
      if (!restates_rule(*item)) items.push_back(copy(*item));
    }
    std::vector<Member> members;
    for (const Member& member : node.members) {
      if (restates_rule(*member.value)) continue;
      const Node* value = copy(*member.value);
      // An `allOf` that is emptied goes too: an empty one is no valid schema.
      if (value->items.empty() && !member.value->items.empty()) continue;
      if (member.name() == "propertyNames" && value->find("$ref") == nullptr) value = hoist(value);
      members.push_back({member.key, value});
    }
    copied->items = store_.keep(items);
    copied->members = store_.keep(members);
    return copied;
  }

  static bool restates_rule(const Node& node) { return node.find("x-rule") != nullptr; }

  const Node* hoist(const Node* names) {
    const std::string name = fmt::format("x-property-names-{}", hoisted_.size());
    hoisted_.push_back({text(name), names});
    return mapping({{text("$ref"), text("#/definitions/" + name)}});
  }

  yaml::NodeStore& store_;
  std::vector<Member> hoisted_;
};

}  // namespace

const yaml::Node* prepare(const yaml::Node& root, yaml::NodeStore& store) {
  return Preparer(store).run(root);
}

}  // namespace sweep::schema
