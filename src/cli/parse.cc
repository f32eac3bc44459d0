#include "cli/parse.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <deque>

#include "config/suggest.h"

namespace plimsoll {
namespace {

// One option as the library reads it: texts first, given their type afterwards by Assign.
struct Binding {
  const Command* owner;
  CommandOption option;
  CLI::Option* parsed = nullptr;
  std::vector<std::string> texts = {};
};

class Parser {
 public:
  Parser(const Command& root, CommonOptions& common) : root_(root), common_(common) {
    AddCommand(app_, root, nullptr);
    app_.set_version_flag("--version", std::string("version"), "Print the version");
  }

  Result<ParsedCommand> Parse(const std::vector<std::string>& args) {
    ParsedCommand parsed;
    try {
      std::vector<std::string> reversed(args.rbegin(), args.rend());
      app_.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
      parsed.help = true;
    } catch (const CLI::CallForVersion&) {
      parsed.version = true;
    } catch (const CLI::ParseError& e) {
      return Error{ErrorCode::kInvalidArgument, std::string(e.what()) + HelpHint()};
    }
    parsed.path = PathOfCalled();
    if (parsed.help || parsed.version) return parsed;
    PLIMSOLL_RETURN_IF_ERROR(CheckExtras());
    PLIMSOLL_RETURN_IF_ERROR(CheckComplete(parsed));
    for (Binding& binding : bindings_) PLIMSOLL_RETURN_IF_ERROR(Assign(binding, parsed));
    return parsed;
  }

 private:
  void AddCommand(CLI::App& app, const Command& command, const CLI::App* parent) {
    app.name(command.name);
    app.set_help_flag("--help,-h", "Print this help");
    app.allow_extras(true);
    apps_.emplace_back(&app, &command);
    if (parent == nullptr) {
      // Before the command's name any shared option may stand; whether the command takes it
      // is checked once the command is known.
      for (CommandOption& option : OptionsOf(CommonSet::kFacts, common_)) {
        AddOption(app, command, std::move(option));
      }
    } else {
      for (const CommandOption& option : command.options) AddOption(app, command, option);
      for (CommandOption& option : OptionsOf(command.common, common_)) {
        AddOption(app, command, std::move(option));
      }
    }
    // Once a command is called, a later word is never another command: it may be a file's name.
    if (!command.commands.empty()) app.require_subcommand(0, 1);
    for (const Command& child : command.commands) {
      AddCommand(*app.add_subcommand(child.name), child, &app);
    }
  }

  void AddOption(CLI::App& app, const Command& owner, CommandOption option) {
    Binding& binding = bindings_.emplace_back(Binding{&owner, std::move(option)});
    if (binding.option.flag()) {
      binding.parsed = app.add_flag(binding.option.names);
      return;
    }
    binding.parsed = app.add_option(binding.option.names, binding.texts);
    if (binding.option.positional() && binding.option.repeats()) {
      binding.parsed->expected(0, 1 << 20);
    } else {
      binding.parsed->expected(1)->allow_extra_args(false);
    }
    // Of an option that takes one value, Assign refuses a second that says something else.
    binding.parsed->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  std::vector<const Command*> PathOfCalled() const {
    std::vector<const Command*> path;
    for (const auto& [app, command] : apps_) {
      if (path.empty() ||
          (app->count() > 0 && app->get_parent()->get_name() == path.back()->name)) {
        path.push_back(command);
      }
    }
    return path;
  }

  std::string HelpHint() const {
    ParsedCommand called;
    called.path = PathOfCalled();
    return "; see " + called.Name() + " --help";
  }

  Status CheckExtras() const {
    ParsedCommand called;
    for (const auto& [app, command] : apps_) {
      if (!called.path.empty() && app->count() == 0) continue;
      called.path.push_back(command);
      const std::vector<std::string> extras = app->remaining(false);
      if (!extras.empty()) return Unexpected(extras.front(), called);
    }
    return Ok();
  }

  // The options that may be given to the called command, by name.
  std::vector<std::string> KnownOptions(const Command& command) const {
    std::vector<std::string> names{"--help"};
    for (const Binding& binding : bindings_) {
      if (binding.owner != &command || binding.option.positional()) continue;
      for (const std::string& name : binding.option.Names()) names.push_back(name);
    }
    return names;
  }

  Error Unexpected(const std::string& extra, const ParsedCommand& called) const {
    const Command& command = called.command();
    const std::string see = "; see " + called.Name() + " --help";
    if (extra.starts_with('-')) {
      const std::string name = extra.substr(0, extra.find('='));
      const std::string hint = DidYouMean(name, KnownOptions(command));
      return {ErrorCode::kInvalidArgument, "unknown option '" + name + "' of " + called.Name() +
                                               hint + (hint.empty() ? see : "")};
    }
    if (command.commands.empty()) {
      return {ErrorCode::kInvalidArgument,
              "unexpected argument '" + extra + "' of " + called.Name() + see};
    }
    std::vector<std::string> names;
    for (const Command& child : command.commands) names.push_back(child.name);
    const std::string hint = DidYouMean(extra, names);
    return {ErrorCode::kInvalidArgument, "unknown command '" + extra + "' of " + called.Name() +
                                             hint + (hint.empty() ? see : "")};
  }

  Status CheckComplete(const ParsedCommand& called) const {
    const Command& command = called.command();
    if (!command.run) {
      std::string names;
      for (const Command& child : command.commands) {
        names += (names.empty() ? "" : ", ") + child.name;
      }
      return Error{ErrorCode::kInvalidArgument, called.Name() + " needs a command: " + names};
    }
    for (const Binding& binding : bindings_) {
      if (binding.owner != &command || !binding.option.required) continue;
      if (binding.parsed->count() > 0) continue;
      return Error{ErrorCode::kInvalidArgument,
                   called.Name() + " needs " + binding.option.Names().front() + ": " +
                       binding.option.help + "; see " + called.Name() + " --help"};
    }
    return Ok();
  }

  // Whether `command` takes the shared option that was given before its name.
  bool Takes(const Command& command, const CommandOption& option) const {
    for (const CommandOption& taken : OptionsOf(command.common, common_)) {
      if (taken.names == option.names) return true;
    }
    return false;
  }

  Status Assign(const Binding& binding, const ParsedCommand& called) const {
    if (binding.parsed->count() == 0) return Ok();
    const CommandOption& option = binding.option;
    const std::string name = option.Names().front();
    if (binding.owner == &root_ && !Takes(called.command(), option)) {
      return Error{ErrorCode::kInvalidArgument, called.Name() + " does not take " + name};
    }
    for (const std::string& text : binding.texts) {
      if (option.choices.empty() ||
          std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end()) {
        continue;
      }
      std::string choices;
      for (const std::string& choice : option.choices) {
        choices += (choices.empty() ? "" : ", ") + choice;
      }
      return Error{ErrorCode::kInvalidArgument, name + " '" + text + "' is not one of " + choices +
                                                    DidYouMean(text, option.choices)};
    }
    if (!option.flag() && !option.repeats()) {
      for (const std::string& text : binding.texts) {
        if (text == binding.texts.front()) continue;
        return Error{ErrorCode::kInvalidArgument, name + " is given as '" + binding.texts.front() +
                                                      "' and as '" + text +
                                                      "'; it takes one value: keep one"};
      }
    }
    if (bool* const* flag = std::get_if<bool*>(&option.target)) **flag = true;
    if (std::string* const* text = std::get_if<std::string*>(&option.target)) {
      **text = binding.texts.back();
    }
    if (auto* const* list = std::get_if<std::vector<std::string>*>(&option.target)) {
      (*list)->insert((*list)->end(), binding.texts.begin(), binding.texts.end());
    }
    if (std::holds_alternative<std::int64_t*>(option.target)) {
      return AssignNumber(option, name, binding.texts.back());
    }
    return Ok();
  }

  static Status AssignNumber(const CommandOption& option, const std::string& name,
                             const std::string& text) {
    std::int64_t& number = **std::get_if<std::int64_t*>(&option.target);
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    const bool whole = failed == std::errc() && stop == end;
    if (whole && number >= option.least && number <= option.most) return Ok();
    const CommandOption any;
    std::string range;
    if (option.least != any.least) range += " from " + std::to_string(option.least);
    if (option.most != any.most) range += " to " + std::to_string(option.most);
    return Error{ErrorCode::kInvalidArgument, name + " '" + text + "' is not a whole number" +
                                                  (range.empty() ? ", such as 10" : range)};
  }

  const Command& root_;
  CommonOptions& common_;
  CLI::App app_;
  std::deque<Binding> bindings_;  // addresses stay: the library holds them
  std::vector<std::pair<const CLI::App*, const Command*>> apps_;  // a parent before its children
};

}  // namespace

std::string ParsedCommand::Name() const {
  std::string name;
  for (const Command* part : path) name += (name.empty() ? "" : " ") + part->name;
  return name;
}

Result<ParsedCommand> ParseCommandLine(const Command& root, CommonOptions& common,
                                       const std::vector<std::string>& args) {
  return Parser(root, common).Parse(args);
}

}  // namespace plimsoll
