#include "findings.h"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output.h"

namespace tool {
namespace {

using sweep::report::Format;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value == nullptr ? std::string_view() : value;
}

sweep::report::TextStyle style_for(ColorMode mode, int descriptor) {
  sweep::report::TextStyle style;
  const bool terminal = isatty(descriptor) == 1;
  switch (mode) {
    case ColorMode::automatic:
      style.color = terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
      break;
    case ColorMode::always:
      style.color = true;
      break;
    case ColorMode::never:
      break;
  }
  winsize size{};
  constexpr unsigned short narrowest = 40;
  if (terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= narrowest) {
    style.columns = size.ws_col;
  }
  return style;
}

}  // namespace

Status show_findings(sweep::Diagnostics& diagnostics, const FindingOptions& options,
                     int descriptor) {
  diagnostics.sort();
  const Format by_environment =
      environment("GITHUB_ACTIONS") == "true" ? Format::github : Format::text;
  write_all(descriptor,
            sweep::report::findings(diagnostics, options.format.value_or(by_environment),
                                    style_for(options.color, descriptor)));
  const bool refused = diagnostics.has_errors() ||
                       (options.strict && diagnostics.count(sweep::Severity::warning) != 0);
  return refused ? Status::refused : Status::done;
}

}  // namespace tool
