/// The skim: one linear pass over the bytes before yaml-cpp sees them. It refuses what yaml-cpp
/// would accept or choke on, and notes where every token begins and ends, which yaml-cpp's marks
/// do not tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/base.h"

namespace sweep::yaml {

struct Token {
  enum class Type : std::uint8_t {
    plain,         // one line of a plain scalar, the first
    plain_more,    // a further line of it
    quoted,        // with its quotes
    block_scalar,  // from the `|` or `>` to the end of the content
    open,          // [ or {
    close,         // ] or }
    comma,
    dash,   // `-` of a block sequence
    value,  // `:`
    question,
    anchor,
    alias,
    tag,
  };
  Type type = Type::plain;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t match = 0;  // of open and close: the other one's index
};

/// The file's tokens in order; nothing, and one finding, when the text is refused.
std::optional<std::vector<Token>> skim(const std::shared_ptr<const SourceFile>& file,
                                       Diagnostics& diagnostics);

}  // namespace sweep::yaml
