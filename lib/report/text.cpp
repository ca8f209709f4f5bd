#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "report/excerpt.h"
#include "sweep/report.h"

namespace sweep::report {
namespace {

constexpr std::size_t longest_file_name = 4096;

struct Colors {
  std::string_view bold, severity, mark, plain;
};

Colors colors_for(Severity severity, bool color) {
  if (!color) return {};
  constexpr std::string_view bold = "\x1b[1m";
  constexpr std::string_view plain = "\x1b[0m";
  switch (severity) {
    case Severity::error:
      return {bold, "\x1b[1;31m", "\x1b[31m", plain};
    case Severity::warning:
      return {bold, "\x1b[1;35m", "\x1b[35m", plain};
    case Severity::note:
      return {bold, "\x1b[1;36m", "\x1b[36m", plain};
  }
  return {};
}

std::string place(const SourceSpan& span) {
  if (span.file == nullptr) return "generate_sweeps: ";
  const auto at = span.file->position(span.extent.begin);
  // A name that starts with ':' could make the line a workflow command.
  const std::string_view here = span.file->name().starts_with(':') ? "./" : "";
  return fmt::format("{}{}:{}:{}: ", here, printable(span.file->name(), longest_file_name), at.line,
                     at.column);
}

void append_excerpt(std::string& out, const SourceSpan& span, std::size_t columns,
                    const Colors& colors) {
  const auto line = fmt::format("{}", span.file->position(span.extent.begin).line);
  const std::string margin(line.size(), ' ');
  const std::size_t room = columns > line.size() + 23 ? columns - line.size() - 3 : 20;
  const Excerpt shown = excerpt(span, room);
  out += fmt::format("{} |\n{} | {}\n{} | {}{}{}\n", margin, line, shown.line, margin, colors.mark,
                     shown.marks, colors.plain);
}

void append_finding(std::string& out, const Diagnostic& finding, const TextStyle& style) {
  const Colors colors = colors_for(finding.severity, style.color);
  out += fmt::format("{}{}{}{}{}:{} {}{}{} [{}]\n", colors.bold, place(finding.span), colors.plain,
                     colors.severity, to_string(finding.severity), colors.plain, colors.bold,
                     finding.message, colors.plain, finding.rule);
  if (finding.span.file != nullptr && !finding.span.file->text().empty()) {
    append_excerpt(out, finding.span, style.columns, colors);
  }
  if (!finding.path.empty()) out += fmt::format("  in {}\n", finding.path);
  for (const auto& related : finding.related) {
    out += fmt::format("  {}{}\n", place(related.span), related.message);
  }
  if (!finding.help.empty()) out += fmt::format("  help: {}\n", finding.help);
}

}  // namespace

std::string text(const Diagnostics& diagnostics, const TextStyle& style) {
  std::string out;
  const auto& all = diagnostics.all();
  for (std::size_t i = 0; i < std::min(all.size(), max_findings); ++i) {
    append_finding(out, all[i], style);
  }
  if (all.size() > max_findings) {
    out += fmt::format("… and {} more findings\n", all.size() - max_findings);
  }
  return out;
}

std::string findings(const Diagnostics& diagnostics, Format format, const TextStyle& style) {
  switch (format) {
    case Format::text:
      return text(diagnostics, style);
    case Format::json:
      return json(diagnostics);
    case Format::github:
      return github(diagnostics);
    case Format::sarif:
      return sarif(diagnostics);
  }
  return {};
}

}  // namespace sweep::report
