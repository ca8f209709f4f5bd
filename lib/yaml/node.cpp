#include <algorithm>
#include <cstring>
#include <new>

#include "sweep/yaml.h"

namespace sweep::yaml {

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
      return "an integer";
    case Kind::real:
      return "a float";
    case Kind::string:
      return "a string";
    case Kind::sequence:
      return "a list";
    case Kind::mapping:
      return "a mapping";
  }
  return "a value";
}

const Member* Node::find_member(std::string_view name) const {
  for (const auto& member : members) {
    if (member.name() == name) return &member;
  }
  return nullptr;
}

const Node* Node::find(std::string_view name) const {
  const Member* member = find_member(name);
  return member == nullptr ? nullptr : member->value;
}

namespace {

double number_of(const Node& node) {
  return node.is(Kind::integer) ? static_cast<double>(node.integer) : node.real;
}

bool is_number(const Node& node) { return node.is(Kind::integer) || node.is(Kind::real); }

}  // namespace

bool equal(const Node& left, const Node& right) {
  if (is_number(left) && is_number(right)) {
    return left.kind == right.kind && left.is(Kind::integer) ? left.integer == right.integer
                                                             : number_of(left) == number_of(right);
  }
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return left.boolean == right.boolean;
    case Kind::string:
      return left.text == right.text;
    case Kind::integer:
    case Kind::real:
      return false;  // handled above
    case Kind::sequence:
      return std::equal(left.items.begin(), left.items.end(), right.items.begin(),
                        right.items.end(),
                        [](const Node* a, const Node* b) { return equal(*a, *b); });
    case Kind::mapping:
      return left.members.size() == right.members.size() &&
             std::all_of(left.members.begin(), left.members.end(), [&](const Member& member) {
               const Node* other = right.find(member.name());
               return other != nullptr && equal(*member.value, *other);
             });
  }
  return false;
}

Node* NodeStore::make() { return new (arena_.allocate(sizeof(Node), alignof(Node))) Node; }

std::span<const Node* const> NodeStore::keep(std::span<const Node* const> items) {
  if (items.empty()) return {};
  void* memory = arena_.allocate(items.size_bytes(), alignof(const Node*));
  std::memcpy(memory, items.data(), items.size_bytes());
  return {static_cast<const Node* const*>(memory), items.size()};
}

std::span<const Member> NodeStore::keep(std::span<const Member> members) {
  if (members.empty()) return {};
  void* memory = arena_.allocate(members.size_bytes(), alignof(Member));
  std::memcpy(memory, members.data(), members.size_bytes());
  return {static_cast<const Member*>(memory), members.size()};
}

std::string_view NodeStore::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* memory = static_cast<char*>(arena_.allocate(text.size(), 1));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

}  // namespace sweep::yaml
