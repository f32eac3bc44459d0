#include "cli/help.h"

#include <algorithm>

#include "cli/text.h"

namespace plimsoll {
namespace {

constexpr std::size_t kHeadWidth = 26;  // of the left column, with its indent

void AddWrapped(std::string& text, const std::string& paragraph, std::size_t columns) {
  for (const std::string& line : WrapText(paragraph, columns)) text += line + "\n";
}

void AddEntry(std::string& text, const std::string& head, const std::string& help,
              std::size_t columns) {
  std::string left = "  " + head;
  bool first = true;
  if (WidthOf(left) + 2 > kHeadWidth) {
    text += left + "\n";
    left.clear();
  }
  for (const std::string& line : WrapText(help, columns - kHeadWidth)) {
    const std::string lead = first ? left : "";
    text += lead + std::string(kHeadWidth - WidthOf(lead), ' ') + line + "\n";
    first = false;
  }
}

void AddOptions(std::string& text, const std::string& title,
                const std::vector<CommandOption>& options, std::size_t columns) {
  if (options.empty()) return;
  text += "\n" + title + ":\n";
  for (const CommandOption& option : options) {
    AddEntry(text, OptionHead(option), OptionHelp(option), columns);
  }
}

void Visit(ParsedCommand& called, const std::function<void(const ParsedCommand&)>& visit) {
  visit(called);
  for (const Command& child : called.command().commands) {
    called.path.push_back(&child);
    Visit(called, visit);
    called.path.pop_back();
  }
}

}  // namespace

std::string OptionHead(const CommandOption& option) {
  if (option.positional()) return option.names + (option.repeats() ? "..." : "");
  std::string head;
  for (const std::string& name : option.Names()) head += (head.empty() ? "" : ", ") + name;
  return head + (option.flag() ? "" : " " + option.value);
}

std::string OptionHelp(const CommandOption& option) {
  std::string help = option.help;
  std::string choices;
  for (const std::string& choice : option.choices) {
    choices += (choices.empty() ? "" : ", ") + choice;
  }
  if (!choices.empty()) help += ": " + choices;
  if (option.required && !option.positional()) help += " (required)";
  std::string value;
  if (auto* const* text = std::get_if<std::string*>(&option.target)) value = **text;
  if (auto* const* number = std::get_if<std::int64_t*>(&option.target)) {
    value = std::to_string(**number);
  }
  if (!value.empty()) help += " (default " + value + ")";
  return help;
}

std::vector<CommandOption> AllOptionsOf(const Command& command) {
  static CommonOptions defaults;  // never set: only shown
  std::vector<CommandOption> options = command.options;
  for (CommandOption& option : OptionsOf(command.common, defaults)) {
    options.push_back(std::move(option));
  }
  return options;
}

std::string UsageLine(const ParsedCommand& called) {
  std::string usage = called.Name();
  if (!called.command().commands.empty()) return usage + " COMMAND [OPTIONS]";
  usage += " [OPTIONS]";
  for (const CommandOption& option : called.command().options) {
    if (!option.positional()) continue;
    usage += option.required ? " " + OptionHead(option) : " [" + OptionHead(option) + "]";
  }
  return usage;
}

std::string HelpText(const ParsedCommand& called, std::size_t columns) {
  columns = std::clamp<std::size_t>(columns == 0 ? 80 : columns, 60, 100);
  const Command& command = called.command();
  std::string text;
  AddWrapped(text, command.summary + ".", columns);
  text += "\nUsage: " + UsageLine(called) + "\n";
  if (!command.about.empty()) {
    text += "\n";
    AddWrapped(text, command.about, columns);
  }
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const Command& child : command.commands) {
    AddEntry(text, child.name, child.summary, columns);
  }
  std::vector<CommandOption> arguments;
  std::vector<CommandOption> options;
  for (CommandOption& option : AllOptionsOf(command)) {
    (option.positional() ? arguments : options).push_back(std::move(option));
  }
  AddOptions(text, "Arguments", arguments, columns);
  AddOptions(text, "Options", options, columns);
  if (options.empty()) text += "\nOptions:\n";
  AddEntry(text, "--help, -h", "Print this help", columns);
  if (called.path.size() == 1) AddEntry(text, "--version", "Print the version", columns);
  if (!command.example.empty()) {
    text += "\nExamples:\n";
    for (const std::string& line : WrapText(command.example, 1'000)) text += "  " + line + "\n";
  }
  return text;
}

void VisitCommands(const Command& root, const std::function<void(const ParsedCommand&)>& visit) {
  ParsedCommand called;
  called.path.push_back(&root);
  Visit(called, visit);
}

}  // namespace plimsoll
