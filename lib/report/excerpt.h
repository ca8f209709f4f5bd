/// The line a finding points at, with marks below it.
#pragma once

#include <string>

#include "sweep/base.h"

namespace sweep::report {

/// One line of a file made fit to be shown.
struct Excerpt {
  std::string line;   ///< tabs as blanks, nothing that moves a cursor, cut to `columns`
  std::string marks;  ///< blanks, then `^~~~` below the place
};

/// `columns` is the room for the line, in terminal columns.
Excerpt excerpt(const SourceSpan& span, std::size_t columns);

}  // namespace sweep::report
