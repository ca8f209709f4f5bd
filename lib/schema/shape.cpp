#include "schema/shape.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <re2/re2.h>
#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/constraints/constraint_visitor.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>

#include "schema/node_adapter.h"

namespace sweep::schema {

bool Pattern::matches(std::string_view value) const {
  return re2::RE2::PartialMatch(re2::StringPiece(value.data(), value.size()), *compiled);
}

Shape::Ref Shape::property(std::string_view name) const {
  const auto found = std::lower_bound(properties.begin(), properties.end(), name,
                                      [](const auto& item, auto key) { return item.first < key; });
  return found != properties.end() && found->first == name ? found->second : nullptr;
}

namespace {

std::shared_ptr<const re2::RE2> compile_pattern(const std::string& text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  constexpr std::int64_t memory_bytes = 1 << 20;
  options.set_max_mem(memory_bytes);
  return std::make_shared<const re2::RE2>(text, options);
}

Pattern make_pattern(const std::string& text) {
  auto compiled = compile_pattern(text);
  if (!compiled->ok()) throw std::runtime_error("pattern '" + text + "': " + compiled->error());
  return {text, std::move(compiled)};
}

unsigned bit(yaml::Kind kind) { return 1U << static_cast<unsigned>(kind); }

unsigned kinds_of(valijson::constraints::TypeConstraint::JsonType type) {
  using Json = valijson::constraints::TypeConstraint;
  using yaml::Kind;
  switch (type) {
    case Json::kArray:
      return bit(Kind::sequence);
    case Json::kBoolean:
      return bit(Kind::boolean);
    case Json::kInteger:
      return bit(Kind::integer);
    case Json::kNull:
      return bit(Kind::null);
    case Json::kNumber:
      return bit(Kind::integer) | bit(Kind::real);
    case Json::kObject:
      return bit(Kind::mapping);
    case Json::kString:
      return bit(Kind::string);
    case Json::kAny:
      break;
  }
  return ~0U;
}

}  // namespace

std::string pattern_problem(std::string_view text) {
  const auto compiled = compile_pattern(std::string(text));
  return compiled->ok() ? std::string() : compiled->error();
}

/// Visits valijson's constraints and fills Shapes from them, each subschema once.
class Compiler : public valijson::constraints::ConstraintVisitor {
 public:
  using Subschema = valijson::Subschema;

  explicit Compiler(Compiled& compiled) : compiled_(compiled) {}

  static void fill(Compiled& compiled, std::shared_ptr<const yaml::Document> document,
                   const valijson::Schema& schema) {
    Compiler compiler(compiled);
    compiled.document_ = std::move(document);
    compiled.root_ = compiler.shape(&schema);
  }

  bool visit(const AllOfConstraint& constraint) override {
    constraint.applyToSubschemas([&](unsigned, const Subschema* part) {
      current_->all_of.push_back(shape(part));
      return true;
    });
    return true;
  }
  bool visit(const AnyOfConstraint& constraint) override {
    current_->any_of.push_back(parts(constraint));
    return true;
  }
  bool visit(const OneOfConstraint& constraint) override {
    current_->one_of.push_back(parts(constraint));
    return true;
  }
  bool visit(const ConditionalConstraint& constraint) override {
    current_->conditions.push_back({shape(constraint.getIfSubschema()),
                                    shape(constraint.getThenSubschema()),
                                    shape(constraint.getElseSubschema())});
    return true;
  }
  bool visit(const NotConstraint& constraint) override {
    current_->none_of.push_back(shape(constraint.getSubschema()));
    return true;
  }
  bool visit(const ConstConstraint& constraint) override {
    allow(*constraint.getValue());
    return true;
  }
  bool visit(const EnumConstraint& constraint) override {
    constraint.applyToValues([&](const valijson::adapters::FrozenValue& value) {
      allow(value);
      return true;
    });
    return true;
  }
  bool visit(const ContainsConstraint& constraint) override {
    current_->contains = shape(constraint.getSubschema());
    return true;
  }
  bool visit(const DependenciesConstraint& constraint) override {
    constraint.applyToPropertyDependencies([&](const auto& name, const auto& others) {
      std::vector<std::string> names;
      names.reserve(others.size());
      for (const auto& other : others) names.emplace_back(other.c_str());
      current_->required_with.emplace_back(name.c_str(), std::move(names));
      return true;
    });
    constraint.applyToSchemaDependencies([&](const auto& name, const Subschema* part) {
      current_->schema_with.emplace_back(name.c_str(), shape(part));
      return true;
    });
    return true;
  }
  bool visit(const FormatConstraint&) override { return true; }  // an annotation for us
  bool visit(const LinearItemsConstraint& constraint) override {
    current_->tuple_given = true;
    constraint.applyToItemSubschemas([&](unsigned, const Subschema* part) {
      current_->tuple.push_back(shape(part));
      return true;
    });
    current_->additional_items = shape(constraint.getAdditionalItemsSubschema());
    return true;
  }
  bool visit(const SingularItemsConstraint& constraint) override {
    current_->items = shape(constraint.getItemsSubschema());
    return true;
  }
  bool visit(const MaximumConstraint& constraint) override {
    (constraint.getExclusiveMaximum() ? current_->exclusive_maximum : current_->maximum) =
        constraint.getMaximum();
    return true;
  }
  bool visit(const MinimumConstraint& constraint) override {
    (constraint.getExclusiveMinimum() ? current_->exclusive_minimum : current_->minimum) =
        constraint.getMinimum();
    return true;
  }
  bool visit(const MaxItemsConstraint& constraint) override {
    current_->max_items = constraint.getMaxItems();
    return true;
  }
  bool visit(const MinItemsConstraint& constraint) override {
    current_->min_items = constraint.getMinItems();
    return true;
  }
  bool visit(const MaxLengthConstraint& constraint) override {
    current_->max_length = constraint.getMaxLength();
    return true;
  }
  bool visit(const MinLengthConstraint& constraint) override {
    current_->min_length = constraint.getMinLength();
    return true;
  }
  bool visit(const MaxPropertiesConstraint& constraint) override {
    current_->max_members = constraint.getMaxProperties();
    return true;
  }
  bool visit(const MinPropertiesConstraint& constraint) override {
    current_->min_members = constraint.getMinProperties();
    return true;
  }
  bool visit(const MultipleOfDoubleConstraint& constraint) override {
    current_->multiple_of = constraint.getDivisor();
    return true;
  }
  bool visit(const MultipleOfIntConstraint& constraint) override {
    current_->multiple_of = static_cast<double>(constraint.getDivisor());
    return true;
  }
  bool visit(const PatternConstraint& constraint) override {
    std::string text;
    constraint.getPattern(text);
    current_->pattern = make_pattern(text);
    return true;
  }
  bool visit(const PolyConstraint&) override {
    throw std::runtime_error("a schema holds a constraint of an unknown kind");
  }
  bool visit(const PropertiesConstraint& constraint) override {
    current_->properties_given = true;
    constraint.applyToProperties([&](const auto& name, const Subschema* part) {
      current_->properties.emplace_back(name.c_str(), shape(part));
      return true;
    });
    constraint.applyToPatternProperties([&](const auto& pattern, const Subschema* part) {
      current_->pattern_properties.emplace_back(
          make_pattern(std::string(pattern.begin(), pattern.end())), shape(part));
      return true;
    });
    std::sort(current_->properties.begin(), current_->properties.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    current_->additional_properties = shape(constraint.getAdditionalPropertiesSubschema());
    return true;
  }
  bool visit(const PropertyNamesConstraint& constraint) override {
    current_->property_names = shape(constraint.getSubschema());
    return true;
  }
  bool visit(const RequiredConstraint& constraint) override {
    constraint.applyToRequiredProperties([&](const auto& name) {
      current_->required.emplace_back(name.c_str());
      return true;
    });
    return true;
  }
  bool visit(const TypeConstraint& constraint) override {
    constraint.applyToNamedTypes([&](TypeConstraint::JsonType type) {
      current_->kinds |= kinds_of(type);
      return true;
    });
    return true;
  }
  bool visit(const UniqueItemsConstraint&) override {
    current_->unique_items = true;
    return true;
  }

 private:
  Shape::Ref shape(const Subschema* subschema) {
    if (subschema == nullptr) return nullptr;
    const auto known = known_.find(subschema);
    if (known != known_.end()) return known->second;
    Shape* made = compiled_.shapes_.emplace_back(std::make_unique<Shape>()).get();
    known_[subschema] = made;
    made->never = subschema->getAlwaysInvalid();
    if (subschema->hasDescription()) made->description = subschema->getDescription();
    Shape* outer = std::exchange(current_, made);
    Subschema::ApplyFunction each = [this](const valijson::constraints::Constraint& constraint) {
      return constraint.accept(*this);
    };
    subschema->apply(each);
    current_ = outer;
    return made;
  }

  template <typename Constraint>
  std::vector<Shape::Ref> parts(const Constraint& constraint) {
    std::vector<Shape::Ref> all;
    constraint.applyToSubschemas([&](unsigned, const Subschema* part) {
      all.push_back(shape(part));
      return true;
    });
    return all;
  }

  void allow(const valijson::adapters::FrozenValue& value) {
    current_->allowed.push_back(&static_cast<const FrozenNode&>(value).node());
  }

  Compiled& compiled_;
  Shape* current_ = nullptr;
  std::map<const Subschema*, Shape*> known_;
};

std::shared_ptr<const Compiled> compile(std::shared_ptr<const yaml::Document> schema,
                                        const yaml::Node& root) {
  valijson::Schema parsed;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(NodeAdapter(root), parsed);
  auto compiled = std::make_shared<Compiled>();
  Compiler::fill(*compiled, std::move(schema), parsed);
  return compiled;
}

}  // namespace sweep::schema
