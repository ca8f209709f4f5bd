/// Lets valijson read a schema from our own tree, so that values in it (`enum`, `const`) keep their
/// order and can be compared with a checked document's directly.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include <valijson/internal/adapter.hpp>
#include <valijson/internal/basic_adapter.hpp>
#include <valijson/internal/frozen_value.hpp>

#include "sweep/yaml.h"

namespace sweep::schema {

class NodeAdapter;
class NodeObject;

// A value that a constraint keeps. The schema's document outlives its constraints.
class FrozenNode : public valijson::adapters::FrozenValue {
 public:
  explicit FrozenNode(const yaml::Node& node) : node_(&node) {}
  valijson::adapters::FrozenValue* clone() const override { return new FrozenNode(*node_); }
  bool equalTo(const valijson::adapters::Adapter& other, bool strict) const override;
  const yaml::Node& node() const { return *node_; }

 private:
  const yaml::Node* node_;
};

inline const yaml::Node& empty_node() {
  static const yaml::Node node = [] {
    yaml::Node mapping;
    mapping.kind = yaml::Kind::mapping;
    return mapping;
  }();
  return node;
}

class NodeArray {
 public:
  class const_iterator;
  using iterator = const_iterator;

  NodeArray() = default;
  explicit NodeArray(const yaml::Node& node) : items_(node.items) {}
  const_iterator begin() const;
  const_iterator end() const;
  std::size_t size() const { return items_.size(); }

 private:
  std::span<const yaml::Node* const> items_;
};

using NodeObjectMember = std::pair<std::string, NodeAdapter>;

class NodeObject {
 public:
  class const_iterator;
  using iterator = const_iterator;

  NodeObject() = default;
  explicit NodeObject(const yaml::Node& node) : node_(&node) {}
  const_iterator begin() const;
  const_iterator end() const;
  const_iterator find(const std::string& name) const;
  std::size_t size() const { return node_->members.size(); }

 private:
  const yaml::Node* node_ = &empty_node();
};

class NodeValue {
 public:
  NodeValue() = default;
  explicit NodeValue(const yaml::Node& node) : node_(&node) {}

  valijson::adapters::FrozenValue* freeze() const { return new FrozenNode(*node_); }
  opt::optional<NodeArray> getArrayOptional() const {
    if (!isArray()) return {};
    return NodeArray(*node_);
  }
  bool getArraySize(std::size_t& result) const {
    if (isArray()) result = node_->items.size();
    return isArray();
  }
  bool getBool(bool& result) const {
    if (isBool()) result = node_->boolean;
    return isBool();
  }
  bool getDouble(double& result) const {
    if (isDouble()) result = node_->real;
    return isDouble();
  }
  bool getInteger(std::int64_t& result) const {
    if (isInteger()) result = node_->integer;
    return isInteger();
  }
  opt::optional<NodeObject> getObjectOptional() const {
    if (!isObject()) return {};
    return NodeObject(*node_);
  }
  bool getObjectSize(std::size_t& result) const {
    if (isObject()) result = node_->members.size();
    return isObject();
  }
  bool getString(std::string& result) const {
    if (isString()) result = node_->text;
    return isString();
  }
  static bool hasStrictTypes() { return true; }
  bool isArray() const { return node_->is(yaml::Kind::sequence); }
  bool isBool() const { return node_->is(yaml::Kind::boolean); }
  bool isDouble() const { return node_->is(yaml::Kind::real); }
  bool isInteger() const { return node_->is(yaml::Kind::integer); }
  bool isNull() const { return node_->is_null(); }
  bool isNumber() const { return isInteger() || isDouble(); }
  bool isObject() const { return node_->is(yaml::Kind::mapping); }
  bool isString() const { return node_->is(yaml::Kind::string); }

 private:
  const yaml::Node* node_ = &empty_node();
};

class NodeAdapter
    : public valijson::adapters::BasicAdapter<NodeAdapter, NodeArray, NodeObjectMember, NodeObject,
                                              NodeValue> {
 public:
  NodeAdapter() = default;
  explicit NodeAdapter(const yaml::Node& node) : BasicAdapter(NodeValue(node)) {}
};

class NodeArray::const_iterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = NodeAdapter;
  using difference_type = std::ptrdiff_t;
  using pointer = NodeAdapter*;
  using reference = NodeAdapter&;

  explicit const_iterator(const yaml::Node* const* at) : at_(at) {}
  NodeAdapter operator*() const { return NodeAdapter(**at_); }
  valijson::adapters::DerefProxy<NodeAdapter> operator->() const {
    return valijson::adapters::DerefProxy<NodeAdapter>(**this);
  }
  bool operator==(const const_iterator& other) const { return at_ == other.at_; }
  bool operator!=(const const_iterator& other) const { return at_ != other.at_; }
  const_iterator& operator++() {
    ++at_;
    return *this;
  }
  const_iterator operator++(int) { return const_iterator(at_++); }
  const_iterator& operator--() {
    --at_;
    return *this;
  }
  void advance(std::ptrdiff_t count) { at_ += count; }

 private:
  const yaml::Node* const* at_;
};

class NodeObject::const_iterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = NodeObjectMember;
  using difference_type = std::ptrdiff_t;
  using pointer = NodeObjectMember*;
  using reference = NodeObjectMember&;

  explicit const_iterator(const yaml::Member* at) : at_(at) {}
  NodeObjectMember operator*() const {
    return {std::string(at_->name()), NodeAdapter(*at_->value)};
  }
  valijson::adapters::DerefProxy<NodeObjectMember> operator->() const {
    return valijson::adapters::DerefProxy<NodeObjectMember>(**this);
  }
  bool operator==(const const_iterator& other) const { return at_ == other.at_; }
  bool operator!=(const const_iterator& other) const { return at_ != other.at_; }
  const_iterator& operator++() {
    ++at_;
    return *this;
  }
  const_iterator operator++(int) { return const_iterator(at_++); }
  const_iterator& operator--() {
    --at_;
    return *this;
  }

 private:
  const yaml::Member* at_;
};

inline NodeArray::const_iterator NodeArray::begin() const { return const_iterator(items_.data()); }
inline NodeArray::const_iterator NodeArray::end() const {
  return const_iterator(items_.data() + items_.size());
}
inline NodeObject::const_iterator NodeObject::begin() const {
  return const_iterator(node_->members.data());
}
inline NodeObject::const_iterator NodeObject::end() const {
  return const_iterator(node_->members.data() + node_->members.size());
}
inline NodeObject::const_iterator NodeObject::find(const std::string& name) const {
  const yaml::Member* member = node_->find_member(name);
  return member == nullptr ? end() : const_iterator(member);
}
inline bool FrozenNode::equalTo(const valijson::adapters::Adapter& other, bool strict) const {
  return NodeAdapter(*node_).equalTo(other, strict);
}

}  // namespace sweep::schema

template <>
struct valijson::adapters::AdapterTraits<sweep::schema::NodeAdapter> {
  using DocumentType = sweep::yaml::Node;
  static std::string adapterName() { return "NodeAdapter"; }
};
