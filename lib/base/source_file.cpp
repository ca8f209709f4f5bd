#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "sweep/base.h"

namespace sweep {

std::string_view version() { return SWEEP_VERSION; }

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
}

SourceFile::SourceFile(std::string name, std::string text, std::vector<std::size_t> line_numbers)
    : SourceFile(std::move(name), std::move(text)) {
  line_numbers_ = std::move(line_numbers);
}

std::size_t SourceFile::line_index(std::size_t line) const {
  if (line_numbers_.empty()) return line - 1;
  const auto found = std::lower_bound(line_numbers_.begin(), line_numbers_.end(), line);
  return static_cast<std::size_t>(found - line_numbers_.begin());
}

const std::vector<std::uint32_t>& SourceFile::line_starts() const {
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
    }
  }
  return line_starts_;
}

LineColumn SourceFile::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto& starts = line_starts();
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::size_t>(next - starts.begin());
  const std::size_t begin = starts[line - 1];
  // Behind the last line stands one that has no number of its own.
  const std::size_t shown = line_numbers_.empty()          ? line
                            : line <= line_numbers_.size() ? line_numbers_[line - 1]
                                                           : line_numbers_.back() + 1;
  return {shown, utf8::count(std::string_view(text_).substr(begin, offset - begin)) + 1};
}

std::size_t SourceFile::line_begin(std::size_t line) const {
  return line_starts().at(line_index(line));
}

std::string_view SourceFile::line_text(std::size_t line) const {
  const std::size_t begin = line_begin(line);
  std::string_view text = std::string_view(text_).substr(begin);
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace sweep
