#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "sweep/report.h"
#include "sweep/rules.h"

namespace sweep::report {
namespace {

using Json = nlohmann::ordered_json;

// A file's name as a relative URI: what a URI may not hold is percent-encoded.
std::string uri(std::string_view name) {
  constexpr std::string_view kept =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += hex[byte >> 4U];
      out += hex[byte & 0xFU];
    }
  }
  return out;
}

Json location(const SourceSpan& span) {
  const auto begin = span.file->position(span.extent.begin);
  const auto end = span.file->position(span.extent.end);
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri(span.file->name())}}},
            {"region",
             {{"startLine", begin.line},
              {"startColumn", begin.column},
              {"endLine", end.line},
              {"endColumn", end.column}}}}}};
}

Json rule_json(const std::string& id) {
  Json rule = {{"id", id}};
  if (const RuleInfo* known = find_rule(id); known != nullptr) {
    rule["shortDescription"] = {{"text", known->title}};
    rule["fullDescription"] = {{"text", known->explanation}};
  }
  return rule;
}

}  // namespace

std::string sarif(const Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> rule_index;
  Json rule_list = Json::array();
  Json results = Json::array();
  const auto& all = diagnostics.all();
  for (std::size_t i = 0; i < std::min(all.size(), max_findings); ++i) {
    const Diagnostic& finding = all[i];
    const auto [rule, fresh] = rule_index.emplace(finding.rule, rule_list.size());
    if (fresh) rule_list.push_back(rule_json(finding.rule));
    std::string words = finding.message;
    if (!finding.help.empty()) words += "\nhelp: " + finding.help;
    Json result = {{"ruleId", finding.rule},
                   {"ruleIndex", rule->second},
                   {"level", to_string(finding.severity)},
                   {"message", {{"text", words}}}};
    if (finding.span.file != nullptr) {
      Json place = location(finding.span);
      if (!finding.path.empty()) {
        place["logicalLocations"] = {{{"fullyQualifiedName", finding.path}}};
      }
      result["locations"] = Json::array({place});
    }
    Json related = Json::array();
    for (const auto& other : finding.related) {
      Json place = location(other.span);
      place["message"] = {{"text", other.message}};
      related.push_back(std::move(place));
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    results.push_back(std::move(result));
  }
  const Json run = {
      {"tool",
       {{"driver",
         {{"name", "generate_sweeps"}, {"version", version()}, {"rules", std::move(rule_list)}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  const Json whole = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sweep::report
