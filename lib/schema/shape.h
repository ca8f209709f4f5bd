/// A schema made ready for checking: valijson reads draft 7 and resolves references; its
/// constraints are then laid out so that a check is one walk without look-ups by text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweep/yaml.h"

namespace re2 {
class RE2;
}

namespace sweep::schema {

struct Pattern {
  std::string text;
  std::shared_ptr<const re2::RE2> compiled;

  bool matches(std::string_view value) const;  ///< anywhere in the value, as draft 7 has it
};

/// One (sub)schema. Members that are empty say nothing.
struct Shape {
  using Ref = const Shape*;

  bool never = false;       ///< the schema `false`
  unsigned kinds = 0;       ///< bits `1 << yaml::Kind`; 0: every kind
  std::string description;  ///< serves as the help of a finding

  std::vector<const yaml::Node*> allowed;  ///< enum or const
  std::optional<double> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
  std::optional<std::uint64_t> min_length, max_length, min_items, max_items, min_members,
      max_members;
  std::optional<Pattern> pattern;
  bool unique_items = false;

  std::vector<std::pair<std::string, Ref>> properties;  ///< sorted by name
  std::vector<std::pair<Pattern, Ref>> pattern_properties;
  bool properties_given = false;
  Ref additional_properties = nullptr;  ///< nullptr with properties_given: refused
  std::vector<std::string> required;
  Ref property_names = nullptr;
  std::vector<std::pair<std::string, std::vector<std::string>>> required_with;
  std::vector<std::pair<std::string, Ref>> schema_with;

  Ref items = nullptr;
  bool tuple_given = false;
  std::vector<Ref> tuple;
  Ref additional_items = nullptr;  ///< nullptr with tuple_given: refused
  Ref contains = nullptr;

  std::vector<Ref> all_of;
  std::vector<std::vector<Ref>> any_of, one_of;
  std::vector<Ref> none_of;  ///< `not`
  struct Condition {
    Ref when = nullptr, then = nullptr, otherwise = nullptr;
  };
  std::vector<Condition> conditions;

  Ref property(std::string_view name) const;
};

/// Why a pattern cannot be used; empty when it can.
std::string pattern_problem(std::string_view text);

/// A compiled schema with what it stands on.
class Compiled {
 public:
  const Shape& root() const { return *root_; }

 private:
  friend class Compiler;
  std::shared_ptr<const yaml::Document> document_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  const Shape* root_ = nullptr;
};

/// Compiles a draft 7 schema given as a tree. Throws std::runtime_error for a schema that valijson
/// or RE2 refuses; schemas from outside are checked for what may stand in them before.
std::shared_ptr<const Compiled> compile(std::shared_ptr<const yaml::Document> schema,
                                        const yaml::Node& root);

}  // namespace sweep::schema
