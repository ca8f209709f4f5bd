// What the tests share: files in memory, and documents, findings and rows as short texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sweep/sweep.h"

namespace test {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

std::shared_ptr<const sweep::SourceFile> file(std::string text, std::string name = "test.yaml");

/// A document (nullptr when it is refused) and what was found in it.
struct Read {
  std::shared_ptr<const sweep::yaml::Document> document;
  sweep::Diagnostics diagnostics;

  const sweep::yaml::Node& root() const { return document->root(); }
  const sweep::yaml::Node& at(std::string_view key) const { return *root().find(key); }
};

Read read_yaml(std::string text);
Read read_json(std::string text);

/// The value on one line: `{a: 1, b: [x, null, 0.5, "true"]}`. A string that other kinds could be
/// taken for is in quotes.
std::string show(const sweep::yaml::Node& node);
/// The same of a whole text; `refused` when there is no document.
std::string show(const Read& read);

/// `1:4-1:7`: where the extent begins and where it ends.
std::string place(const sweep::yaml::Document& document, sweep::Extent extent);

/// Each finding as `2:5 error yaml-tag`, without the place when it has none.
Texts findings(const sweep::Diagnostics& diagnostics);
/// The ids of the rules alone.
Texts rules(const sweep::Diagnostics& diagnostics);

/// One config entry. Rows are flow mappings such as `{ tp: 8, conc-list: [4] }`.
struct Entry {
  std::string key = "k";
  std::string model = "org/Model";
  std::string prefix = "mdl";
  std::string precision = "fp8";
  std::string framework = "vllm";
  std::string runner = "cluster:mi355x-a";
  bool multinode = false;
  Texts rows_1k1k = {};
  Texts rows_8k1k = {};
  Texts rows_512_64 = {};
  Texts agentic = {};
  std::string dram_utilization = {};
};

/// The entry as YAML.
std::string yaml(const Entry& entry);
std::string yaml(const std::vector<Entry>& entries);

/// A file of runners: `cluster:mi355x-a` (nodes mi355x-a_0, mi355x-a_1, mi355x-b_0; 3,000,000 MiB,
/// 8 GPUs), `cluster:gb300-n` (gb300-n_0; 868,352 MiB, 4 GPUs) and `h200` (h200_0, h200_1, h200_0).
std::string runners_yaml();

/// What a command made of configs.
struct Run {
  std::vector<Json> rows;
  Texts findings;  ///< as `error rule`
  Texts helps;     ///< their help lines

  /// One field of every row, as compact JSON.
  Texts all(std::string_view field) const;
};

/// Each text is a file.
Run full_sweep(const Texts& files, const sweep::expand::FullSweepOptions& options = {});
Run full_sweep(const std::vector<Entry>& entries,
               const sweep::expand::FullSweepOptions& options = {});
Run test_config(const Texts& files, const sweep::expand::TestConfigOptions& options);
Run test_config(const std::vector<Entry>& entries, const sweep::expand::TestConfigOptions& options);

}  // namespace test
