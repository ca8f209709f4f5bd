#include "sweep/canary.h"

#include <array>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "config/fields.h"

namespace sweep::canary {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

constexpr std::string_view bucket_group = "single_node";
constexpr std::array<std::string_view, 2> lengths{"1k1k", "8k1k"};

class Chooser {
 public:
  Chooser(const yaml::Document& plan, Diagnostics& diagnostics)
      : plan_(plan), diagnostics_(diagnostics) {}

  // False when the document is no plan; else the canary, if any, is in `row()`.
  bool run() {
    const Node& root = plan_.root();
    if (!wanted(root, Kind::mapping, "the plan", root.extent)) return false;
    const Member* group = root.find_member(bucket_group);
    if (group == nullptr) return true;
    if (!wanted(*group, Kind::mapping)) return false;
    for (const auto length : lengths) {
      const Member* bucket = group->value->find_member(length);
      if (bucket == nullptr || !wanted(*bucket, Kind::sequence)) continue;
      for (const Node* row : bucket->value->items) consider(*row, length);
    }
    return good_;
  }

  const Node* row() const { return row_; }

 private:
  void consider(const Node& row, std::string_view length) {
    const auto place = config::first_character(row);
    if (!wanted(row, Kind::mapping, fmt::format("a row of '{}'", length), place)) return;
    const Node* run_eval = row.find("run-eval");
    if (run_eval != nullptr && run_eval->boolean) return;
    const Member* conc = row.find_member("conc");
    if (conc == nullptr) {
      return refuse("missing-field", fmt::format("a row of '{}' has no 'conc'", length), place);
    }
    if (!wanted(*conc, Kind::integer)) return;
    if (row_ != nullptr && conc->value->integer >= lowest_conc_) return;
    row_ = &row;
    lowest_conc_ = conc->value->integer;
  }

  bool wanted(const Member& member, Kind kind) {
    return wanted(*member.value, kind, fmt::format("'{}'", member.name()),
                  config::extent_of(member));
  }

  bool wanted(const Node& node, Kind kind, std::string_view what, Extent place) {
    if (node.is(kind)) return true;
    refuse(
        "wrong-type",
        fmt::format("{} must be {}, not {}", what, yaml::describe(kind), yaml::describe(node.kind)),
        place);
    return false;
  }

  void refuse(std::string_view rule, std::string message, Extent place) {
    diagnostics_.add({.rule = std::string(rule),
                      .message = std::move(message),
                      .span = plan_.span(place),
                      .help = "give a plan as the plan command prints it",
                      .path = {},
                      .related = {}});
    good_ = false;
  }

  const yaml::Document& plan_;
  Diagnostics& diagnostics_;
  bool good_ = true;
  const Node* row_ = nullptr;
  std::int64_t lowest_conc_ = 0;
};

void write_bucket(JsonWriter& json, const Node* bucket, const Node* without) {
  json.open('[');
  if (bucket != nullptr) {
    for (const Node* row : bucket->items) {
      if (row != without) write_json(json, *row);
    }
  }
  json.close(']');
}

void write_group(JsonWriter& json, const Node* group, const Node* without) {
  json.open('{');
  if (group != nullptr) {
    for (const auto& member : group->members) {
      json.key(member.name());
      if (member.value->is(Kind::sequence)) {
        write_bucket(json, member.value, without);
      } else {
        write_json(json, *member.value);
      }
    }
  }
  for (const auto length : lengths) {
    if (group != nullptr && group->find(length) != nullptr) continue;
    json.key(length);
    write_bucket(json, nullptr, nullptr);
  }
  json.close('}');
}

std::string remaining(const Node& plan, const Node* without) {
  std::string out;
  JsonWriter json(out);
  json.open('{');
  for (const auto& member : plan.members) {
    json.key(member.name());
    if (member.name() == bucket_group) {
      write_group(json, member.value, without);
    } else {
      write_json(json, *member.value);
    }
  }
  if (plan.find(bucket_group) == nullptr) {
    json.key(bucket_group);
    write_group(json, nullptr, nullptr);
  }
  json.close('}');
  return out;
}

}  // namespace

std::string Split::json() const {
  return fmt::format(R"({{"canary":{},"remaining":{}}})", canary, remaining);
}

std::optional<Split> split(const yaml::Document& plan, Diagnostics& diagnostics) {
  Chooser chooser(plan, diagnostics);
  if (!chooser.run()) return std::nullopt;
  Split split;
  split.row = chooser.row();
  JsonWriter json(split.canary);
  json.open('[');
  if (split.row != nullptr) write_json(json, *split.row);
  json.close(']');
  split.remaining = remaining(plan.root(), split.row);
  return split;
}

}  // namespace sweep::canary
