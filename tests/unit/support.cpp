#include "support.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace test {
namespace {

using sweep::yaml::Kind;
using sweep::yaml::Node;

std::string show_text(std::string_view text) {
  Node plain;
  const bool read_as_text = sweep::yaml::resolve_plain(text, plain) && plain.is(Kind::string);
  return read_as_text ? std::string(text) : fmt::format("\"{}\"", text);
}

template <typename Options, typename Expand>
Run run(const Texts& texts, const Options& options, Expand expand) {
  sweep::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const sweep::SourceFile>> files;
  for (const auto& text : texts) files.push_back(file(text, fmt::format("{}.yaml", files.size())));
  const auto config = sweep::config::read_master_configs(files, diagnostics);
  const auto runners = sweep::config::read_runners(file(runners_yaml(), "runners"), diagnostics);
  Run result;
  if (!diagnostics.has_errors()) {
    const auto expansion = expand(config, runners, options, diagnostics);
    // Refused configs give no rows, as in the tool.
    const bool refused = diagnostics.has_errors();
    for (auto& row : Json::parse(refused ? "[]" : sweep::expand::to_json(expansion.rows))) {
      result.rows.push_back(std::move(row));
    }
  }
  for (const auto& finding : diagnostics.all()) {
    result.findings.push_back(fmt::format("{} {}", to_string(finding.severity), finding.rule));
    result.helps.push_back(finding.help);
  }
  return result;
}

void append_rows(std::string& out, const Texts& rows) {
  out += "      search-space:";
  if (rows.empty()) out += " []";
  out += "\n";
  for (const auto& row : rows) out += "      - " + row + "\n";
}

void append_fixed(std::string& out, int isl, int osl, const Texts& rows) {
  if (rows.empty()) return;
  out += fmt::format("    - isl: {}\n      osl: {}\n", isl, osl);
  append_rows(out, rows);
}

}  // namespace

std::shared_ptr<const sweep::SourceFile> file(std::string text, std::string name) {
  return std::make_shared<const sweep::SourceFile>(std::move(name), std::move(text));
}

Read read_yaml(std::string text) {
  Read read;
  read.document = sweep::yaml::read(file(std::move(text)), read.diagnostics);
  return read;
}

Read read_json(std::string text) {
  Read read;
  read.document = sweep::yaml::read_json(file(std::move(text)), read.diagnostics);
  return read;
}

std::string show(const Node& node) {
  std::string out;
  switch (node.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return node.boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", node.integer);
    case Kind::real:
      out = fmt::format("{}", node.real);
      return out.find_first_not_of("-0123456789") == std::string::npos ? out + ".0" : out;
    case Kind::string:
      return show_text(node.text);
    case Kind::sequence:
      for (const Node* item : node.items) out += (out.empty() ? "" : ", ") + show(*item);
      return "[" + out + "]";
    case Kind::mapping:
      for (const auto& member : node.members) {
        out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", show(*member.key),
                           show(*member.value));
      }
      return "{" + out + "}";
  }
  return "?";
}

std::string show(const Read& read) {
  return read.document == nullptr ? "refused" : show(read.root());
}

std::string place(const sweep::yaml::Document& document, sweep::Extent extent) {
  const auto begin = document.file()->position(extent.begin);
  const auto end = document.file()->position(extent.end);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

Texts findings(const sweep::Diagnostics& diagnostics) {
  Texts texts;
  for (const auto& finding : diagnostics.all()) {
    std::string text;
    if (finding.span.file != nullptr) {
      const auto at = finding.span.file->position(finding.span.extent.begin);
      text = fmt::format("{}:{} ", at.line, at.column);
    }
    texts.push_back(text + fmt::format("{} {}", to_string(finding.severity), finding.rule));
  }
  return texts;
}

Texts rules(const sweep::Diagnostics& diagnostics) {
  Texts texts;
  for (const auto& finding : diagnostics.all()) texts.push_back(finding.rule);
  return texts;
}

std::string yaml(const Entry& entry) {
  std::string out = fmt::format(
      "{}:\n  image: org/image:v1\n  model: {}\n  model-prefix: {}\n  precision: {}\n"
      "  framework: {}\n  runner: {}\n  multinode: {}\n  scenarios:\n",
      entry.key, entry.model, entry.prefix, entry.precision, entry.framework, entry.runner,
      entry.multinode);
  if (!entry.rows_1k1k.empty() || !entry.rows_8k1k.empty() || !entry.rows_512_64.empty()) {
    out += "    fixed-seq-len:\n";
    append_fixed(out, 1024, 1024, entry.rows_1k1k);
    append_fixed(out, 8192, 1024, entry.rows_8k1k);
    append_fixed(out, 512, 64, entry.rows_512_64);
  }
  if (!entry.agentic.empty()) {
    out += "    agentic-coding:\n    - dram-utilization: ";
    out += entry.dram_utilization.empty() ? "null" : entry.dram_utilization;
    out += "\n";
    append_rows(out, entry.agentic);
  }
  return out;
}

std::string yaml(const std::vector<Entry>& entries) {
  std::string out;
  for (const auto& entry : entries) out += yaml(entry);
  return out;
}

std::string runners_yaml() {
  return R"(labels:
  cluster:mi355x-a: [mi355x-a_0, mi355x-a_1, mi355x-b_0]
  cluster:gb300-n: [gb300-n_0]
  h200: [h200_0, h200_1, h200_0]
hardware:
  cluster:mi355x-a: { available-cpu-dram-mib: 3000000, gpus-per-node: 8 }
  cluster:gb300-n: { available-cpu-dram-mib: 868352, gpus-per-node: 4 }
)";
}

Texts Run::all(std::string_view field) const {
  Texts texts;
  for (const auto& row : rows) {
    const auto found = row.find(std::string(field));
    texts.push_back(found == row.end()   ? ""
                    : found->is_string() ? found->get<std::string>()
                                         : found->dump());
  }
  return texts;
}

Run full_sweep(const Texts& files, const sweep::expand::FullSweepOptions& options) {
  return run(files, options, sweep::expand::full_sweep);
}
Run full_sweep(const std::vector<Entry>& entries, const sweep::expand::FullSweepOptions& options) {
  return full_sweep(Texts{yaml(entries)}, options);
}
Run test_config(const Texts& files, const sweep::expand::TestConfigOptions& options) {
  return run(files, options, sweep::expand::test_config);
}
Run test_config(const std::vector<Entry>& entries,
                const sweep::expand::TestConfigOptions& options) {
  return test_config(Texts{yaml(entries)}, options);
}

}  // namespace test
