#include <utility>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "sweep/policy.h"

namespace sweep::policy {
namespace {

using yaml::Kind;
using yaml::Member;
using yaml::Node;

// Builds one resolved row. What is written in the file keeps its own nodes, and so its place.
class Resolver {
 public:
  explicit Resolver(yaml::NodeStore& store) : store_(store) {}

  void text(std::string_view name, std::string_view value) {
    Node* node = store_.make();
    node->kind = Kind::string;
    node->text = store_.keep(value);
    add(name, node);
  }
  void integer(std::string_view name, std::int64_t value) {
    Node* node = store_.make();
    node->kind = Kind::integer;
    node->integer = value;
    node->text = store_.keep(fmt::format("{}", value));
    add(name, node);
  }
  void boolean(std::string_view name, bool value) {
    Node* node = store_.make();
    node->kind = Kind::boolean;
    node->boolean = value;
    node->text = value ? "true" : "false";
    add(name, node);
  }
  void add(std::string_view name, const Node* value) {
    Node* key = store_.make();
    key->kind = Kind::string;
    key->text = store_.keep(name);
    members_.push_back({key, value});
  }
  // Another value under a key as it is written.
  void replaced(const Node& owner, std::string_view name, const Node* value) {
    members_.push_back({owner.find_member(name)->key, value});
  }
  // The field as it is written in `owner`; false when it is not there or null.
  bool written(const Node& owner, std::string_view name) {
    const Member* member = owner.find_member(name);
    if (member == nullptr || member->value->is_null()) return false;
    members_.push_back(*member);
    return true;
  }

  void layout(const config::Layout& layout, const Node& owner) {
    const auto size = [&](std::string_view name, std::int64_t value) {
      if (!written(owner, name)) integer(name, value);
    };
    size("tp", layout.tp);
    size("pp", layout.pp);
    size("dcp-size", layout.dcp_size);
    size("pcp-size", layout.pcp_size);
    size("ep", layout.ep);
    if (!written(owner, "dp-attn")) boolean("dp-attn", layout.dp_attn);
  }

  const Node* mapping() {
    Node* node = store_.make();
    node->kind = Kind::mapping;
    node->members = store_.keep(members_);
    return node;
  }

 private:
  yaml::NodeStore& store_;
  std::vector<Member> members_;
};

const Node* worker_node(const config::Worker& worker, const Node& written, yaml::NodeStore& store) {
  Resolver resolver(store);
  resolver.written(written, "num-worker");
  resolver.layout(worker.layout, written);
  for (const std::string_view name : {"hardware", "additional-settings", "moe-backend"}) {
    resolver.written(written, name);
  }
  Node* node = store.make();
  *node = *resolver.mapping();
  node->extent = written.extent;
  return node;
}

// `env` values are passed on as texts.
const Node* env_node(const config::Environment& env, const Node& written, yaml::NodeStore& store) {
  std::vector<Member> members;
  for (std::size_t i = 0; i < env.size(); ++i) {
    Node* value = store.make();
    *value = *written.members[i].value;
    value->kind = Kind::string;
    value->text = env[i].second;
    members.push_back({written.members[i].key, value});
  }
  Node* node = store.make();
  *node = written;
  node->members = store.keep(members);
  return node;
}

}  // namespace

const Node* resolve(const config::Entry& entry, const config::SearchRow& row,
                    const config::FixedSeqLen* fixed, const config::AgenticCoding* agentic,
                    yaml::NodeStore& store) {
  const Node& top = *entry.member->value;
  const Node& written = *row.node;
  Resolver resolver(store);
  resolver.text("config-key", entry.key);
  for (const std::string_view name :
       {"image", "model", "model-prefix", "precision", "framework", "runner"}) {
    resolver.written(top, name);
  }
  resolver.text("hardware", config::hardware_family(entry.runner));
  resolver.boolean("multinode", entry.multinode);
  resolver.boolean("disagg", entry.disagg);
  resolver.text("scenario-type",
                to_string(fixed != nullptr ? config::ScenarioType::fixed_seq_len
                                           : config::ScenarioType::agentic_coding));
  if (fixed != nullptr) {
    resolver.integer("isl", fixed->isl);
    resolver.integer("osl", fixed->osl);
  }
  if (agentic != nullptr && agentic->share != nullptr) {
    resolver.add("dram-utilization", agentic->share);
  }
  if (entry.multinode) {
    for (const auto& [name, worker] :
         {std::pair("prefill", &row.prefill), {"decode", &row.decode}}) {
      resolver.replaced(written, name, worker_node(*worker, *written.find(name), store));
    }
  } else {
    resolver.layout(row.layout, written);
  }
  if (!resolver.written(written, "spec-decoding")) {
    resolver.text("spec-decoding", to_string(row.spec_decoding));
  }
  if (agentic != nullptr && !resolver.written(written, "kv-offloading")) {
    resolver.text("kv-offloading", to_string(row.kv_offloading));
  }
  resolver.written(written, "kv-offload-backend");
  if (row.router) resolver.written(written.find("router") != nullptr ? written : top, "router");
  if (row.kv_p2p_transfer) {
    const bool own = written.find("kv-p2p-transfer") != nullptr;
    resolver.written(own ? written : top, "kv-p2p-transfer");
  }
  resolver.written(written, "moe-backend");
  if (row.env) resolver.replaced(written, "env", env_node(*row.env, *written.find("env"), store));
  for (const std::string_view name : {"conc-start", "conc-end", "conc-list"}) {
    resolver.written(written, name);
  }
  if (const auto gpus = config::row_gpus(entry, row)) resolver.integer("gpus", *gpus);
  return resolver.mapping();
}

std::string resolved_json(std::span<const config::Entry* const> entries) {
  std::string out;
  JsonWriter json(out);
  json.open('[');
  for (const auto* entry : entries) {
    for_each_row(*entry, [&](const config::SearchRow& row, const config::FixedSeqLen* fixed,
                             const config::AgenticCoding* agentic) {
      yaml::NodeStore store;
      yaml::write_json(json, *resolve(*entry, row, fixed, agentic, store));
    });
  }
  json.close(']');
  return out;
}

}  // namespace sweep::policy
