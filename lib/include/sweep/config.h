/// @file
/// Master configs and runners as typed values. Fields have the names and meanings of
/// `schemas/master-config.schema.json` and `schemas/runners.schema.json`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/base.h"
#include "sweep/yaml.h"

namespace sweep::config {

/// A field that may be left out, be null, or hold a value: outer empty, inner empty, both there.
template <typename T>
using Nullable = std::optional<std::optional<T>>;

enum class SpecDecoding : std::uint8_t { none, mtp, draft_model };
enum class KvOffloading : std::uint8_t { none, dram };
enum class ScenarioType : std::uint8_t { fixed_seq_len, agentic_coding };

std::string_view to_string(SpecDecoding value);
std::string_view to_string(KvOffloading value);
std::string_view to_string(ScenarioType value);

/// A router: both parts are always there.
struct Router {
  std::string name;
  std::string version;

  friend bool operator==(const Router&, const Router&) = default;
};

/// What keeps the KV cache that is offloaded.
struct KvOffloadBackend {
  std::string name;
  Nullable<std::string> version;

  friend bool operator==(const KvOffloadBackend&, const KvOffloadBackend&) = default;
};

/// The parallel sizes of one replica; each at least 1.
struct Layout {
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t dcp_size = 1;  ///< divides tp; reuses its GPUs
  std::int64_t pcp_size = 1;
  std::int64_t ep = 1;
  bool dp_attn = false;

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// GPUs of one replica, `tp × pp × pcp-size`; empty where the product leaves 64 bits.
std::optional<std::int64_t> replica_gpus(const Layout& layout);

/// The prefill or the decode side of a multi-node row.
struct Worker {
  std::int64_t num_worker = 0;  ///< replicas; may be 0
  Layout layout;
  Nullable<std::string> hardware;
  Nullable<std::vector<std::string>> additional_settings;
  std::optional<std::string> moe_backend;

  friend bool operator==(const Worker&, const Worker&) = default;
};

/// Either a range, to be climbed as a ladder, or a list, taken in its own order.
struct Concurrency {
  bool is_range = false;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::vector<std::int64_t> list;

  friend bool operator==(const Concurrency&, const Concurrency&) = default;
};

/// Names and values of per-row knobs, in the file's order; values as text.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// One parallel layout and its concurrencies. Multi-node rows use `prefill` and `decode`, single-
/// node rows `layout`. `router` and `kv_p2p_transfer` are the row's or else its entry's.
struct SearchRow {
  Layout layout;
  Worker prefill;
  Worker decode;
  SpecDecoding spec_decoding = SpecDecoding::none;
  KvOffloading kv_offloading = KvOffloading::none;
  std::optional<KvOffloadBackend> kv_offload_backend;
  std::optional<Router> router;
  std::optional<std::string> kv_p2p_transfer;
  std::optional<std::string> moe_backend;
  std::optional<Environment> env;
  Concurrency concurrency;
  const yaml::Node* node = nullptr;  ///< where it is written
};

struct FixedSeqLen {
  std::int64_t isl = 0;  ///< input length in tokens
  std::int64_t osl = 0;  ///< output length in tokens
  std::vector<SearchRow> rows;
};

struct AgenticCoding {
  const yaml::Node* share = nullptr;        ///< dram-utilization as written; may be none
  std::optional<Decimal> dram_utilization;  ///< share of a node's usable DRAM, > 0 and <= 1
  std::vector<SearchRow> rows;
};

/// One benchmark configuration.
struct Entry {
  std::string key;
  std::string image;
  std::string model;
  std::string model_prefix;
  std::string precision;
  std::string framework;
  std::string runner;
  bool multinode = false;
  bool disagg = false;
  bool runner_refused = false;  ///< a finding stands at `runner`: rules about it stay silent
  std::vector<FixedSeqLen> fixed_seq_len;
  std::vector<AgenticCoding> agentic_coding;
  const yaml::Member* member = nullptr;
  const yaml::Document* document = nullptr;

  /// The place of a field of the entry, from its key to the end of its value; else of its key.
  SourceSpan field(std::string_view name) const;
};

/// Calls `each(row, fixed, agentic)` for every search-space row in order; one of the two scenario
/// pointers is null.
template <typename Function>
void for_each_row(const Entry& entry, Function each) {
  const FixedSeqLen* no_fixed = nullptr;
  const AgenticCoding* no_agentic = nullptr;
  for (const auto& fixed : entry.fixed_seq_len) {
    for (const auto& row : fixed.rows) each(row, &fixed, no_agentic);
  }
  for (const auto& agentic : entry.agentic_coding) {
    for (const auto& row : agentic.rows) each(row, no_fixed, &agentic);
  }
}

/// All entries of all files, in their order.
struct MasterConfig {
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<const yaml::Document>> documents;

  const Entry* find(std::string_view key) const;
};

/// What a runner label's nodes have.
struct Hardware {
  std::int64_t available_cpu_dram_mib = 0;
  std::int64_t gpus_per_node = 0;
};

struct RunnerLabel {
  std::string name;
  std::vector<std::string> nodes;
};

struct Runners {
  std::vector<RunnerLabel> labels;
  std::vector<std::pair<std::string, Hardware>> hardware;
  std::shared_ptr<const yaml::Document> document;

  const RunnerLabel* find_label(std::string_view label) const;
  const Hardware* find_hardware(std::string_view label) const;
  std::vector<std::string_view> label_names() const;
};

/// Checks master configs: shape, then the rules across fields that need no runners. What has a
/// finding is left out of the result, the rest is in it; whoever makes rows must look at
/// `diagnostics` first. The result keeps the documents.
MasterConfig read_master_configs(std::span<const std::shared_ptr<const yaml::Document>> documents,
                                 Diagnostics& diagnostics);
/// The same from files, which are read as YAML first.
MasterConfig read_master_configs(std::span<const std::shared_ptr<const SourceFile>> files,
                                 Diagnostics& diagnostics);

/// Checks a runners file, in the same way.
Runners read_runners(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics);
Runners read_runners(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

/// One entry of the changelog: which config keys a change concerns, and how it is to be run.
struct ChangelogEntry {
  std::vector<std::string> config_keys;  ///< keys, or patterns with `*`
  std::vector<std::string> description;
  std::string pr_link;
  bool evals_only = false;
  bool all_evals = false;
  bool append_only = false;
  std::optional<std::int64_t> eval_min_prefill_ep;
  std::optional<std::vector<ScenarioType>> scenario_types;
  const yaml::Node* node = nullptr;
};

struct Changelog {
  std::vector<ChangelogEntry> entries;
  std::shared_ptr<const yaml::Document> document;
};

/// Checks a changelog's entries: shape and `changelog-append-only`.
Changelog read_changelog(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics);

/// The rules that need hardware facts, for one entry: `runner-hardware-missing`,
/// `gpus-exceed-node`, `worker-tiling`.
void check_hardware(const Entry& entry, const Runners& runners, Diagnostics& diagnostics);

/// `unknown-runner`, a warning, for one entry.
void check_runner_label(const Entry& entry, const Runners& runners, Diagnostics& diagnostics);

/// `undispatched-length` and `image-mutable-tag`, warnings, for one entry.
void check_entry_warnings(const Entry& entry, Diagnostics& diagnostics);

/// GPUs of one job: single-node `tp × pp × pcp-size`; multi-node the sum of `num-worker × tp × pp ×
/// pcp-size` over both workers. Empty where the number leaves 64 bits.
std::optional<std::int64_t> row_gpus(const Entry& entry, const SearchRow& row);

/// The label without `cluster:`, up to its first `-`: `cluster:mi355x-amds` gives `mi355x`.
std::string_view hardware_family(std::string_view runner);

/// The place of a byte of a master config in words, such as
/// `dsv4-fp4-mi355x-vllm, fixed-seq-len 8k1k, row 2, decode`; empty outside an entry.
std::string place_in_words(const yaml::Document& document, std::size_t offset);

/// Sets `path` of every finding that lies in one of the documents.
void add_places_in_words(std::span<const std::shared_ptr<const yaml::Document>> documents,
                         Diagnostics& diagnostics);

/// `1k1k` for 1024/1024, `8k1k` for 8192/1024, else `<isl>_<osl>`.
std::string length_name(std::int64_t isl, std::int64_t osl);

}  // namespace sweep::config
