#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "sweep/sweep.h"

namespace {

using sweep::Diagnostics;
using sweep::Severity;
using sweep::SourceFile;

// A DEP8 row where policy refuses it.
constexpr const char* master_text = R"(trial-dep8:
  image: vllm/vllm-openai-rocm:v0.16.0
  model: deepseek-ai/DeepSeek-V4-Pro
  model-prefix: dsv4
  precision: fp4
  framework: vllm
  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 8, ep: 8, dp-attn: true, conc-list: [4] }
)";

// Findings as `severity rule`, on a day, with one waiver.
std::vector<std::string> findings_on(const std::string& today, const std::string& waiver) {
  Diagnostics diagnostics;
  const std::vector<std::shared_ptr<const SourceFile>> files{
      std::make_shared<SourceFile>("master.yaml", master_text)};
  const auto config = sweep::config::read_master_configs(files, diagnostics);
  const auto& policy = sweep::policy::embedded_policy();
  sweep::policy::apply(policy, config, diagnostics);
  const auto waivers = sweep::policy::read_waivers(
      sweep::yaml::read(std::make_shared<SourceFile>("waivers.yaml", waiver), diagnostics),
      [](const std::string&) { return true; }, diagnostics);
  apply_waivers(waivers, policy, config, today, true, diagnostics);
  std::vector<std::string> found;
  for (const auto& finding : diagnostics.all()) {
    found.push_back(std::string(to_string(finding.severity)) + " " + finding.rule);
  }
  return found;
}

std::string waiver_until(const std::string& day) {
  return "- rule: dep8-out-of-scope\n  config-keys: [trial-*]\n  reason: bring-up\n  expires: '" +
         day + "'\n";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a waiver holds through its last day and not longer") {
  const std::string waiver = waiver_until("2026-12-31");
  CHECK(findings_on("2026-12-30", waiver) == Texts{"note dep8-out-of-scope"});
  CHECK(findings_on("2026-12-31", waiver) == Texts{"note dep8-out-of-scope"});
  CHECK(findings_on("2027-01-01", waiver) ==
        Texts{"error dep8-out-of-scope", "warning waiver-expired"});
}

TEST_CASE("a day that the calendar lacks is refused") {
  CHECK(findings_on("2026-12-30", waiver_until("2026-02-30")) ==
        Texts{"error dep8-out-of-scope", "error bad-value"});
}

TEST_CASE("a waiver of other keys or rules waives nothing") {
  CHECK(findings_on("2026-12-30",
                    "- rule: dep8-out-of-scope\n  config-keys: [other-*]\n  reason: x\n") ==
        Texts{"error dep8-out-of-scope", "warning waiver-unused"});
}
