/// @file
/// Findings as bytes: for people, programs, GitHub and code scanning.
#pragma once

#include <cstdint>
#include <string>

#include "sweep/base.h"

namespace sweep::report {

/// After this many findings a count ends every list.
inline constexpr std::size_t max_findings = 1000;

struct TextStyle {
  bool color = false;
  std::size_t columns = 100;  ///< excerpts are cut around the place to fit
};

/// Each finding with its place, an excerpt with marks, the place in words, related places and help:
///
///     configs/amd-master.yaml:1310:18: error: 'dcp-size' (3) must divide 'tp' (8) [dcp-divides-tp]
///          |
///     1310 |       - { tp: 8, dcp-size: 3, conc-list: [4, 8] }
///          |                  ^~~~~~~~~~~
std::string text(const Diagnostics& diagnostics, const TextStyle& style = {});

/// `{"version": 1, "diagnostics": […], "errors": n, "warnings": n, "notes": n}`; the counts are of
/// all findings. `file`, `line` and the like are null where a finding has no place.
std::string json(const Diagnostics& diagnostics);

/// Workflow commands that GitHub shows at the lines of a pull request. It shows ten of a kind in a
/// step, so the rest follow as plain text with their count.
std::string github(const Diagnostics& diagnostics);

/// SARIF 2.1.0.
std::string sarif(const Diagnostics& diagnostics);

enum class Format : std::uint8_t { text, json, github, sarif };

std::string findings(const Diagnostics& diagnostics, Format format, const TextStyle& style = {});

}  // namespace sweep::report
