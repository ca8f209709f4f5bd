#include "random_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace test {
namespace {

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  RandomConfig config() {
    RandomConfig config;
    const auto files = between(1, 3);
    for (std::int64_t i = 0; i < files; ++i) {
      auto& entries = config.files.emplace_back();
      std::string text = "# generated\n";
      const auto count = between(1, 4);
      for (std::int64_t k = 0; k < count; ++k) entries.push_back(entry(text));
      config.texts.push_back(std::move(text));
    }
    return config;
  }

 private:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    // The standard's distributions differ from one library to the next.
    const auto width = static_cast<std::uint32_t>(high - low + 1);
    return low + static_cast<std::int64_t>(random_() % width);
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return *(values.begin() + between(0, static_cast<std::int64_t>(values.size()) - 1));
  }

  RandomEntry entry(std::string& text) {
    RandomEntry entry;
    entry.key = fmt::format("{}-{}", pick({"dsv4", "qwen", "glm"}), ++keys_);
    entry.multinode = one_in(2);
    entry.runner = pick({"cluster:mi355x-a", "cluster:gb300-n"});
    text += fmt::format(
        "{}:\n  image: org/image:v1\n  model: org/M{}\n  model-prefix: m\n  precision: {}\n"
        "  framework: {}\n  runner: {}\n  multinode: {}\n  scenarios:\n",
        entry.key, between(1, 2), pick({"fp4", "fp8"}), pick({"vllm", "sglang"}), entry.runner,
        entry.multinode);
    const bool agentic = one_in(2);
    if (!agentic || one_in(2)) {
      text += "    fixed-seq-len:\n";
      const auto items = between(1, 2);
      for (std::int64_t i = 0; i < items; ++i) entry.items.push_back(fixed(entry, text));
    }
    if (agentic) {
      text += "    agentic-coding:\n";
      entry.items.push_back(agentic_item(entry, text));
    }
    return entry;
  }

  RandomItem fixed(const RandomEntry& entry, std::string& text) {
    RandomItem item;
    item.isl = pick({1024, 8192, 8192, 512});
    item.osl = pick({1024, 1024, 64});
    text += fmt::format("    - isl: {}\n      osl: {}\n", item.isl, item.osl);
    add_rows(item, entry, text);
    return item;
  }

  RandomItem agentic_item(const RandomEntry& entry, std::string& text) {
    RandomItem item;
    item.agentic = true;
    text += fmt::format("    - dram-utilization: {}\n", pick({"0.1", "0.3", "0.75", "1"}));
    add_rows(item, entry, text);
    return item;
  }

  void add_rows(RandomItem& item, const RandomEntry& entry, std::string& text) {
    text += "      search-space:\n";
    const auto rows = between(1, 3);
    for (std::int64_t i = 0; i < rows; ++i) {
      item.rows.push_back(row(item, entry));
      text += "      - " + item.rows.back().text + "\n";
    }
  }

  RandomRow row(const RandomItem& item, const RandomEntry& entry) {
    RandomRow row;
    std::string fields = entry.multinode ? workers() : layout(row);
    if (item.agentic) fields += offloading(entry);
    if (one_in(4)) fields += fmt::format(", spec-decoding: {}", pick({"mtp", "none"}));
    row.text = fmt::format("{{ {}, {} }}", fields, concurrency(row));
    return row;
  }

  std::string layout(RandomRow& row) {
    row.tp = pick({1, 2, 4});
    row.ep = one_in(2) ? 1 : row.tp;
    std::string fields = fmt::format("tp: {}", row.tp);
    if (row.ep != 1) fields += fmt::format(", ep: {}", row.ep);
    if (one_in(3)) fields += fmt::format(", dp-attn: {}", pick({"true", "false"}));
    return fields;
  }

  std::string workers() {
    const auto worker = [&] {
      return fmt::format("{{ num-worker: {}, tp: {}, ep: {}, dp-attn: {} }}", between(0, 2),
                         pick({2, 4, 8}), pick({1, 8}), pick({"true", "false"}));
    };
    const std::string prefill = worker();
    return fmt::format("prefill: {}, decode: {}", prefill, worker());
  }

  std::string offloading(const RandomEntry& entry) {
    if (one_in(2)) return ", kv-offloading: dram, kv-offload-backend: { name: lmcache }";
    return entry.multinode && one_in(2) ? "" : ", kv-offloading: none";
  }

  std::string concurrency(RandomRow& row) {
    row.range = one_in(2);
    if (row.range) {
      const auto start = between(1, 40);
      row.conc = {start, start + between(0, 200)};
      return fmt::format("conc-start: {}, conc-end: {}", row.conc[0], row.conc[1]);
    }
    const auto values = between(1, 4);
    for (std::int64_t i = 0; i < values; ++i) row.conc.push_back(between(1, 128));
    return fmt::format("conc-list: [{}]", fmt::join(row.conc, ", "));
  }

  std::mt19937 random_;
  std::int64_t keys_ = 0;
};

}  // namespace

RandomConfig random_config(std::uint32_t seed) { return Generator(seed).config(); }

}  // namespace test
