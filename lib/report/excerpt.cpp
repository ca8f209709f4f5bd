#include "report/excerpt.h"

#include <algorithm>
#include <utf8proc.h>
#include <vector>

#include "base/utf8.h"

namespace sweep::report {
namespace {

// One code point of the line as it is shown.
struct Cell {
  std::string shown;
  std::size_t width = 1;  // terminal columns
  bool marked = false;
};

std::vector<Cell> cells_of(std::string_view line, std::size_t begin, std::size_t end) {
  std::vector<Cell> cells;
  for (std::size_t at = 0; at < line.size();) {
    const auto decoded = utf8::decode(line, at);
    Cell cell;
    const std::string_view bytes = line.substr(at, decoded.length);
    cell.shown = bytes == "\t" ? " " : printable(bytes);
    cell.width = cell.shown == bytes && decoded.valid
                     ? static_cast<std::size_t>(
                           utf8proc_charwidth(static_cast<utf8proc_int32_t>(decoded.code_point)))
                     : cell.shown.size();
    cell.marked = at >= begin && at < end;
    cells.push_back(std::move(cell));
    at += decoded.length;
  }
  return cells;
}

std::size_t width_of(const std::vector<Cell>& cells, std::size_t from, std::size_t to) {
  std::size_t width = 0;
  for (std::size_t i = from; i < to; ++i) width += cells[i].width;
  return width;
}

}  // namespace

Excerpt excerpt(const SourceSpan& span, std::size_t columns) {
  const SourceFile& file = *span.file;
  const auto place = file.position(span.extent.begin);
  const std::size_t line_begin = file.line_begin(place.line);
  const std::string_view line = file.line_text(place.line);
  const std::size_t begin = span.extent.begin - line_begin;
  const std::size_t end = std::max<std::size_t>(span.extent.end - line_begin, begin + 1);
  auto cells = cells_of(line, begin, end);
  const auto first_marked =
      std::find_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.marked; });
  const auto mark = static_cast<std::size_t>(first_marked - cells.begin());
  if (first_marked == cells.end()) cells.push_back({" ", 1, true});  // behind the last character

  // The part of the line to show: the whole, or a window with the mark a third of the way in.
  std::size_t from = 0;
  std::size_t to = cells.size();
  const bool cut = width_of(cells, from, to) > columns;
  if (cut) {
    from = mark;
    for (std::size_t width = 0; from > 0 && width < columns / 3; --from) width += cells[from].width;
    to = from;
    for (std::size_t width = 2; to < cells.size() && width + cells[to].width <= columns; ++to) {
      width += cells[to].width;
    }
  }
  Excerpt result;
  const auto blanks = [&](std::size_t count) { result.marks.append(count, ' '); };
  if (cut && from > 0) {
    result.line += "…";
    blanks(1);
  }
  bool marking = false;
  for (std::size_t i = from; i < to; ++i) {
    result.line += cells[i].shown;
    if (cells[i].marked) {
      for (std::size_t k = 0; k < cells[i].width; ++k) {
        result.marks += marking ? '~' : '^';
        marking = true;
      }
    } else if (!marking) {
      blanks(cells[i].width);
    }
  }
  if (cut && to < cells.size()) result.line += "…";
  while (result.line.ends_with(' ')) result.line.pop_back();
  return result;
}

}  // namespace sweep::report
