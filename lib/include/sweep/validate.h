/// @file
/// Checking whole files of every kind, as pre-commit and CI ask for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sweep/base.h"
#include "sweep/yaml.h"

namespace sweep::validate {

enum class FileKind : std::uint8_t {
  master,
  runners,
  changelog,
  priority,
  labels,
  waivers,
  policy,
  matrix,
};

/// All kinds, in the order of the documentation.
std::span<const FileKind> file_kinds();
/// `master`, `runners`, …
std::string_view to_string(FileKind kind);
std::optional<FileKind> parse_file_kind(std::string_view name);

/// The kind of a file, by what stands in it, or else by its name; `master` when neither tells.
FileKind recognise(const yaml::Document& document);

struct Options {
  std::optional<FileKind> kind;               ///< of all files; else each is recognised
  std::shared_ptr<const SourceFile> runners;  ///< for the rules that need it; may be none
};

/// Checks all files and adds every finding of all of them. Master configs are read as one. When
/// neither `options` nor the files give runners, a note says which rules were skipped.
void check_files(std::span<const std::shared_ptr<const SourceFile>> files, const Options& options,
                 Diagnostics& diagnostics);

}  // namespace sweep::validate
