#include <algorithm>

#include <nlohmann/json.hpp>

#include "sweep/report.h"

namespace sweep::report {
namespace {

using Json = nlohmann::ordered_json;

// Messages are made to be shown, but a file's name may hold any byte.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json finding_json(const Diagnostic& finding) {
  Json json;
  const auto& span = finding.span;
  if (span.file == nullptr) {
    for (const char* name : {"file", "line", "column", "end_line", "end_column"})
      json[name] = nullptr;
  } else {
    const auto begin = span.file->position(span.extent.begin);
    const auto end = span.file->position(span.extent.end);
    json["file"] = span.file->name();
    json["line"] = begin.line;
    json["column"] = begin.column;
    json["end_line"] = end.line;
    json["end_column"] = end.column;
  }
  json["severity"] = to_string(finding.severity);
  json["rule"] = finding.rule;
  json["message"] = finding.message;
  json["help"] = finding.help;
  json["path"] = finding.path;
  json["related"] = Json::array();
  for (const auto& related : finding.related) {
    const auto at = related.span.file->position(related.span.extent.begin);
    json["related"].push_back({{"file", related.span.file->name()},
                               {"line", at.line},
                               {"column", at.column},
                               {"message", related.message}});
  }
  return json;
}

}  // namespace

std::string json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  const auto& all = diagnostics.all();
  for (std::size_t i = 0; i < std::min(all.size(), max_findings); ++i) {
    list.push_back(finding_json(all[i]));
  }
  const Json whole = {{"version", 1},
                      {"diagnostics", std::move(list)},
                      {"errors", diagnostics.count(Severity::error)},
                      {"warnings", diagnostics.count(Severity::warning)},
                      {"notes", diagnostics.count(Severity::note)}};
  return dump(whole);
}

}  // namespace sweep::report
