#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sweep/base.h"

namespace sweep {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

void Diagnostics::add(Diagnostic diagnostic) {
  const auto* file = diagnostic.span.file.get();
  const std::string identity =
      fmt::format("{}\n{}\n{}\n{}", static_cast<const void*>(file), diagnostic.span.extent.begin,
                  diagnostic.rule, diagnostic.message);
  const auto [known, fresh] = seen_.emplace(identity, items_.size());
  if (fresh) {
    items_.push_back(std::move(diagnostic));
    return;
  }
  // Whoever sorts or drops findings has read them all: what comes later is new.
  if (known->second >= items_.size()) return;
  auto& keys = items_[known->second].config_keys;
  for (auto& key : diagnostic.config_keys) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
}

std::size_t Diagnostics::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [&](const auto& item) { return item.severity == severity; }));
}

void Diagnostics::sort() {
  std::map<const SourceFile*, std::size_t> file_order;
  for (const auto& item : items_) file_order.emplace(item.span.file.get(), file_order.size());
  std::stable_sort(items_.begin(), items_.end(), [&](const auto& left, const auto& right) {
    return std::pair(file_order[left.span.file.get()], left.span.extent.begin) <
           std::pair(file_order[right.span.file.get()], right.span.extent.begin);
  });
}

}  // namespace sweep
