#include "schema/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "schema/embedded.h"
#include "sweep/schema.h"

namespace sweep::schema {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

// Where a value stands: under a key or in a list, and below what.
struct Where {
  const Node* node = nullptr;
  const Member* member = nullptr;
  std::size_t index = 0;  // of a list's item, from 0
  const Where* outer = nullptr;
};

bool has_kind(const Shape& shape, Kind kind) {
  return shape.kinds == 0 || (shape.kinds & (1U << static_cast<unsigned>(kind))) != 0;
}

double number_of(const Node& node) {
  return node.is(Kind::integer) ? static_cast<double>(node.integer) : node.real;
}

bool is_number(const Node& node) { return node.is(Kind::integer) || node.is(Kind::real); }

bool unique(std::span<const Node* const> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      if (equal(*items[i], *items[j])) return false;
    }
  }
  return true;
}

// `a, b or c`
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

// As many of the names as a message has room for.
std::string listing(const std::vector<std::string_view>& names) {
  constexpr std::size_t room = 150;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text.size() + names[i].size() > room) {
      return text + fmt::format(" and {} more", names.size() - i);
    }
    if (i > 0) text += ", ";
    text += printable(names[i]);
  }
  return text;
}

std::string shown_value(const Node& node) {
  if (node.is(Kind::string)) return fmt::format("'{}'", printable(node.text, 60));
  if (node.is(Kind::sequence) || node.is(Kind::mapping)) return std::string(describe(node.kind));
  return node.text.empty() ? "null" : printable(node.text, 60);
}

std::string plain_number(double value) { return fmt::format("{}", value); }

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

class Checker {
 public:
  Checker(const yaml::Document& document, Diagnostics& diagnostics, Refusals& refusals)
      : document_(&document), diagnostics_(&diagnostics), refusals_(&refusals) {}
  Checker() = default;  // a silent one only answers yes or no

  // False when the value breaks the shape. A silent checker stops at the first fault.
  bool check(const Shape& shape, const Where& where) {
    const Node& node = *where.node;
    if (node.refused && !silent()) {  // the reader has said so
      touch(where);
      refusals_->refuse(node);
      return false;
    }
    if (shape.never)
      return refuse(
          where, "bad-value", [&] { return fmt::format("{} must not be there", subject(where)); },
          shape);
    if (!has_kind(shape, node.kind)) return refuse_kind(shape, where);
    bool good = check_allowed(shape, where);
    if (good && is_number(node)) good = check_number(shape, where);
    if (good && node.is(Kind::string)) good = check_string(shape, where);
    if (!good) return false;
    if (node.is(Kind::sequence)) good = check_sequence(shape, where);
    if (node.is(Kind::mapping)) good = check_mapping(shape, where);
    if (!good && silent()) return false;
    return check_combinations(shape, where) && good;
  }

 private:
  bool silent() const { return diagnostics_ == nullptr; }
  static bool silently(const Shape& shape, const Where& where) {
    return Checker().check(shape, where);
  }

  // -- places and words -----------------------------------------------------------------------
  std::string subject(const Where& where) const {
    if (where.member != nullptr) return fmt::format("'{}'", printable(where.member->name()));
    if (where.outer == nullptr) return where.node == &document_->root() ? "the file" : "the row";
    // Lists in lists are named by the field that holds them all.
    const Where* holder = where.outer;
    while (holder->member == nullptr && holder->outer != nullptr) holder = holder->outer;
    if (holder->member == nullptr) return fmt::format("item {}", where.index + 1);
    return fmt::format("item {} of '{}'", where.index + 1, printable(holder->member->name()));
  }

  static Extent value_place(const Where& where) {
    const Extent value = where.node->extent;
    if (where.member == nullptr) return value;
    const Extent key = where.member->key->extent;
    // A value that an alias brings here stands where it was written.
    return value.begin >= key.begin ? Extent{key.begin, std::max(key.end, value.end)} : value;
  }

  static Extent mapping_place(const Where& where) {
    if (where.member != nullptr) return where.member->key->extent;
    const auto begin = where.node->extent.begin;
    return {begin, std::max(begin + 1, std::min(where.node->extent.end, begin + 1))};
  }

  void touch(const Where& where) {
    for (const Where* at = &where; at != nullptr; at = at->outer) refusals_->touch(*at->node);
  }

  void report(std::string_view rule, Extent place, std::string message, std::string help,
              std::vector<RelatedPlace> related = {}) {
    diagnostics_->add({.rule = std::string(rule),
                       .message = std::move(message),
                       .span = document_->span(place),
                       .help = std::move(help),
                       .path = {},
                       .related = std::move(related)});
  }

  // The value at `where` is refused; the words are only made when somebody reads them.
  template <typename Words>
  bool refuse(const Where& where, std::string_view rule, Words words, const Shape& shape,
              const std::string& help = {}) {
    if (silent()) return false;
    touch(where);
    if (refusals_->refuse(*where.node)) {
      report(rule, value_place(where), words(), help.empty() ? shape.description : help);
    }
    return false;
  }

  // -- one value ------------------------------------------------------------------------------
  bool refuse_kind(const Shape& shape, const Where& where) {
    const Node& node = *where.node;
    std::vector<std::string> wanted;
    for (const Kind kind : {Kind::boolean, Kind::integer, Kind::real, Kind::string, Kind::sequence,
                            Kind::mapping, Kind::null}) {
      if ((shape.kinds & (1U << static_cast<unsigned>(kind))) == 0) continue;
      if (kind == Kind::integer && has_kind(shape, Kind::real)) continue;  // a number is both
      wanted.emplace_back(kind == Kind::real ? "a number" : describe(kind));
    }
    if (!shape.allowed.empty()) wanted = allowed_values(shape);
    std::string help;
    const bool wants_text = has_kind(shape, Kind::string) && shape.allowed.empty() &&
                            !node.is(Kind::null) && !node.is(Kind::sequence) &&
                            !node.is(Kind::mapping);
    if (wants_text) {
      help = fmt::format("quote it: \"{}\"", printable(node.text, 60));
    } else if (node.is(Kind::string) && node.quoted) {
      Node plain;
      if (yaml::resolve_plain(node.text, plain) && has_kind(shape, plain.kind)) {
        help = fmt::format("drop the quotes: {}", printable(node.text, 60));
      }
    } else if (node.is(Kind::real) && has_kind(shape, Kind::integer) &&
               std::floor(node.real) == node.real && std::isfinite(node.real)) {
      help = fmt::format("write {:.0f}", node.real);
    }
    const auto words = [&] {
      const bool scalar =
          !node.is(Kind::null) && !node.is(Kind::sequence) && !node.is(Kind::mapping);
      if (where.outer == nullptr && node.is(Kind::null) && node.text.empty()) {
        return fmt::format("the file is empty; it must hold {}", alternatives(wanted));
      }
      return fmt::format("{} must be {}, not {}{}", subject(where), alternatives(wanted),
                         describe(node.kind),
                         scalar ? fmt::format(" ({})", shown_value(node)) : "");
    };
    return refuse(where, "wrong-type", words, shape, help);
  }

  static std::vector<std::string> allowed_values(const Shape& shape) {
    std::vector<std::string> words;
    for (const Node* allowed : shape.allowed) words.push_back(shown_value(*allowed));
    return words;
  }

  bool check_allowed(const Shape& shape, const Where& where) {
    if (shape.allowed.empty()) return true;
    const Node& node = *where.node;
    for (const Node* allowed : shape.allowed) {
      if (equal(*allowed, node)) return true;
    }
    if (silent()) return false;
    std::vector<std::string_view> texts;
    for (const Node* allowed : shape.allowed) texts.push_back(allowed->text);
    const auto near = node.is(Kind::string) ? did_you_mean(node.text, texts) : std::string();
    return refuse(
        where, "bad-value",
        [&] {
          return fmt::format("{} must be {}, not {}", subject(where),
                             alternatives(allowed_values(shape)), shown_value(node));
        },
        shape, near);
  }

  bool check_number(const Shape& shape, const Where& where) {
    const double value = number_of(*where.node);
    std::string wanted;
    if (std::isnan(value) || std::isinf(value)) {
      wanted = "a finite number";
    } else if (shape.minimum && value < *shape.minimum) {
      wanted = "at least " + plain_number(*shape.minimum);
    } else if (shape.exclusive_minimum && value <= *shape.exclusive_minimum) {
      wanted = "greater than " + plain_number(*shape.exclusive_minimum);
    } else if (shape.maximum && value > *shape.maximum) {
      wanted = "at most " + plain_number(*shape.maximum);
    } else if (shape.exclusive_maximum && value >= *shape.exclusive_maximum) {
      wanted = "less than " + plain_number(*shape.exclusive_maximum);
    } else if (shape.multiple_of && std::fmod(value, *shape.multiple_of) != 0) {
      wanted = "a multiple of " + plain_number(*shape.multiple_of);
    }
    if (wanted.empty()) return true;
    return refuse(
        where, "bad-value",
        [&] {
          return fmt::format("{} ({}) must be {}", subject(where), shown_value(*where.node),
                             wanted);
        },
        shape);
  }

  bool check_string(const Shape& shape, const Where& where) {
    const Node& node = *where.node;
    const auto length = utf8::count(node.text);
    if (shape.min_length && length < *shape.min_length) {
      return refuse(
          where, "bad-value",
          [&] {
            return *shape.min_length == 1
                       ? fmt::format("{} must not be empty", subject(where))
                       : fmt::format("{} must have at least {}, not {}", subject(where),
                                     counted(*shape.min_length, "character"), length);
          },
          shape);
    }
    if (shape.max_length && length > *shape.max_length) {
      return refuse(
          where, "bad-value",
          [&] {
            return fmt::format("{} must have at most {}, not {}", subject(where),
                               counted(*shape.max_length, "character"), length);
          },
          shape);
    }
    if (shape.pattern && !shape.pattern->matches(node.text)) {
      return refuse(
          where, "bad-value",
          [&] {
            return fmt::format("{} ({}) must match /{}/", subject(where), shown_value(node),
                               shape.pattern->text);
          },
          shape);
    }
    return true;
  }

  // -- collections ----------------------------------------------------------------------------
  bool check_count(const Where& where, std::size_t count, std::string_view noun,
                   std::optional<std::uint64_t> least, std::optional<std::uint64_t> most,
                   const Shape& shape) {
    if (least && count < *least) {
      return refuse(
          where, "bad-value",
          [&] {
            return *least == 1 ? fmt::format("{} must not be empty", subject(where))
                               : fmt::format("{} must have at least {}, not {}", subject(where),
                                             counted(*least, noun), count);
          },
          shape);
    }
    if (most && count > *most) {
      return refuse(
          where, "bad-value",
          [&] {
            return fmt::format("{} must have at most {}, not {}", subject(where),
                               counted(*most, noun), count);
          },
          shape);
    }
    return true;
  }

  bool check_sequence(const Shape& shape, const Where& where) {
    const auto items = where.node->items;
    if (!check_count(where, items.size(), "item", shape.min_items, shape.max_items, shape)) {
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Where item{items[i], nullptr, i, &where};
      Shape::Ref wanted = shape.items;
      if (shape.tuple_given) {
        wanted = i < shape.tuple.size() ? shape.tuple[i] : shape.additional_items;
        if (wanted == nullptr) {
          good = refuse(
              item, "bad-value", [&] { return fmt::format("{} is one too many", subject(item)); },
              shape);
        }
      }
      if (wanted != nullptr && !check(*wanted, item)) good = false;
      if (!good && silent()) return false;
    }
    if (shape.unique_items && !unique(items)) {
      good = refuse(
          where, "bad-value",
          [&] { return fmt::format("{} holds the same item twice", subject(where)); }, shape);
    }
    if (shape.contains != nullptr) {
      const bool found = std::any_of(items.begin(), items.end(), [&](const Node* item) {
        return silently(*shape.contains, {item, nullptr, 0, &where});
      });
      if (!found) {
        good = refuse(
            where, "bad-value",
            [&] { return fmt::format("{} lacks an item that it must hold", subject(where)); },
            *shape.contains);
      }
    }
    return good;
  }

  bool check_mapping(const Shape& shape, const Where& where) {
    const auto members = where.node->members;
    if (!check_count(where, members.size(), "field", shape.min_members, shape.max_members, shape)) {
      return false;
    }
    bool good = true;
    if (!silent()) note_misspelt(shape, where);
    for (const auto& name : shape.required) {
      if (where.node->find(name) == nullptr) good = missing(name, where);
    }
    for (const auto& [name, others] : shape.required_with) {
      if (where.node->find(name) == nullptr) continue;
      for (const auto& other : others) {
        if (where.node->find(other) == nullptr) good = missing(other, where);
      }
    }
    for (const auto& [name, part] : shape.schema_with) {
      if (where.node->find(name) != nullptr && !check(*part, where)) good = false;
    }
    if (!good && silent()) return false;
    for (const auto& member : members) {
      if (!check_member(shape, where, member)) good = false;
      if (!good && silent()) return false;
    }
    return good;
  }

  bool check_member(const Shape& shape, const Where& where, const Member& member) {
    const Where at{member.value, &member, 0, &where};
    bool good = true;
    if (shape.property_names != nullptr &&
        !silently(*shape.property_names, {member.key, nullptr, 0, nullptr})) {
      good = refuse_name(*shape.property_names, where, member);
    }
    if (!shape.properties_given) return good;
    bool known = false;
    if (const auto* wanted = shape.property(member.name()); wanted != nullptr) {
      known = true;
      if (!check(*wanted, at)) good = false;
    }
    for (const auto& [pattern, wanted] : shape.pattern_properties) {
      if (!pattern.matches(member.name())) continue;
      known = true;
      if (!check(*wanted, at)) good = false;
    }
    if (known) return good;
    if (shape.additional_properties != nullptr) {
      return check(*shape.additional_properties, at) && good;
    }
    return unknown(shape, where, member);
  }

  bool missing(const std::string& name, const Where& where) {
    if (silent()) return false;
    touch(where);
    if (!refusals_->miss(*where.node, name)) return false;
    report("missing-field", mapping_place(where),
           fmt::format("{} lacks the field '{}'", subject(where), name), {});
    return false;
  }

  // What must be there comes first, as it is meant or missed most often.
  static std::vector<std::string_view> known_names(const Shape& shape) {
    std::vector<std::string_view> names;
    for (const auto& [name, wanted] : shape.properties) names.push_back(name);
    std::stable_partition(names.begin(), names.end(), [&](auto name) {
      return std::find(shape.required.begin(), shape.required.end(), name) != shape.required.end();
    });
    return names;
  }

  // The known field that was most likely meant; may be empty.
  static std::string meant(std::string_view name, const std::vector<std::string_view>& names) {
    // `dp_attn` for `dp-attn` is the commonest slip.
    std::string dashed(name);
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    if (std::find(names.begin(), names.end(), dashed) != names.end()) return dashed;
    const auto near = near_names(name, names);
    return near.empty() ? std::string() : near.front();
  }

  // A misspelt field is unknown; that the right one is missing needs no saying.
  void note_misspelt(const Shape& shape, const Where& where) {
    if (!shape.properties_given || shape.additional_properties != nullptr) return;
    for (const auto& member : where.node->members) {
      if (shape.property(member.name()) != nullptr) continue;
      const auto& absent = absent_names(shape, *where.node);
      const auto name = meant(member.name(), candidates_);
      if (std::find(absent.begin(), absent.end(), name) != absent.end()) {
        refusals_->misspell(*where.node, name);
      }
    }
  }

  // The known fields that a mapping does not have. Kept for the mapping last asked about, which may
  // have a great many unknown ones.
  const std::vector<std::string_view>& absent_names(const Shape& shape, const Node& node) {
    if (absent_shape_ != &shape || absent_node_ != &node) {
      absent_shape_ = &shape;
      absent_node_ = &node;
      candidates_ = known_names(shape);
      const auto present =
          std::stable_partition(candidates_.begin(), candidates_.end(),
                                [&](auto name) { return node.find(name) == nullptr; });
      absent_.assign(candidates_.begin(), present);
    }
    return absent_;
  }

  bool unknown(const Shape& shape, const Where& where, const Member& member) {
    if (silent()) return false;
    touch(where);
    const auto& names = absent_names(shape, *where.node);
    const auto near = meant(member.name(), candidates_);
    report("unknown-field", member.key->extent,
           fmt::format("unknown field '{}'; {}", printable(member.name(), 60),
                       names.empty() ? "no more fields are allowed here"
                                     : "allowed beside what is there: " + listing(names)),
           near.empty() ? std::string() : fmt::format("did you mean '{}'?", near));
    return false;
  }

  bool refuse_name(const Shape& names, const Where& where, const Member& member) {
    if (silent()) return false;
    touch(where);
    const std::string wanted = names.pattern ? fmt::format("must match /{}/", names.pattern->text)
                                             : std::string("is not allowed here");
    report(
        "bad-value", member.key->extent,
        fmt::format("the name '{}' in {} {}", printable(member.name(), 60), subject(where), wanted),
        names.description);
    return false;
  }

  // -- combinations ---------------------------------------------------------------------------
  bool check_combinations(const Shape& shape, const Where& where) {
    bool good = true;
    const auto apply = [&](Shape::Ref part) {
      if (part != nullptr && !check(*part, where)) good = false;
      return good || !silent();
    };
    for (const auto* part : shape.all_of) {
      if (!apply(part)) return false;
    }
    for (const auto& condition : shape.conditions) {
      if (condition.when == nullptr) continue;
      const bool holds = silently(*condition.when, where);
      if (!apply(holds ? condition.then : condition.otherwise)) return false;
    }
    for (const auto* part : shape.none_of) {
      if (silently(*part, where)) good = refuse_not(*part, where, shape);
    }
    for (const auto& parts : shape.any_of) {
      const bool any = std::any_of(parts.begin(), parts.end(),
                                   [&](Shape::Ref part) { return silently(*part, where); });
      if (!any) good = refuse_forms(parts, where, shape);
    }
    for (const auto& parts : shape.one_of) {
      const auto fitting = std::count_if(parts.begin(), parts.end(),
                                         [&](Shape::Ref part) { return silently(*part, where); });
      if (fitting == 0) good = refuse_forms(parts, where, shape);
      if (fitting > 1) {
        good = refuse(
            where, "bad-value",
            [&] { return fmt::format("{} fits more than one of its forms", subject(where)); },
            shape);
      }
    }
    return good;
  }

  bool refuse_not(const Shape& part, const Where& where, const Shape& shape) {
    const Node& node = *where.node;
    const bool no_null = part.kinds == (1U << static_cast<unsigned>(Kind::null));
    if (no_null && where.member != nullptr && where.outer != nullptr) {
      // A null that counts as absent where the field is needed.
      return missing(std::string(where.member->name()), *where.outer);
    }
    const auto words = [&] {
      if (!part.pattern) return fmt::format("{} must not be {}", subject(where), shown_value(node));
      const std::string& text = part.pattern->text;
      const bool literal =
          text.starts_with('^') && text.find_first_of("\\^$.|?*+()[]{}", 1) == std::string::npos;
      return literal ? fmt::format("{} ({}) must not start with '{}'", subject(where),
                                   shown_value(node), text.substr(1))
                     : fmt::format("{} ({}) must not match /{}/", subject(where), shown_value(node),
                                   text);
    };
    return refuse(where, "bad-value", words, shape);
  }

  // None of several forms fits: when the value's kind leaves one, that one's faults are told.
  bool refuse_forms(const std::vector<Shape::Ref>& parts, const Where& where, const Shape& shape) {
    if (silent()) return false;
    std::vector<Shape::Ref> likely;
    for (const auto* part : parts) {
      if (has_kind(*part, where.node->kind)) likely.push_back(part);
    }
    if (likely.size() == 1) return check(*likely.front(), where);
    return refuse(
        where, "bad-value",
        [&] { return fmt::format("{} fits none of its forms", subject(where)); }, shape);
  }

  const yaml::Document* document_ = nullptr;
  Diagnostics* diagnostics_ = nullptr;
  Refusals* refusals_ = nullptr;
  const Shape* absent_shape_ = nullptr;
  const Node* absent_node_ = nullptr;
  std::vector<std::string_view> absent_;
  std::vector<std::string_view> candidates_;  // all known names, the absent ones first
};

}  // namespace

bool matches(const Shape& shape, const yaml::Node& node) {
  return Checker().check(shape, {&node, nullptr, 0, nullptr});
}

Refusals check(std::string_view name, const yaml::Document& document, Diagnostics& diagnostics) {
  return check_value(name, document.root(), document, diagnostics);
}

Refusals check_value(std::string_view name, const yaml::Node& value, const yaml::Document& document,
                     Diagnostics& diagnostics) {
  return check(embedded_shape(name), value, document, diagnostics);
}

Refusals check(const Shape& shape, const yaml::Node& node, const yaml::Document& document,
               Diagnostics& diagnostics) {
  Refusals refusals;
  Checker(document, diagnostics, refusals).check(shape, {&node, nullptr, 0, nullptr});
  return refusals;
}

}  // namespace sweep::schema
