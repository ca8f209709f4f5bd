#include "command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tool {
namespace {

// CLI11 splits `[a,b]` and reads `010` as 8, so it only hands texts over; they are converted here.
// A value of the wrong form is wrong usage.
[[noreturn]] void wrong_usage(const std::string& message) {
  throw CLI::ValidationError(message);  // NOLINT(readability-magic-numbers)
}

std::int64_t integer(const std::string& flag, const std::string& text) {
  std::int64_t value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    wrong_usage(fmt::format("{}: '{}' does not fit into 64 bits", flag, sweep::printable(text)));
  }
  if (error != std::errc{} || stop != end || (begin != text.data() && *begin == '-')) {
    wrong_usage(fmt::format("{}: '{}' is not a decimal integer", flag, sweep::printable(text)));
  }
  return value;
}

std::string one_of(const std::string& flag, const std::string& text,
                   std::span<const std::string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    wrong_usage(fmt::format("{}: '{}' is not one of {}", flag, sweep::printable(text),
                            fmt::join(allowed, ", ")));
  }
  return text;
}

// A flag with one value; given twice, the last one counts.
template <typename Take>
CLI::Option* add_value(CLI::App& app, const std::string& flag, const std::string& shown,
                       const std::string& help, Take take) {
  return app
      .add_option_function<std::string>(
          flag, [=](const std::string& text) { take(text); }, help)
      ->type_name(shown)
      ->trigger_on_parse();
}

// A flag with one or more values; given twice, the last one counts with all its values.
template <typename Take>
CLI::Option* add_list(CLI::App& app, const std::string& flag, const std::string& shown,
                      const std::string& help, Take take) {
  constexpr int no_limit = 1 << 24;  // CLI11 takes larger ones for "one value a flag"
  return app
      .add_option_function<std::vector<std::string>>(
          flag,
          [=](const std::vector<std::string>& texts) {
            for (const auto& text : texts) {
              if (text.starts_with("--")) {
                wrong_usage(fmt::format("{}: a value is missing before '{}'", flag,
                                        sweep::printable(text)));
              }
            }
            take(texts);
          },
          help)
      ->expected(1, no_limit)
      ->allow_extra_args(false)
      ->type_name(shown)
      ->trigger_on_parse();
}

void add_texts(CLI::App& app, const std::string& flag, const std::string& shown,
               const std::string& help, std::vector<std::string>& target) {
  add_list(app, flag, shown, help, [&target](const auto& texts) { target = texts; });
}

void add_choices(CLI::App& app, const std::string& flag, std::vector<std::string_view> allowed,
                 const std::string& help, std::vector<std::string>& target) {
  const auto shown = fmt::format("{}...", fmt::join(allowed, "|"));
  add_list(app, flag, shown, help, [=, &target](const auto& texts) {
    for (const auto& text : texts) one_of(flag, text, allowed);
    target = texts;
  });
}

void add_integer(CLI::App& app, const std::string& flag, const std::string& help,
                 std::optional<std::int64_t>& target) {
  add_value(app, flag, "N", help,
            [=, &target](const std::string& text) { target = integer(flag, text); });
}

void add_findings(CLI::App& app, const std::string& format_flag, const std::string& help,
                  FindingOptions& findings) {
  using sweep::report::Format;
  constexpr std::array<std::string_view, 4> forms{"text", "json", "github", "sarif"};
  add_value(app, format_flag, fmt::format("{}", fmt::join(forms, "|")), help,
            [=, &findings](const std::string& text) {
              one_of(format_flag, text, forms);
              const auto* const found = std::find(forms.begin(), forms.end(), text);
              findings.format = static_cast<Format>(found - forms.begin());
            });
  constexpr std::array<std::string_view, 3> modes{"auto", "always", "never"};
  add_value(app, "--color", fmt::format("{}", fmt::join(modes, "|")), "colours in text",
            [=, &findings](const std::string& text) {
              one_of("--color", text, modes);
              const auto* const found = std::find(modes.begin(), modes.end(), text);
              findings.color = static_cast<ColorMode>(found - modes.begin());
            });
  app.add_flag("--strict", findings.strict, "warnings count as errors");
}

void add_policy(CLI::App& app, PolicyOptions& policy) {
  add_value(app, "--policy", "FILE", "one more policy file; may be given several times",
            [&policy](const std::string& text) { policy.policy_files.push_back(text); });
  add_value(app, "--waivers", "FILE", "waivers file (default configs/waivers.yaml where it exists)",
            [&policy](const std::string& text) { policy.waivers = text; });
}

// Raw flags of both row commands; texts become options once everything is read.
struct Common {
  std::vector<std::string> scenario_types;
  std::optional<std::int64_t> max_rows;
};

void add_common(CLI::App& app, InputOptions& input, OutputOptions& output,
                sweep::expand::CommonOptions& options, Common& raw) {
  add_list(app, "--config-files", "FILE...", "master configs, read as one in this order",
           [&input](const auto& texts) { input.config_files = texts; })
      ->required();
  add_value(app, "--runner-config", "FILE", "runners file (default configs/runners.yaml)",
            [&input](const std::string& text) { input.runner_config = text; });
  add_policy(app, input.policy);
  add_choices(app, "--seq-lens", {"1k1k", "8k1k"},
              "keep fixed lengths of these names; agentic rows stay", options.seq_lens);
  add_choices(app, "--scenario-type", {"fixed-seq-len", "agentic-coding"}, "keep these scenarios",
              raw.scenario_types);
  add_value(app, "--runner-node-filter", "TEXT", "rows for the nodes whose names contain TEXT",
            [&options](const std::string& text) { options.runner_node_filter = text; });
  app.add_flag("--no-evals", options.evals.none, "choose no row for evals");
  app.add_flag("--evals-only", options.evals.only, "print only the rows chosen for evals");
  app.add_flag("--all-evals", options.evals.all, "choose more rows, and print only those");
  add_integer(app, "--max-rows", "refuse more rows than this (default 100000)", raw.max_rows);
  add_value(app, "--output", "FILE", "write the result into FILE, whole or not at all",
            [&output](const std::string& text) { output.file = text; });
  app.add_flag("--pretty", output.pretty, "indent the JSON");
  app.add_flag("--with-source", output.with_source,
               "add to each row the file, line and config key it comes from");
  add_findings(app, "--diagnostics",
               "form of the findings, on standard error (default text; github in GitHub Actions)",
               output.findings);
}

std::optional<std::size_t> max_rows(std::optional<std::int64_t> given) {
  if (!given) return std::nullopt;
  if (*given < 0) wrong_usage("--max-rows: must be at least 0");
  return static_cast<std::size_t>(*given);
}

void finish_common(sweep::expand::CommonOptions& options, const Common& raw) {
  using sweep::config::ScenarioType;
  for (const auto& type : raw.scenario_types) {
    options.scenario_types.push_back(type == to_string(ScenarioType::fixed_seq_len)
                                         ? ScenarioType::fixed_seq_len
                                         : ScenarioType::agentic_coding);
  }
  options.max_rows = max_rows(raw.max_rows).value_or(options.max_rows);
  const auto& evals = options.evals;
  if (evals.none && (evals.only || evals.all)) {
    wrong_usage(fmt::format("--no-evals cannot be combined with {}",
                            evals.only ? "--evals-only" : "--all-evals"));
  }
}

void add_full_sweep(CLI::App& app, FullSweepCommand& command,
                    std::optional<std::int64_t>& step_size) {
  auto& options = command.options;
  add_texts(app, "--model-prefix", "PREFIX...", "keep config keys that start with one of these",
            options.model_prefixes);
  add_texts(app, "--precision", "NAME...", "keep these precisions", options.precisions);
  add_texts(app, "--framework", "NAME...", "keep these frameworks", options.frameworks);
  add_texts(app, "--runner-type", "LABEL...", "keep these runner labels", options.runner_types);
  app.add_flag("--single-node", options.single_node, "keep single-node entries");
  app.add_flag("--multi-node", options.multi_node, "keep multi-node entries");
  add_integer(app, "--step-size", "factor of the concurrency ladder (default 2)", step_size);
  add_integer(app, "--min-conc", "lowest concurrency", options.min_conc);
  add_integer(app, "--max-conc", "highest concurrency", options.max_conc);
  add_integer(app, "--max-tp", "leave out single-node fixed rows with a larger tp", options.max_tp);
  add_integer(app, "--max-ep", "lower ep of single-node fixed rows to this", options.max_ep);
}

void finish_full_sweep(FullSweepCommand& command, std::optional<std::int64_t> step_size) {
  auto& options = command.options;
  if (step_size && *step_size <= 1) wrong_usage("--step-size: must be greater than 1");
  options.step_size = step_size.value_or(options.step_size);
  if (options.min_conc && options.max_conc && *options.min_conc > *options.max_conc) {
    wrong_usage("--min-conc must not be greater than --max-conc");
  }
}

void finish_test_config(TestConfigCommand& command, const std::vector<std::string>& conc) {
  for (const auto& text : conc) command.options.conc.push_back(integer("--conc", text));
}

void add_validate(CLI::App& app, ValidateCommand& command) {
  using sweep::validate::file_kinds;
  app.add_option("files", command.files, "files to check; - is standard input")
      ->type_name("FILE...")
      ->required();
  std::vector<std::string_view> kinds;
  kinds.reserve(file_kinds().size());
  for (const auto kind : file_kinds()) kinds.push_back(to_string(kind));
  add_value(app, "--kind", fmt::format("{}", fmt::join(kinds, "|")),
            "kind of the files (default: recognised)", [=, &command](const std::string& text) {
              command.kind = sweep::validate::parse_file_kind(one_of("--kind", text, kinds));
            });
  add_value(app, "--runner-config", "FILE",
            "runners file (default configs/runners.yaml where it exists)",
            [&command](const std::string& text) { command.runner_config = text; });
  add_policy(app, command.policy);
  add_findings(app, "--format", "form of the findings (default text; github in GitHub Actions)",
               command.findings);
}

void add_plan(CLI::App& app, PlanCommand& command, std::optional<std::int64_t>& max_rows) {
  auto& request = command.request;
  request.runner_config = "configs/runners.yaml";
  add_value(app, "--base-ref", "REF", "commit that the change starts from",
            [&request](const std::string& text) { request.base_ref = text; })
      ->required();
  add_value(app, "--head-ref", "REF", "commit with the change; configs are read there",
            [&request](const std::string& text) { request.head_ref = text; })
      ->required();
  add_value(app, "--changelog-file", "FILE", "changelog (default perf-changelog.yaml)",
            [&request](const std::string& text) { request.changelog_file = text; });
  add_list(app, "--config-files", "FILE...", "master configs, read as one in this order",
           [&request](const auto& texts) { request.config_files = texts; })
      ->required();
  add_value(app, "--runner-config", "FILE", "runners file (default configs/runners.yaml)",
            [&request](const std::string& text) { request.runner_config = text; });
  add_policy(app, command.policy);
  app.add_flag("--all-evals", command.options.all_evals, "choose more rows for evals");
  app.add_flag("--evals-only", command.options.evals_only, "no throughput rows");
  app.add_flag("--trim-conc", command.options.trim_conc,
               "run each recipe at its lowest concurrency");
  add_integer(app, "--max-rows", "refuse more rows than this (default 100000)", max_rows);
  add_value(app, "--output", "FILE", "write the result into FILE, whole or not at all",
            [&command](const std::string& text) { command.output.file = text; });
  app.add_flag("--pretty", command.output.pretty, "indent the JSON");
  add_findings(app, "--diagnostics",
               "form of the findings, on standard error (default text; github in GitHub Actions)",
               command.output.findings);
}

// A JSON document comes in, and one with something added or taken out goes out.
void add_filter(CLI::App& app, std::string& input, OutputOptions& output) {
  add_value(app, "--input", "FILE", "JSON to read (default -, standard input)",
            [&input](const std::string& text) { input = text; });
  add_value(app, "--output", "FILE", "write the result into FILE, whole or not at all",
            [&output](const std::string& text) { output.file = text; });
  add_findings(app, "--diagnostics",
               "form of the findings, on standard error (default text; github in GitHub Actions)",
               output.findings);
}

void add_prioritize(CLI::App& app, PrioritizeCommand& command,
                    std::optional<std::int64_t>& pull_request) {
  add_value(app, "--policy", "FILE", "priority file", [&command](const std::string& text) {
    command.policy = text;
  })->required();
  add_value(app, "--event-name", "NAME", "event that started the run",
            [&command](const std::string& text) { command.run.event_name = text; });
  add_value(app, "--labels-json", "JSON", "the pull request's labels, a list of strings",
            [&command](const std::string& text) { command.labels_json = text; });
  add_value(app, "--criteria-json", "JSON", "the only facts that count, a list of strings",
            [&command](const std::string& text) { command.criteria_json = text; });
  add_value(app, "--queue-namespace", "TEXT", "what sets this run's tokens apart (default local)",
            [&command](const std::string& text) { command.run.queue_namespace = text; });
  add_integer(app, "--pr-number", "the pull request, for labels that skip the queue", pull_request);
  add_filter(app, command.input, command.output);
}

void finish_prioritize(PrioritizeCommand& command, std::optional<std::int64_t> pull_request) {
  if (pull_request && *pull_request < 1) wrong_usage("--pr-number: must be at least 1");
  command.run.pull_request = pull_request;
}

// CLI11 only says that a command is missing.
void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]).starts_with('-')) return;
  const std::string name = argv[1];
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const auto* command : commands) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto near = sweep::did_you_mean(name, known);
  wrong_usage(
      fmt::format("no command '{}'{}{}", sweep::printable(name), near.empty() ? "" : "; ", near));
}

// `--flag=` means an empty value; CLI11 would take the next word for it.
std::vector<std::string> words(int argc, const char* const* argv) {
  std::vector<std::string> list;
  for (int i = argc - 1; i > 0; --i) {
    std::string word = argv[i];
    if (word.starts_with("--") && word.size() > 2 && word.find('=') == word.size() - 1) {
      word.pop_back();
      list.emplace_back();
    }
    list.push_back(std::move(word));
  }
  return list;  // last word first, as CLI11 wants them
}

}  // namespace

std::variant<Command, Answer> read_command_line(int argc, const char* const* argv) {
  CLI::App app("Reads benchmark master configs, checks them, and prints the CI job matrix as JSON.",
               "generate_sweeps");
  app.set_version_flag("--version", std::string(sweep::version()));
  app.require_subcommand(1);

  FullSweepCommand full;
  Common full_raw;
  std::optional<std::int64_t> step_size;
  CLI::App* full_sweep = app.add_subcommand("full-sweep", "print the rows of every entry");
  add_common(*full_sweep, full.input, full.output, full.options, full_raw);
  add_full_sweep(*full_sweep, full, step_size);
  full_sweep->add_flag("--resolved", full.resolved, "print resolved rows, before policy applies");

  TestConfigCommand test;
  Common test_raw;
  std::vector<std::string> conc;
  CLI::App* test_config = app.add_subcommand("test-config", "print the rows of named entries");
  add_common(*test_config, test.input, test.output, test.options, test_raw);
  add_list(*test_config, "--config-keys", "KEY...", "config keys, or patterns with * ? [abc]",
           [&](const auto& texts) { test.options.config_keys = texts; })
      ->required();
  test_config->add_flag("--resolved", test.resolved, "print resolved rows, before policy applies");
  add_texts(*test_config, "--conc", "N...", "keep just these concurrencies", conc);

  ValidateCommand check;
  CLI::App* validate = app.add_subcommand("validate", "check files, and show every finding");
  add_validate(*validate, check);

  PlanCommand planned;
  std::optional<std::int64_t> plan_max_rows;
  CLI::App* plan = app.add_subcommand("plan", "print the rows that a change triggers, in buckets");
  add_plan(*plan, planned, plan_max_rows);

  PrioritizeCommand prioritize_command;
  std::optional<std::int64_t> pull_request;
  CLI::App* prioritize = app.add_subcommand("prioritize", "add a priority to every row of a plan");
  add_prioritize(*prioritize, prioritize_command, pull_request);

  CanaryCommand canary_command;
  CLI::App* canary = app.add_subcommand("canary", "take the job to run first out of a plan");
  add_filter(*canary, canary_command.input, canary_command.output);

  SchemaCommand schema_command;
  CLI::App* schema = app.add_subcommand("schema", "list the embedded JSON Schemas, or print one");
  schema->add_option("name", schema_command.name, "the schema to print")->type_name("NAME");

  ExplainCommand explain_command;
  CLI::App* explain = app.add_subcommand("explain", "list the rules, or explain one");
  explain->add_option("rule", explain_command.rule, "the rule's id")->type_name("RULE");

  try {
    check_command_name(app, argc, argv);
    app.parse(words(argc, argv));
    if (validate->parsed()) return Command(std::move(check));
    if (plan->parsed()) {
      planned.options.max_rows = max_rows(plan_max_rows).value_or(planned.options.max_rows);
      return Command(std::move(planned));
    }
    if (canary->parsed()) return Command(std::move(canary_command));
    if (prioritize->parsed()) {
      finish_prioritize(prioritize_command, pull_request);
      return Command(std::move(prioritize_command));
    }
    if (schema->parsed()) return Command(std::move(schema_command));
    if (explain->parsed()) return Command(std::move(explain_command));
    if (full_sweep->parsed()) {
      finish_common(full.options, full_raw);
      finish_full_sweep(full, step_size);
      return Command(std::move(full));
    }
    finish_common(test.options, test_raw);
    finish_test_config(test, conc);
    return Command(std::move(test));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return Answer{(chosen.empty() ? &app : chosen.front())->help(), Status::done};
  } catch (const CLI::CallForVersion&) {
    return Answer{std::string(sweep::version()) + "\n", Status::done};
  } catch (const CLI::ParseError& problem) {
    return Answer{
        fmt::format("generate_sweeps: {}\nTry 'generate_sweeps --help'.\n", problem.what()),
        Status::usage};
  }
}

}  // namespace tool
