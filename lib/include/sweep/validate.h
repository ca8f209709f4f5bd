/// @file
/// Checking whole files of every kind, as pre-commit and CI ask for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/base.h"
#include "sweep/policy.h"
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
  const policy::Policy* policy = nullptr;     ///< rules over rows; none are applied without
  const policy::Waivers* waivers = nullptr;   ///< may be none
  std::string today;                          ///< YYYY-MM-DD, for waivers that expire
  std::function<bool(const std::string&)> document_exists;  ///< for waivers files to check
};

/// Checks all files and adds every finding of all of them. Master configs are read as one. When
/// neither `options` nor the files give runners, a note says which rules were skipped.
void check_files(std::span<const std::shared_ptr<const SourceFile>> files, const Options& options,
                 Diagnostics& diagnostics);

}  // namespace sweep::validate
