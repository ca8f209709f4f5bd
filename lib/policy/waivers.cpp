#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/policy.h"
#include "sweep/schema.h"

namespace sweep::policy {
namespace {

using yaml::Kind;
using yaml::Node;

// YYYY-MM-DD that names a day of the calendar.
bool is_date(std::string_view text) {
  const auto part = [&](std::size_t begin, std::size_t length) {
    int value = -1;
    std::from_chars(text.data() + begin, text.data() + begin + length, value);
    return value;
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::chrono::year_month_day(std::chrono::year(part(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(part(8, 2))))
      .ok();
}

void report(const Waivers& waivers, Severity severity, std::string_view rule, Extent place,
            std::string message, std::string help, Diagnostics& diagnostics) {
  diagnostics.add({.severity = severity,
                   .rule = std::string(rule),
                   .message = std::move(message),
                   .span = waivers.document->span(place),
                   .help = std::move(help),
                   .path = {},
                   .related = {}});
}

bool covers(const Waiver& waiver, std::string_view key) {
  return std::any_of(waiver.config_keys.begin(), waiver.config_keys.end(),
                     [&](const auto& pattern) { return matches_pattern(pattern, key); });
}

const config::Entry* entry_at(const config::MasterConfig& config, const SourceSpan& span) {
  for (const auto& entry : config.entries) {
    if (entry.document->file() == span.file &&
        entry.member->key->extent.begin <= span.extent.begin &&
        span.extent.begin <= entry.member->value->extent.end) {
      return &entry;
    }
  }
  return nullptr;
}

// The config keys that a finding is about.
std::vector<std::string> keys_of(const Diagnostic& finding, const config::MasterConfig& config) {
  if (!finding.config_keys.empty()) return finding.config_keys;
  const auto* entry = entry_at(config, finding.span);
  return entry == nullptr ? std::vector<std::string>() : std::vector{entry->key};
}

}  // namespace

Waivers read_waivers(std::shared_ptr<const yaml::Document> document,
                     const std::function<bool(const std::string&)>& exists,
                     Diagnostics& diagnostics) {
  Waivers waivers;
  waivers.document = std::move(document);
  const Node& root = waivers.document->root();
  if (root.is_null()) return waivers;  // a file of comments alone
  const auto refusals = schema::check("waivers", *waivers.document, diagnostics);
  for (const Node* item : root.items) {
    if (!item->is(Kind::mapping) || refusals.touched(*item)) continue;
    Waiver waiver;
    waiver.node = item;
    waiver.rule = item->find("rule")->text;
    waiver.reason = item->find("reason")->text;
    for (const Node* key : item->find("config-keys")->items)
      waiver.config_keys.emplace_back(key->text);
    if (const auto* expires = item->find_member("expires")) {
      waiver.expires = expires->value->text;
      if (!is_date(waiver.expires)) {
        report(waivers, Severity::error, "bad-value", config::extent_of(*expires),
               fmt::format("'expires' ({}) is no day of the calendar", printable(waiver.expires)),
               "write it as YYYY-MM-DD", diagnostics);
        continue;
      }
    }
    if (const auto* paper = item->find_member("document")) {
      if (!exists(std::string(paper->value->text))) {
        report(
            waivers, Severity::error, "waiver-document", config::extent_of(*paper),
            fmt::format("the waiver document '{}' does not exist", printable(paper->value->text)),
            "give its path from the root of the repository", diagnostics);
        continue;
      }
    }
    waivers.items.push_back(std::move(waiver));
  }
  return waivers;
}

void apply_waivers(const Waivers& waivers, const Policy& policy, const config::MasterConfig& config,
                   std::string_view today, bool all_keys_given, Diagnostics& diagnostics) {
  std::set<const Waiver*> used;
  const auto is_policy_rule = [&](std::string_view id) {
    return std::any_of(policy.rules.begin(), policy.rules.end(),
                       [&](const Rule& rule) { return rule.id == id; });
  };
  for (auto& finding : diagnostics.all()) {
    const bool waivable = finding.severity == Severity::warning ||
                          (finding.severity == Severity::error && is_policy_rule(finding.rule));
    const auto keys = waivable ? keys_of(finding, config) : std::vector<std::string>();
    if (keys.empty()) continue;
    for (const auto& waiver : waivers.items) {
      // A finding about several keys, through an anchor, is waived for all of them or not at all.
      const bool all = std::all_of(keys.begin(), keys.end(),
                                   [&](const auto& key) { return covers(waiver, key); });
      if (waiver.rule != finding.rule || !all) continue;
      used.insert(&waiver);
      if (!waiver.expires.empty() && waiver.expires < today) continue;
      finding.severity = Severity::note;
      finding.message += fmt::format(" (waived: {})", printable(waiver.reason));
      break;
    }
  }
  for (const auto& waiver : waivers.items) {
    const auto place = config::first_character(*waiver.node);
    if (!waiver.expires.empty() && waiver.expires < today) {
      report(
          waivers, Severity::warning, "waiver-expired", place,
          fmt::format("the waiver of '{}' expired on {}", printable(waiver.rule), waiver.expires),
          "remove it, or renew it with a new date", diagnostics);
      continue;
    }
    const bool concerned =
        all_keys_given || std::any_of(config.entries.begin(), config.entries.end(),
                                      [&](const auto& entry) { return covers(waiver, entry.key); });
    if (used.contains(&waiver) || !concerned) continue;
    report(waivers, Severity::warning, "waiver-unused", place,
           fmt::format("the waiver of '{}' waives nothing", printable(waiver.rule)),
           "remove it, or correct its rule and config-keys", diagnostics);
  }
}

}  // namespace sweep::policy
