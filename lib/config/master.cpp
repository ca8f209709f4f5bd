#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "config/fields.h"
#include "config/rules.h"
#include "sweep/config.h"
#include "sweep/schema.h"

namespace sweep::config {
namespace {

using yaml::Kind;
using yaml::Node;

// -- clean nodes to values: the shape check and the rules have passed ---------------------------

std::string text_of(const Node& node) { return std::string(node.text); }

const Node* given(const Node& mapping, std::string_view name) {
  const Node* value = mapping.find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::int64_t integer_or(const Node& mapping, std::string_view name, std::int64_t fallback) {
  const Node* value = given(mapping, name);
  return value == nullptr ? fallback : value->integer;
}

Nullable<std::string> nullable_text(const Node& mapping, std::string_view name) {
  const Node* value = mapping.find(name);
  if (value == nullptr) return std::nullopt;
  return value->is_null() ? std::optional<std::string>() : text_of(*value);
}

std::optional<std::string> optional_text(const Node& mapping, std::string_view name) {
  const Node* value = given(mapping, name);
  return value == nullptr ? std::nullopt : std::optional(text_of(*value));
}

std::optional<Router> router_of(const Node* node) {
  if (node == nullptr || node->is_null()) return std::nullopt;
  return Router{text_of(*node->find("name")), text_of(*node->find("version"))};
}

Layout layout_of(const Node& mapping) {
  Layout layout;
  layout.tp = integer_or(mapping, "tp", 1);
  layout.pp = integer_or(mapping, "pp", 1);
  layout.dcp_size = integer_or(mapping, "dcp-size", 1);
  layout.pcp_size = integer_or(mapping, "pcp-size", 1);
  layout.ep = integer_or(mapping, "ep", 1);
  const Node* dp_attn = given(mapping, "dp-attn");
  layout.dp_attn = dp_attn != nullptr && dp_attn->boolean;
  return layout;
}

Worker worker_of(const Node& node) {
  Worker worker;
  worker.num_worker = node.find("num-worker")->integer;
  worker.layout = layout_of(node);
  worker.hardware = nullable_text(node, "hardware");
  worker.moe_backend = optional_text(node, "moe-backend");
  if (const Node* settings = node.find("additional-settings"); settings != nullptr) {
    worker.additional_settings.emplace();
    if (!settings->is_null()) {
      auto& texts = worker.additional_settings->emplace();
      for (const Node* item : settings->items) texts.push_back(text_of(*item));
    }
  }
  return worker;
}

Concurrency concurrency_of(const Node& row) {
  Concurrency concurrency;
  if (const Node* list = given(row, "conc-list"); list != nullptr) {
    for (const Node* item : list->items) concurrency.list.push_back(item->integer);
  } else {
    concurrency.is_range = true;
    concurrency.start = row.find("conc-start")->integer;
    concurrency.end = row.find("conc-end")->integer;
  }
  return concurrency;
}

std::optional<Environment> environment_of(const Node& row) {
  const Node* env = given(row, "env");
  if (env == nullptr) return std::nullopt;
  Environment knobs;
  for (const auto& knob : env->members) {
    std::string value = text_of(*knob.value);
    if (knob.value->is(Kind::boolean)) value = knob.value->boolean ? "true" : "false";
    if (knob.value->is(Kind::integer)) value = fmt::format("{}", knob.value->integer);
    knobs.emplace_back(knob.name(), std::move(value));
  }
  return knobs;
}

SpecDecoding spec_decoding_of(const Node& row) {
  const Node* value = row.find("spec-decoding");
  for (const auto known : {SpecDecoding::mtp, SpecDecoding::draft_model}) {
    if (value != nullptr && value->text == to_string(known)) return known;
  }
  return SpecDecoding::none;
}

// Exact, as written; forms that are no plain decimal (base 60, very long) by their shortest one.
std::optional<Decimal> decimal_of(const Node& node) {
  if (node.is(Kind::integer)) return Decimal{node.integer, 0};
  const auto exact = parse_decimal(node.text);
  return exact ? exact : parse_decimal(fmt::format("{}", node.real));
}

SearchRow row_of(const Node& node, const Node& entry, bool multinode) {
  SearchRow row;
  row.node = &node;
  if (multinode) {
    row.prefill = worker_of(*node.find("prefill"));
    row.decode = worker_of(*node.find("decode"));
  } else {
    row.layout = layout_of(node);
  }
  row.spec_decoding = spec_decoding_of(node);
  const Node* offloading = node.find("kv-offloading");
  if (offloading != nullptr && offloading->text == to_string(KvOffloading::dram)) {
    row.kv_offloading = KvOffloading::dram;
  }
  if (const Node* backend = given(node, "kv-offload-backend"); backend != nullptr) {
    row.kv_offload_backend = {text_of(*backend->find("name")), nullable_text(*backend, "version")};
  }
  // A row's null switches the entry's value off.
  const Node& router_owner = node.find("router") != nullptr ? node : entry;
  const Node& transfer_owner = node.find("kv-p2p-transfer") != nullptr ? node : entry;
  row.router = router_of(router_owner.find("router"));
  row.kv_p2p_transfer = optional_text(transfer_owner, "kv-p2p-transfer");
  row.moe_backend = optional_text(node, "moe-backend");
  row.env = environment_of(node);
  row.concurrency = concurrency_of(node);
  return row;
}

// -- what is clean ------------------------------------------------------------------------------

// Whether the fields an entry's rows build on are there and not refused.
bool usable(const Node& entry, const schema::Refusals& refusals) {
  if (!entry.is(Kind::mapping) || refusals.refused(entry)) return false;
  constexpr std::string_view required[] = {"image",     "model",  "model-prefix", "precision",
                                           "framework", "runner", "multinode",    "scenarios"};
  for (const auto name : required) {
    const Node* value = entry.find(name);
    if (value == nullptr) return false;
    if (name != "runner" && refusals.refused(*value)) return false;
    if (name == "runner" && !value->is(Kind::string)) return false;
  }
  for (const std::string_view name : {"router", "kv-p2p-transfer", "disagg"}) {
    const Node* value = entry.find(name);
    if (value != nullptr && refusals.touched(*value)) return false;
  }
  return true;
}

template <typename Add>
void clean_rows(const Node& item, const schema::Refusals& refusals, Add add) {
  const Node* rows = item.find("search-space");
  if (rows == nullptr || refusals.refused(*rows)) return;
  for (const Node* row : rows->items) {
    if (!refusals.touched(*row)) add(*row);
  }
}

Entry entry_of(const yaml::Document& document, const yaml::Member& member,
               const schema::Refusals& refusals) {
  const Node& node = *member.value;
  Entry entry;
  entry.key = member.name();
  entry.image = text_of(*node.find("image"));
  entry.model = text_of(*node.find("model"));
  entry.model_prefix = text_of(*node.find("model-prefix"));
  entry.precision = text_of(*node.find("precision"));
  entry.framework = text_of(*node.find("framework"));
  entry.runner = text_of(*node.find("runner"));
  entry.runner_refused = refusals.refused(*node.find("runner"));
  entry.multinode = node.find("multinode")->boolean;
  const Node* disagg = node.find("disagg");
  entry.disagg = disagg != nullptr && disagg->boolean;
  entry.member = &member;
  entry.document = &document;
  const Node& scenarios = *node.find("scenarios");
  const auto items = [&](std::string_view name) -> std::vector<const Node*> {
    const Node* list = given(scenarios, name);
    if (list == nullptr || refusals.refused(*list)) return {};
    std::vector<const Node*> clean;
    for (const Node* item : list->items) {
      if (item->is(Kind::mapping)) clean.push_back(item);
    }
    return clean;
  };
  for (const Node* item : items("fixed-seq-len")) {
    const Fields fields(*item, refusals);
    const auto isl = fields.integer("isl");
    const auto osl = fields.integer("osl");
    if (!isl || !osl) continue;
    FixedSeqLen& fixed = entry.fixed_seq_len.emplace_back();
    fixed.isl = *isl;
    fixed.osl = *osl;
    clean_rows(*item, refusals,
               [&](const Node& row) { fixed.rows.push_back(row_of(row, node, entry.multinode)); });
  }
  for (const Node* item : items("agentic-coding")) {
    const Node* share = given(*item, "dram-utilization");
    AgenticCoding& agentic = entry.agentic_coding.emplace_back();
    if (share != nullptr && !refusals.refused(*share)) {
      agentic.share = share;
      agentic.dram_utilization = decimal_of(*share);
    }
    clean_rows(*item, refusals, [&](const Node& row) {
      // Without its share of DRAM, which has its finding, a row cannot be reckoned with.
      SearchRow made = row_of(row, node, entry.multinode);
      if (made.kv_offloading == KvOffloading::none || agentic.dram_utilization) {
        agentic.rows.push_back(std::move(made));
      }
    });
  }
  return entry;
}

}  // namespace

MasterConfig read_master_configs(std::span<const std::shared_ptr<const SourceFile>> files,
                                 Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<const yaml::Document>> documents;
  for (const auto& file : files) {
    if (auto document = yaml::read(file, diagnostics)) documents.push_back(std::move(document));
  }
  return read_master_configs(documents, diagnostics);
}

MasterConfig read_master_configs(std::span<const std::shared_ptr<const yaml::Document>> documents,
                                 Diagnostics& diagnostics) {
  MasterConfig config;
  std::unordered_map<std::string_view, SourceSpan> keys;
  for (const auto& document : documents) {
    config.documents.push_back(document);
    schema::Refusals refusals = schema::check("master-config", *document, diagnostics);
    for (const auto& member : document->root().members) {
      const auto [first, fresh] = keys.emplace(member.name(), document->span(member.key->extent));
      if (!fresh) {
        diagnostics.add({.rule = "key-duplicate",
                         .message = fmt::format("config key '{}' is already defined in {}",
                                                printable(member.name()),
                                                printable(first->second.file->name())),
                         .span = document->span(member.key->extent),
                         .help = "remove one of the two, or give it another key",
                         .path = {},
                         .related = {{first->second, "first defined here"}}});
      }
      check_rules(*document, member, refusals, diagnostics);
      if (fresh && usable(*member.value, refusals)) {
        config.entries.push_back(entry_of(*document, member, refusals));
      }
    }
  }
  return config;
}

}  // namespace sweep::config
