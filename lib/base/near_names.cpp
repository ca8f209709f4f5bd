#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "sweep/base.h"

namespace sweep {
namespace {

// Names longer than this are not misspellings of one another, and the distance is quadratic.
constexpr std::size_t longest_compared = 128;

// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::vector<std::size_t> current(to.size() + 1);
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, last[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::exchange(last, std::move(current));
  }
  return last.back();
}

bool unsafe_to_show(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool line_or_bidi = c == 0x2028 || c == 0x2029 || c == 0x061C || c == 0x200E ||
                            c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                            (c >= 0x2066 && c <= 0x2069);
  return control || line_or_bidi || c == 0xFEFF;
}

}  // namespace

std::vector<std::string> near_names(std::string_view name,
                                    std::span<const std::string_view> candidates,
                                    std::size_t limit) {
  if (name.empty() || name.size() > longest_compared) return {};
  const std::size_t tolerated = std::max<std::size_t>(1, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const auto candidate : candidates) {
    const std::size_t gap = candidate.size() > name.size() ? candidate.size() - name.size()
                                                           : name.size() - candidate.size();
    if (candidate == name || gap > tolerated || candidate.size() > longest_compared) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= tolerated) found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : found) {
    if (names.size() < limit && std::find(names.begin(), names.end(), candidate) == names.end()) {
      names.emplace_back(candidate);
    }
  }
  return names;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates,
                         std::size_t limit) {
  const auto names = near_names(name, candidates, limit);
  if (names.empty()) return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("'{}'", printable(names[i]));
  }
  return text + "?";
}

std::string printable(std::string_view text, std::size_t max_code_points) {
  std::string out;
  const std::size_t total = utf8::count(text);
  const bool cut = total > max_code_points;
  const std::size_t head = cut ? max_code_points / 2 : total;
  const std::size_t tail = cut ? total - (max_code_points - head - 1) : total;
  std::size_t index = 0;
  for (std::size_t at = 0; at < text.size(); ++index) {
    const auto decoded = utf8::decode(text, at);
    if (index == head && cut) out += "…";
    if (index < head || index >= tail) {
      if (!decoded.valid) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      } else if (decoded.code_point == '\n') {
        out += "\\n";
      } else if (decoded.code_point == '\t') {
        out += "\\t";
      } else if (decoded.code_point == '\r') {
        out += "\\r";
      } else if (unsafe_to_show(decoded.code_point)) {
        out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(decoded.code_point));
      } else {
        out.append(text, at, decoded.length);
      }
    }
    at += decoded.length;
  }
  return out;
}

}  // namespace sweep
