#include "config/rules.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "config/fields.h"

namespace sweep::config {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

// One entry under check: each rule is a function that reads fields and adds findings.
class EntryRules {
 public:
  EntryRules(const yaml::Document& document, const Member& member, schema::Refusals& refusals,
             Diagnostics& diagnostics)
      : document_(document),
        member_(member),
        entry_(*member.value, refusals),
        refusals_(refusals),
        diagnostics_(diagnostics),
        multinode_(entry_.boolean("multinode")) {}

  void check() {
    key_wildcard();
    if (!entry_.node().is(Kind::mapping) || refusals_.refused(entry_.node())) return;
    if (const Node* scenarios = entry_.collection("scenarios", Kind::mapping)) {
      const Fields fields(*scenarios, refusals_);
      scenario_missing(fields);
      agentic_runner(fields);
      each_item(fields, "fixed-seq-len", [&](const Node& item) {
        length_overflow(item);
        rows_of(item, false);
      });
      each_item(fields, "agentic-coding", [&](const Node& item) {
        rows_of(item, true);
        dram_utilization_required(item);
      });
      transfer_required();
    }
    transfer_single_node(entry_);
  }

 private:
  // -- reporting ------------------------------------------------------------------------------
  RelatedPlace related(Extent extent, std::string message) const {
    return {document_.span(extent), std::move(message)};
  }

  // A finding that concerns `owner`, a mapping whose row is not used further.
  void report(std::string_view rule, Extent place, std::string message, std::string help,
              const Node& owner, std::vector<RelatedPlace> places = {}) {
    refusals_.touch(owner);
    if (row_ != nullptr) refusals_.touch(*row_);
    diagnostics_.add({.rule = std::string(rule),
                      .message = std::move(message),
                      .span = document_.span(place),
                      .help = std::move(help),
                      .path = {},
                      .related = std::move(places)});
  }

  // -- the entry ------------------------------------------------------------------------------
  void key_wildcard() {
    if (member_.name().find('*') == std::string_view::npos) return;
    report("key-wildcard", member_.key->extent,
           fmt::format("config key '{}' holds a '*', which is kept for patterns",
                       printable(member_.name())),
           "name the key without '*'", entry_.node());
  }

  void scenario_missing(const Fields& scenarios) {
    if (refusals_.touched(scenarios.node())) return;
    for (const std::string_view name : {"fixed-seq-len", "agentic-coding"}) {
      if (const auto* member = scenarios.given(name); member != nullptr) {
        if (!member->value->items.empty()) return;
      }
    }
    report("scenario-missing", extent_of(*entry_.node().find_member("scenarios")),
           "no scenario: 'scenarios' needs at least one item in 'fixed-seq-len' or "
           "'agentic-coding'",
           "add a fixed-seq-len item with isl, osl and search-space", scenarios.node());
  }

  void agentic_runner(const Fields& scenarios) {
    const Node* items = scenarios.collection("agentic-coding", Kind::sequence);
    const auto runner = entry_.text("runner");
    if (items == nullptr || items->items.empty() || !runner || runner->starts_with("cluster:")) {
      return;
    }
    const Member& member = *entry_.node().find_member("runner");
    report(
        "agentic-runner", extent_of(member),
        fmt::format("runner '{}' cannot run agentic-coding: the label must start with 'cluster:'",
                    printable(*runner)),
        "use a cluster label, such as cluster:mi355x-amds", entry_.node(),
        {related(scenarios.node().find_member("agentic-coding")->key->extent,
                 "agentic-coding is used here")});
    refusals_.refuse(*member.value);
  }

  void transfer_required() {
    if (entry_.boolean("disagg") != true || multinode_ != true) return;
    if (entry_.given("kv-p2p-transfer") != nullptr || entry_.refused("kv-p2p-transfer")) return;
    if (rows_seen_ > 0 && row_without_transfer_ == nullptr) return;
    if (rows_seen_ == 0 && refusals_.touched(*entry_.node().find("scenarios"))) return;
    std::vector<RelatedPlace> places;
    if (row_without_transfer_ != nullptr) {
      places.push_back(related(first_character(*row_without_transfer_), "this row has none"));
    }
    report("transfer-required", extent_of(*entry_.node().find_member("disagg")),
           "'disagg: true' needs 'kv-p2p-transfer', at the top of the entry or in every row",
           "name the KV transfer, such as nixl or mooncake", entry_.node(), std::move(places));
  }

  // Of the entry or of a row.
  void transfer_single_node(const Fields& fields) {
    const Member* member = fields.given("kv-p2p-transfer");
    if (multinode_ != false || member == nullptr || fields.refused("kv-p2p-transfer")) return;
    report("transfer-single-node", extent_of(*member),
           fmt::format("'kv-p2p-transfer' ({}) is for multi-node entries only",
                       printable(member->value->text)),
           "remove it, or set multinode: true", fields.node(), multinode_place());
  }

  std::vector<RelatedPlace> multinode_place() const {
    const Member* member = entry_.node().find_member("multinode");
    if (member == nullptr) return {};
    return {related(extent_of(*member), "the entry's kind is set here")};
  }

  // -- scenarios ------------------------------------------------------------------------------
  template <typename Function>
  void each_item(const Fields& scenarios, std::string_view name, Function function) {
    const Node* list = scenarios.collection(name, Kind::sequence);
    if (list == nullptr) return;
    for (const Node* item : list->items) {
      if (item->is(Kind::mapping) && !refusals_.refused(*item)) function(*item);
    }
  }

  // max-model-len = isl + osl + 256 must be a number.
  void length_overflow(const Node& item) {
    const Fields fields(item, refusals_);
    const auto isl = fields.integer("isl");
    const auto osl = fields.integer("osl");
    std::int64_t sum = 0;
    if (!isl || !osl) return;
    if (!__builtin_add_overflow(*isl, *osl, &sum) && !__builtin_add_overflow(sum, 256, &sum))
      return;
    const Member& member = *item.find_member("isl");
    report("bad-value", extent_of(member),
           fmt::format("'isl' ({}) and 'osl' ({}) add up to more than 64 bits hold", *isl, *osl),
           {}, item);
    refusals_.refuse(*member.value);
  }

  void rows_of(const Node& item, bool agentic) {
    const Node* rows = Fields(item, refusals_).collection("search-space", Kind::sequence);
    if (rows == nullptr || !multinode_) return;
    for (const Node* row : rows->items) {
      ++rows_seen_;
      if (!row->is(Kind::mapping) || refusals_.refused(*row)) continue;
      row_ = row;
      check_row(Fields(*row, refusals_), agentic);
      row_ = nullptr;
    }
  }

  void dram_utilization_required(const Node& item) {
    const Fields fields(item, refusals_);
    if (fields.given("dram-utilization") != nullptr || fields.refused("dram-utilization")) return;
    const Node* rows = fields.collection("search-space", Kind::sequence);
    if (rows == nullptr) return;
    for (const Node* row : rows->items) {
      if (!row->is(Kind::mapping)) continue;
      const Fields row_fields(*row, refusals_);
      if (row_fields.text("kv-offloading") != "dram") continue;
      report("dram-utilization-required", first_character(item),
             "an agentic-coding item with a row of 'kv-offloading: dram' needs 'dram-utilization'",
             "add the share of DRAM to use, such as dram-utilization: 0.6", item,
             {related(extent_of(*row->find_member("kv-offloading")), "offloading is used here")});
      return;
    }
  }

  // -- rows -----------------------------------------------------------------------------------
  void check_row(const Fields& row, bool agentic) {
    if (row.given("kv-p2p-transfer") == nullptr && !row.refused("kv-p2p-transfer") &&
        row_without_transfer_ == nullptr) {
      row_without_transfer_ = row_;
    }
    concurrency(row);
    component_scope(row, "router");
    if (multinode_ == true) component_scope(row, "kv-p2p-transfer");
    transfer_single_node(row);
    if (agentic) {
      kv_offload_backend(row);
      if (row_topology(row)) return;
      if (multinode_ == true) multinode_row_field(row);
    }
    if (multinode_ == true) {
      workers(row);
    } else {
      dcp_divides_tp(row);
    }
  }

  // The row's concurrency fields in the order they are written.
  static std::vector<const Member*> concurrency_fields(const Fields& row) {
    std::vector<const Member*> found;
    for (const Member& member : row.node().members) {
      const auto name = member.name();
      if (name == "conc-start" || name == "conc-end" || name == "conc-list") {
        if (!member.value->is_null()) found.push_back(&member);
      }
    }
    std::sort(found.begin(), found.end(), [](const Member* a, const Member* b) {
      return a->key->extent.begin < b->key->extent.begin;
    });
    return found;
  }

  void concurrency(const Fields& row) {
    if (row.refused("conc-start") || row.refused("conc-end") || row.refused("conc-list")) return;
    const auto fields = concurrency_fields(row);
    const std::string help = "give either conc-start and conc-end, or conc-list";
    if (fields.empty()) {
      report("conc-missing", first_character(row.node()),
             "the row has no concurrency: neither 'conc-start' and 'conc-end' nor 'conc-list'",
             help, row.node());
      return;
    }
    const Member* list = row.given("conc-list");
    const Member* start = row.given("conc-start");
    const Member* end = row.given("conc-end");
    const Extent place = extent_of(*fields.front());
    if (list != nullptr && (start != nullptr || end != nullptr)) {
      std::vector<RelatedPlace> places;
      for (std::size_t i = 1; i < fields.size(); ++i) {
        places.push_back(related(extent_of(*fields[i]), "also given here"));
      }
      report("conc-both", place,
             fmt::format("'conc-list' and '{}' cannot both be given",
                         start != nullptr ? "conc-start" : "conc-end"),
             help, row.node(), std::move(places));
    } else if (list == nullptr && (start == nullptr || end == nullptr)) {
      report("conc-range-incomplete", place,
             fmt::format("'{}' without '{}'", start != nullptr ? "conc-start" : "conc-end",
                         start != nullptr ? "conc-end" : "conc-start"),
             help, row.node());
    } else if (list == nullptr) {
      const auto first = row.integer("conc-start");
      const auto last = row.integer("conc-end");
      if (first && last && *first > *last) {
        report("conc-range-reversed", place,
               fmt::format("'conc-start' ({}) must not be greater than 'conc-end' ({})", *first,
                           *last),
               "swap the two", row.node(), {related(extent_of(*fields.back()), "the other end")});
      }
    }
  }

  void component_scope(const Fields& row, std::string_view name) {
    const Member* inner = row.given(name);
    const Member* outer = entry_.given(name);
    if (inner == nullptr || outer == nullptr || row.refused(name) || entry_.refused(name)) return;
    report("component-scope", extent_of(*inner),
           fmt::format("'{}' is given both at the top of the entry and in this row", name),
           "keep one of the two; null in a row switches the entry's value off", row.node(),
           {related(extent_of(*outer), "the entry's value")});
  }

  void kv_offload_backend(const Fields& row) {
    const Member* offloading = row.given("kv-offloading");
    const Member* backend = row.given("kv-offload-backend");
    if (row.refused("kv-offloading") || row.refused("kv-offload-backend")) return;
    const auto value = row.text("kv-offloading");
    if (value == "dram" && backend == nullptr) {
      report("kv-offload-backend-required", extent_of(*offloading),
             "'kv-offloading: dram' needs 'kv-offload-backend'",
             "name the backend, such as kv-offload-backend: { name: lmcache }", row.node());
    }
    // A single-node row without kv-offloading has its finding already.
    const bool none = value == "none" || (offloading == nullptr && multinode_ == true);
    if (none && backend != nullptr) {
      std::vector<RelatedPlace> places;
      if (offloading != nullptr) {
        places.push_back(related(extent_of(*offloading), "offloading is off here"));
      }
      report("kv-offload-backend-unexpected", extent_of(*backend),
             "'kv-offload-backend' is given, but 'kv-offloading' is not 'dram'",
             "remove it, or set kv-offloading: dram", row.node(), std::move(places));
    }
  }

  // True when the row is of the wrong kind, so that its layout is not looked at.
  bool row_topology(const Fields& row) {
    if (row.refused("tp") || row.refused("prefill") || row.refused("decode")) return false;
    const bool tp = row.given("tp") != nullptr;
    const bool prefill = row.given("prefill") != nullptr;
    const bool decode = row.given("decode") != nullptr;
    std::string message;
    std::string help;
    if (tp && (prefill || decode)) {
      message = fmt::format("the row has both 'tp' and '{}'", prefill ? "prefill" : "decode");
      help = "a single-node row has tp, a multi-node row prefill and decode";
    } else if (prefill != decode) {
      message = fmt::format("the row has '{}' without '{}'", prefill ? "prefill" : "decode",
                            prefill ? "decode" : "prefill");
      help = "a multi-node row has both workers";
    } else if (prefill && multinode_ == false) {
      message = "the row has 'prefill' and 'decode', but its entry has 'multinode: false'";
      help = "give the row a tp, or set multinode: true";
    } else if (!prefill && multinode_ == true) {
      message = fmt::format("the row has {}, but its entry has 'multinode: true'",
                            tp ? "'tp'" : "no 'prefill' and 'decode'");
      help = "give the row prefill and decode, or set multinode: false";
    } else {
      return false;
    }
    report("row-topology", first_character(row.node()), std::move(message), std::move(help),
           row.node(), multinode_place());
    return true;
  }

  void multinode_row_field(const Fields& row) {
    for (const std::string_view name : {"pp", "dcp-size", "pcp-size", "ep", "dp-attn"}) {
      const Member* member = row.node().find_member(name);
      if (member == nullptr || row.refused(name)) continue;
      report("multinode-row-field", extent_of(*member),
             fmt::format("'{}' cannot stand beside 'prefill' and 'decode'", name),
             "move it into the workers", row.node());
    }
  }

  void workers(const Fields& row) {
    std::array<const Member*, 2> hardware{};
    std::array<const Member*, 2> found{};
    bool known = true;
    const std::array<std::string_view, 2> names{"prefill", "decode"};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Node* worker = row.collection(names[i], Kind::mapping);
      if (worker == nullptr) {
        known = false;
        continue;
      }
      found[i] = row.node().find_member(names[i]);
      const Fields fields(*worker, refusals_);
      dcp_divides_tp(fields);
      hardware[i] = fields.given("hardware");
      if (fields.refused("hardware")) known = false;
    }
    if (!known || (hardware[0] == nullptr) == (hardware[1] == nullptr)) return;
    const std::size_t with = hardware[0] != nullptr ? 0 : 1;
    report("hardware-pair", extent_of(*hardware[with]),
           fmt::format("'hardware' ({}) is given for {} only; {} needs it too",
                       printable(hardware[with]->value->text), names[with], names[1 - with]),
           "give it for both workers or for none", row.node(),
           {related(found[1 - with]->key->extent, "this worker has none")});
  }

  // Of a single-node row or of a worker.
  void dcp_divides_tp(const Fields& fields) {
    const auto tp = fields.integer("tp");
    const auto dcp_size = fields.integer("dcp-size");
    if (!tp || !dcp_size || *tp < 1 || *dcp_size < 1 || *tp % *dcp_size == 0) return;
    report("dcp-divides-tp", extent_of(*fields.node().find_member("dcp-size")),
           fmt::format("'dcp-size' ({}) must divide 'tp' ({})", *dcp_size, *tp), divisors(*tp),
           fields.node(), {related(extent_of(*fields.node().find_member("tp")), "tp is set here")});
  }

  static std::string divisors(std::int64_t number) {
    constexpr std::int64_t largest_listed = 4096;
    if (number > largest_listed) return {};
    std::string text = "use 1";
    for (std::int64_t i = 2; i <= number; ++i) {
      if (number % i == 0) text += fmt::format("{}{}", i == number ? " or " : ", ", i);
    }
    return text;
  }

  const yaml::Document& document_;
  const Member& member_;
  Fields entry_;
  schema::Refusals& refusals_;
  Diagnostics& diagnostics_;
  std::optional<bool> multinode_;
  const Node* row_ = nullptr;
  const Node* row_without_transfer_ = nullptr;
  std::size_t rows_seen_ = 0;
};

}  // namespace

void check_rules(const yaml::Document& document, const Member& entry, schema::Refusals& refusals,
                 Diagnostics& diagnostics) {
  EntryRules(document, entry, refusals, diagnostics).check();
}

}  // namespace sweep::config
