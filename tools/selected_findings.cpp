#include "selected_findings.h"

#include <algorithm>

namespace tool {

void drop_foreign_warnings(sweep::Diagnostics& diagnostics,
                           const sweep::config::MasterConfig& config,
                           const std::vector<const sweep::config::Entry*>& selected) {
  const auto in_config = [&](const sweep::SourceSpan& span) {
    return std::any_of(config.documents.begin(), config.documents.end(),
                       [&](const auto& document) { return document->file() == span.file; });
  };
  const auto in_entry = [](const sweep::config::Entry& entry, const sweep::SourceSpan& span) {
    return entry.document->file() == span.file &&
           entry.member->key->extent.begin <= span.extent.begin &&
           span.extent.begin <= entry.member->value->extent.end;
  };
  std::erase_if(diagnostics.all(), [&](const sweep::Diagnostic& finding) {
    if (finding.severity == sweep::Severity::error || !in_config(finding.span)) return false;
    const auto& keys = finding.config_keys;
    return std::none_of(selected.begin(), selected.end(), [&](const auto* entry) {
      return keys.empty() ? in_entry(*entry, finding.span)
                          : std::find(keys.begin(), keys.end(), entry->key) != keys.end();
    });
  });
}

}  // namespace tool
