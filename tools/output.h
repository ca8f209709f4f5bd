// Bytes out of the program.
#pragma once

#include <string>
#include <string_view>

namespace tool {

// Writes everything to a descriptor. Throws std::system_error when that fails.
void write_all(int descriptor, std::string_view bytes);

// Writes the result to standard output, or into `file` when that is not empty: under another name
// first and renamed at the end, so that a reader sees the old file or the whole new one. Only a
// regular or absent file is replaced; a symbolic link is followed. Throws std::system_error.
void write_result(const std::string& file, std::string_view bytes);

}  // namespace tool
