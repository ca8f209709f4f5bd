#include "sweep/base.h"

namespace sweep {
namespace {

// `stars_only`: `*` alone is special.
bool matches(std::string_view pattern, std::string_view text, bool stars_only) {
  // One step of the pattern against one character: its length, or 0 when they do not match.
  const auto step = [&](std::size_t at, char c) -> std::size_t {
    if (pattern[at] == '?' && !stars_only) return 1;
    if (pattern[at] != '[' || stars_only) return pattern[at] == c ? 1 : 0;
    const bool negated = at + 1 < pattern.size() && pattern[at + 1] == '!';
    const std::size_t first = at + (negated ? 2 : 1);
    // A `]` that stands first is a member of the set.
    const std::size_t close =
        first < pattern.size() ? pattern.find(']', first + 1) : std::string_view::npos;
    if (close == std::string_view::npos) return c == '[' ? 1 : 0;
    bool member = false;
    for (std::size_t i = first; i < close; ++i) {
      if (i + 2 < close && pattern[i + 1] == '-') {
        member = member || (pattern[i] <= c && c <= pattern[i + 2]);
        i += 2;
      } else {
        member = member || pattern[i] == c;
      }
    }
    return member != negated ? close + 1 - at : 0;
  };
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, to which a mismatch goes back
  std::size_t star_text = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_text = i;
      continue;
    }
    if (const auto length = at < pattern.size() ? step(at, text[i]) : 0; length != 0) {
      at += length;
      ++i;
      continue;
    }
    if (star == std::string_view::npos) return false;
    at = star + 1;
    i = ++star_text;
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  return matches(pattern, text, false);
}

bool matches_stars(std::string_view pattern, std::string_view text) {
  return matches(pattern, text, true);
}

}  // namespace sweep
