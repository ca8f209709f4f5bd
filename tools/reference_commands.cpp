// Commands that print what is built in.
#include <algorithm>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "output.h"

namespace tool {
namespace {

Status unknown(std::string_view noun, const std::string& name,
               const std::vector<std::string_view>& known) {
  const auto near = sweep::did_you_mean(name, known, 3);
  write_all(STDERR_FILENO, fmt::format("generate_sweeps: no {} '{}'{}{}\n", noun,
                                       sweep::printable(name), near.empty() ? "" : "; ", near));
  return Status::refused;
}

// Every line of the text, indented.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    out += fmt::format("{}{}\n", line.empty() ? "" : "    ", line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return out;
}

// The paragraph in lines of at most `columns` characters.
std::string wrapped(std::string_view paragraph, std::size_t columns) {
  std::string out;
  std::size_t line = 0;
  while (!paragraph.empty()) {
    const auto word = paragraph.substr(0, paragraph.find(' '));
    if (line > 0 && line + 1 + word.size() > columns) {
      out += '\n';
      line = 0;
    }
    if (line > 0) out += ' ';
    out += word;
    line += word.size() + (line > 0 ? 1 : 0);
    paragraph.remove_prefix(std::min(paragraph.size(), word.size() + 1));
  }
  return out + "\n";
}

}  // namespace

Status run(const SchemaCommand& command) {
  std::string list;
  std::vector<std::string_view> names;
  for (const auto& schema : sweep::schema::embedded_schemas()) {
    if (schema.name == command.name) {
      write_result({}, schema.text);
      return Status::done;
    }
    names.push_back(schema.name);
    list += fmt::format("{}\n", schema.name);
  }
  if (!command.name.empty()) return unknown("schema", command.name, names);
  write_result({}, list);
  return Status::done;
}

Status run(const ExplainCommand& command) {
  std::string list;
  std::vector<std::string_view> names;
  for (const auto& rule : sweep::rules()) {
    names.push_back(rule.id);
    list += fmt::format("{:<30} {:<8} {}\n", rule.id, to_string(rule.severity), rule.title);
  }
  if (command.rule.empty()) {
    write_result({}, list);
    return Status::done;
  }
  const auto* rule = sweep::find_rule(command.rule);
  if (rule == nullptr) return unknown("rule", command.rule, names);
  constexpr std::size_t columns = 80;
  write_result(
      {}, fmt::format("{} ({})\n{}\n\n{}\nWrong:\n\n{}\nRight:\n\n{}", rule->id,
                      to_string(rule->severity), rule->title, wrapped(rule->explanation, columns),
                      indented(rule->wrong), indented(rule->right)));
  return Status::done;
}

}  // namespace tool
