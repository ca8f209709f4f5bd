#include "policy_files.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

namespace tool {

std::string today() {
  const std::chrono::year_month_day date(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

bool document_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

sweep::policy::Policy load_policy(const PolicyOptions& options, sweep::Diagnostics& diagnostics) {
  sweep::policy::Policy policy = sweep::policy::embedded_policy();
  for (const auto& name : options.policy_files) {
    auto file = sweep::load_file(name, diagnostics);
    if (file == nullptr) continue;
    auto document = name.ends_with(".json") ? sweep::yaml::read_json(file, diagnostics)
                                            : sweep::yaml::read(file, diagnostics);
    if (document != nullptr) add_policy_file(policy, std::move(document), diagnostics);
  }
  return policy;
}

sweep::policy::Waivers load_waivers(const PolicyOptions& options, sweep::Diagnostics& diagnostics) {
  const std::string usual = "configs/waivers.yaml";
  std::error_code ignored;
  if (!options.waivers && !std::filesystem::exists(usual, ignored)) return {};
  auto file = sweep::load_file(options.waivers.value_or(usual), diagnostics);
  if (file == nullptr) return {};
  auto document = sweep::yaml::read(std::move(file), diagnostics);
  if (document == nullptr) return {};
  return sweep::policy::read_waivers(std::move(document), document_exists, diagnostics);
}

}  // namespace tool
