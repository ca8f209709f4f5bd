#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sweep/report.h"

namespace sweep::report {
namespace {

// GitHub's own escapes; a property ends at ':' or ',' too.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string_view command(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "notice";
  }
  return "error";
}

std::string annotation(const Diagnostic& finding) {
  std::string properties;
  if (finding.span.file != nullptr) {
    const auto begin = finding.span.file->position(finding.span.extent.begin);
    const auto end = finding.span.file->position(finding.span.extent.end);
    properties =
        fmt::format("file={},line={},endLine={},col={}", escaped(finding.span.file->name(), true),
                    begin.line, end.line, begin.column);
    if (begin.line == end.line) properties += fmt::format(",endColumn={}", end.column);
    properties += ',';
  }
  std::string words = finding.message;
  if (!finding.path.empty()) words += "\nin " + finding.path;
  if (!finding.help.empty()) words += "\nhelp: " + finding.help;
  return fmt::format("::{} {}title={}::{}\n", command(finding.severity), properties,
                     escaped(finding.rule, true), escaped(words, false));
}

}  // namespace

std::string github(const Diagnostics& diagnostics) {
  constexpr std::size_t shown_a_kind = 10;
  std::array<std::size_t, 3> shown{};
  std::string out;
  Diagnostics rest;
  for (const auto& finding : diagnostics.all()) {
    auto& count = shown.at(static_cast<std::size_t>(finding.severity));
    if (count < shown_a_kind) {
      out += annotation(finding);
      ++count;
    } else {
      rest.add(finding);
    }
  }
  if (!rest.all().empty()) {
    out += fmt::format("{} more findings, which GitHub would not show as annotations:\n",
                       rest.all().size());
    out += text(rest);
  }
  return out;
}

}  // namespace sweep::report
