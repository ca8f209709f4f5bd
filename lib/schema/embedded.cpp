#include "schema/embedded.h"

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "sweep/schema.h"

namespace sweep::schema {
namespace {

bool restates_rule(const yaml::Node& node) { return node.find("x-rule") != nullptr; }

// A copy of the tree without the subschemas that restate a rule. Empty lists go too: `allOf: []`
// is no valid schema.
const yaml::Node* without_rules(const yaml::Node& node, yaml::NodeStore& store) {
  yaml::Node* copy = store.make();
  *copy = node;
  std::vector<const yaml::Node*> items;
  for (const auto* item : node.items) {
    if (!restates_rule(*item)) items.push_back(without_rules(*item, store));
  }
  std::vector<yaml::Member> members;
  for (const auto& member : node.members) {
    if (restates_rule(*member.value)) continue;
    const auto* value = without_rules(*member.value, store);
    const bool emptied = value->items.empty() && !member.value->items.empty();
    if (!emptied) members.push_back({member.key, value});
  }
  copy->items = store.keep(items);
  copy->members = store.keep(members);
  return copy;
}

// The tree without rules, and what its texts lie in.
struct Stripped {
  std::shared_ptr<const yaml::Document> whole;
  std::shared_ptr<yaml::Document> part;
};

std::shared_ptr<const Compiled> compile_embedded(const EmbeddedSchema& schema) {
  Diagnostics diagnostics;
  auto file = std::make_shared<SourceFile>(std::string(schema.name), std::string(schema.text));
  const auto stripped = std::make_shared<Stripped>();
  stripped->whole = yaml::read_json(file, diagnostics);
  if (stripped->whole == nullptr) {
    throw std::logic_error("embedded schema " + file->name() + " is not valid JSON");
  }
  stripped->part = std::make_shared<yaml::Document>(file);
  stripped->part->set_root(without_rules(stripped->whole->root(), stripped->part->store()));
  const std::shared_ptr<const yaml::Document> document(stripped, stripped->part.get());
  return compile(document, document->root());
}

}  // namespace

const Shape& embedded_shape(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string_view, std::shared_ptr<const Compiled>> compiled;
  const std::lock_guard lock(mutex);
  auto& slot = compiled[name];
  if (slot == nullptr) {
    for (const auto& schema : embedded_schemas()) {
      if (schema.name == name) slot = compile_embedded(schema);
    }
    if (slot == nullptr) throw std::logic_error("no embedded schema " + std::string(name));
  }
  return slot->root();
}

}  // namespace sweep::schema
