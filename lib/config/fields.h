/// Reading a mapping's fields next to what the shape check has refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/config.h"
#include "sweep/schema.h"

namespace sweep::config {

/// A mapping whose refused fields answer as if nothing were known of them.
class Fields {
 public:
  Fields(const yaml::Node& mapping, const schema::Refusals& refusals)
      : mapping_(&mapping), refusals_(&refusals) {}

  const yaml::Node& node() const { return *mapping_; }

  /// The member when it is written and not null, refused or not.
  const yaml::Member* given(std::string_view name) const {
    const auto* member = mapping_->find_member(name);
    return member == nullptr || member->value->is_null() ? nullptr : member;
  }
  /// The field has its finding: it is refused, or misspelt.
  bool refused(std::string_view name) const {
    const auto* value = mapping_->find(name);
    return value != nullptr ? refusals_->refused(*value) : refusals_->misspelt(*mapping_, name);
  }

  std::optional<std::int64_t> integer(std::string_view name) const {
    const auto* value = usable(name, yaml::Kind::integer);
    return value == nullptr ? std::nullopt : std::optional(value->integer);
  }
  /// The default where the field is absent or null; nothing where it is refused.
  std::optional<std::int64_t> integer_or(std::string_view name, std::int64_t fallback) const {
    return given(name) == nullptr && !refused(name) ? std::optional(fallback) : integer(name);
  }
  std::optional<bool> boolean(std::string_view name) const {
    const auto* value = usable(name, yaml::Kind::boolean);
    return value == nullptr ? std::nullopt : std::optional(value->boolean);
  }
  std::optional<std::string_view> text(std::string_view name) const {
    const auto* value = usable(name, yaml::Kind::string);
    return value == nullptr ? std::nullopt : std::optional(value->text);
  }
  /// A mapping or a list that is not refused itself; what is in it may be.
  const yaml::Node* collection(std::string_view name, yaml::Kind kind) const {
    return usable(name, kind);
  }

 private:
  const yaml::Node* usable(std::string_view name, yaml::Kind kind) const {
    const auto* value = mapping_->find(name);
    return value != nullptr && value->is(kind) && !refusals_->refused(*value) ? value : nullptr;
  }

  const yaml::Node* mapping_;
  const schema::Refusals* refusals_;
};

/// From the key to the end of the value; a value from an alias stands where it was written.
inline Extent extent_of(const yaml::Member& member) {
  const Extent key = member.key->extent;
  const Extent value = member.value->extent;
  return value.begin >= key.begin ? Extent{key.begin, std::max(key.end, value.end)} : key;
}

/// The place of a mapping that is a list item: its first character.
inline Extent first_character(const yaml::Node& node) {
  return {node.extent.begin, node.extent.begin + 1};
}

}  // namespace sweep::config
