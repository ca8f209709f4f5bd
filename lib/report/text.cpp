#include <algorithm>

#include <fmt/format.h>

#include "sweep/report.h"

namespace sweep::report {
namespace {

std::string place(const SourceSpan& span) {
  if (span.file == nullptr) return "generate_sweeps: ";
  const auto at = span.file->position(span.extent.begin);
  return fmt::format("{}:{}:{}: ", printable(span.file->name(), 4096), at.line, at.column);
}

}  // namespace

std::string text(const Diagnostics& diagnostics) {
  constexpr std::size_t most_shown = 1000;
  std::string out;
  const auto& all = diagnostics.all();
  for (std::size_t i = 0; i < std::min(all.size(), most_shown); ++i) {
    const Diagnostic& finding = all[i];
    out += fmt::format("{}{}: {} [{}]\n", place(finding.span), to_string(finding.severity),
                       finding.message, finding.rule);
    for (const auto& related : finding.related) {
      out += fmt::format("  {}{}\n", place(related.span), related.message);
    }
    if (!finding.help.empty()) out += fmt::format("  help: {}\n", finding.help);
  }
  if (all.size() > most_shown) out += fmt::format("and {} more findings\n", all.size() - most_shown);
  return out;
}

}  // namespace sweep::report
