#include <algorithm>

#include <fmt/format.h>

#include "config/fields.h"
#include "sweep/config.h"

namespace sweep::config {
namespace {

// Why the image may be another one tomorrow; empty when it may not.
std::string moving_tag(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return {};  // pinned by digest
  const auto name = image.substr(image.rfind('/') + 1);      // npos + 1 is 0
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return "has neither a tag nor a digest";
  const auto tag = name.substr(colon + 1);
  for (const std::string_view moving : {"latest", "nightly", "main", "dev"}) {
    if (tag == moving) return fmt::format("has the moving tag '{}'", moving);
  }
  return {};
}

}  // namespace

void check_entry_warnings(const Entry& entry, Diagnostics& diagnostics) {
  if (const auto why = moving_tag(entry.image); !why.empty()) {
    diagnostics.add({.severity = Severity::warning,
                     .rule = "image-mutable-tag",
                     .message = fmt::format("'image' ({}) {}: runs cannot be repeated",
                                            printable(entry.image), why),
                     .span = entry.field("image"),
                     .help = "name a release tag or a digest",
                     .path = {},
                     .related = {},
                     .config_keys = {entry.key}});
  }
  const yaml::Node* scenarios = entry.member->value->find("scenarios");
  const yaml::Node* items = scenarios == nullptr ? nullptr : scenarios->find("fixed-seq-len");
  for (const auto* item : items == nullptr ? std::span<const yaml::Node* const>() : items->items) {
    const auto* isl = item->find_member("isl");
    const auto* osl = item->find("osl");
    if (isl == nullptr || osl == nullptr || !isl->value->is(yaml::Kind::integer) ||
        !osl->is(yaml::Kind::integer)) {
      continue;
    }
    const auto name = length_name(isl->value->integer, osl->integer);
    if (name == "1k1k" || name == "8k1k") continue;
    diagnostics.add({.severity = Severity::warning,
                     .rule = "undispatched-length",
                     .message = fmt::format("no workflow job picks up isl {} with osl {}",
                                            isl->value->integer, osl->integer),
                     .span = entry.document->span(extent_of(*isl)),
                     .help = "1024/1024 and 8192/1024 are dispatched",
                     .path = {},
                     .related = {},
                     .config_keys = {entry.key}});
  }
}

}  // namespace sweep::config
