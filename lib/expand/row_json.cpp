#include "base/json_writer.h"
#include "sweep/expand.h"

namespace sweep::expand {
namespace {

using config::Layout;
using config::Worker;

void write_sizes(JsonWriter& json, const Layout& layout) {
  json.field("tp", layout.tp);
  json.field("pp", layout.pp);
  json.field("dcp-size", layout.dcp_size);
  json.field("pcp-size", layout.pcp_size);
}

void write_experts(JsonWriter& json, const Layout& layout) {
  json.field("ep", layout.ep);
  json.field("dp-attn", layout.dp_attn);
}

void write_nullable(JsonWriter& json, std::string_view name,
                    const config::Nullable<std::string>& text, bool plan) {
  if (!text || (plan && !*text)) return;
  json.key(name);
  if (*text) {
    json.value(std::string_view(**text));
  } else {
    json.null();
  }
}

void write_settings(JsonWriter& json, const Worker& worker, bool plan) {
  const auto& settings = worker.additional_settings;
  const bool null = settings && !*settings;
  if (plan ? null : !settings) return;
  json.key("additional-settings");
  if (null) return json.null();
  json.open('[');
  if (settings) {
    for (const auto& setting : **settings) json.value(std::string_view(setting));
  }
  json.close(']');
}

void write_worker(JsonWriter& json, std::string_view name, const Worker& worker, bool plan) {
  json.key(name);
  json.open('{');
  json.field("num-worker", worker.num_worker);
  write_sizes(json, worker.layout);
  write_experts(json, worker.layout);
  write_nullable(json, "hardware", worker.hardware, plan);
  write_settings(json, worker, plan);
  if (worker.moe_backend) json.field("moe-backend", std::string_view(*worker.moe_backend));
  json.close('}');
}

void write_conc(JsonWriter& json, const MatrixRow& row) {
  if (!row.entry->multinode) {
    json.field("conc", row.conc.front());
    return;
  }
  json.key("conc");
  json.open('[');
  for (const auto conc : row.conc) json.value(conc);
  json.close(']');
}

void write_components(JsonWriter& json, const config::SearchRow& row, bool plan) {
  if (row.kv_offload_backend) {
    json.key("kv-offload-backend");
    json.open('{');
    json.field("name", std::string_view(row.kv_offload_backend->name));
    write_nullable(json, "version", row.kv_offload_backend->version, plan);
    json.close('}');
  }
  if (row.router) {
    json.key("router");
    json.open('{');
    json.field("name", std::string_view(row.router->name));
    json.field("version", std::string_view(row.router->version));
    json.close('}');
  }
  if (row.kv_p2p_transfer) json.field("kv-p2p-transfer", std::string_view(*row.kv_p2p_transfer));
  if (row.moe_backend) json.field("moe-backend", std::string_view(*row.moe_backend));
  if (row.env) {
    json.key("env");
    json.open('{');
    for (const auto& [name, value] : *row.env) json.field(name, std::string_view(value));
    json.close('}');
  }
}

void write_source(JsonWriter& json, const MatrixRow& row) {
  const auto& file = *row.entry->document->file();
  json.key("source");
  json.open('{');
  json.field("file", std::string_view(file.name()));
  const auto line = file.position(row.row->node->extent.begin).line;
  json.field("line", static_cast<std::int64_t>(line));
  json.field("config-key", std::string_view(row.entry->key));
  json.close('}');
}

void write_row(JsonWriter& json, const MatrixRow& row, const RowParts& parts) {
  const config::Entry& entry = *row.entry;
  const bool fixed = !row.agentic();
  const bool multinode = entry.multinode;
  json.open('{');
  json.field("image", std::string_view(entry.image));
  json.field("model", std::string_view(entry.model));
  json.field("model-prefix", std::string_view(entry.model_prefix));
  json.field("precision", std::string_view(entry.precision));
  json.field("framework", std::string_view(entry.framework));
  json.field("runner", row.runner);
  if (fixed) {
    json.field("isl", row.isl);
    json.field("osl", row.osl);
  }
  if (multinode) {
    json.field("spec-decoding", to_string(row.row->spec_decoding));
    write_worker(json, "prefill", row.row->prefill, parts.plan);
    write_worker(json, "decode", row.row->decode, parts.plan);
    if (parts.identity) write_conc(json, row);
  } else {
    write_sizes(json, row.layout);
    if (fixed && parts.identity) write_conc(json, row);
  }
  if (fixed) {
    constexpr std::int64_t head_room_tokens = 256;
    json.field("max-model-len", row.isl + row.osl + head_room_tokens);
  }
  if (!multinode) {
    write_experts(json, row.layout);
    json.field("spec-decoding", to_string(row.row->spec_decoding));
    if (!fixed && parts.identity) write_conc(json, row);
  }
  if (!fixed) {
    json.field("kv-offloading", to_string(row.row->kv_offloading));
    json.field("total-cpu-dram-gb", row.total_cpu_dram_gb);
    json.field("duration", agentic_duration_seconds);
  }
  if (parts.identity) json.field("exp-name", std::string_view(row.exp_name));
  if (fixed || multinode) json.field("disagg", entry.disagg);
  if (fixed && parts.evals) json.field("run-eval", row.run_eval.value_or(false));
  if (!fixed) json.field("scenario-type", to_string(row.scenario));
  write_components(json, *row.row, parts.plan);
  if (parts.evals) {
    if (!fixed && row.run_eval) json.field("run-eval", *row.run_eval);
    if (row.eval_conc) json.field("eval-conc", *row.eval_conc);
    const bool filled = parts.plan && fixed;
    if (row.eval_all_concs || (filled && multinode)) {
      json.field("eval-all-concs", row.eval_all_concs);
    }
    if (row.eval_only || filled) json.field("eval-only", row.eval_only);
  }
  if (!parts.fingerprint.empty()) json.field("recipe-fingerprint", parts.fingerprint);
  if (parts.source) write_source(json, row);
  json.close('}');
}

}  // namespace

void append_json(std::string& out, const MatrixRow& row, const RowParts& parts) {
  JsonWriter json(out);
  write_row(json, row, parts);
}

std::string to_json(std::span<const MatrixRow> rows, const RowParts& parts) {
  constexpr std::size_t usual_row_bytes = 768;
  std::string out;
  out.reserve(rows.size() * usual_row_bytes + 2);
  JsonWriter json(out);
  json.open('[');
  for (const auto& row : rows) write_row(json, row, parts);
  json.close(']');
  return out;
}

}  // namespace sweep::expand
