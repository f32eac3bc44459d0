#include "cli/completion.h"

#include "cli/help.h"

namespace plimsoll {
namespace {

std::string JoinedBy(const std::vector<std::string>& words, const std::string& by) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : by) + word;
  return text;
}

// 'text' for a shell: single quotes, with those of the text closed and reopened.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> ChildNames(const Command& command) {
  std::vector<std::string> names;
  for (const Command& child : command.commands) names.push_back(child.name);
  return names;
}

// What may follow a command: its commands, or its options.
std::string BashWords(const Command& command) {
  std::vector<std::string> words = ChildNames(command);
  for (const CommandOption& option : AllOptionsOf(command)) {
    if (!option.positional()) words.push_back(option.Names().front());
  }
  words.push_back("--help");
  return JoinedBy(words, " ");
}

// After `_`: the words of the path that are commands, so "plimsoll_ingest_focus".
std::string FunctionOf(const ParsedCommand& called) {
  std::string name = "_" + called.Name();
  for (char& c : name) {
    if (c == ' ' || c == '-') c = '_';
  }
  return name;
}

std::string ZshOption(const CommandOption& option) {
  std::string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') help += '\\';
    help += c;
  }
  const std::string action = option.choices.empty() ? (option.is_file ? "_files" : " ")
                                                    : "(" + JoinedBy(option.choices, " ") + ")";
  if (option.positional()) {
    return Quoted((option.repeats() ? "*:" : ":") + option.names + ":" + action);
  }
  std::string lines;
  for (const std::string& name : option.Names()) {
    std::string spec = (option.repeats() ? "*" : "") + name + "[" + help + "]";
    if (!option.flag()) spec += ":" + option.value + ":" + action;
    lines += (lines.empty() ? "" : " ") + Quoted(spec);
  }
  return lines;
}

std::string ZshFunction(const ParsedCommand& called) {
  const Command& command = called.command();
  std::string text = FunctionOf(called) + "() {\n";
  if (command.commands.empty()) {
    text += "  _arguments -s";
    for (const CommandOption& option : AllOptionsOf(command)) {
      text += " \\\n    " + ZshOption(option);
    }
    return text + " \\\n    '--help[Print this help]'\n}\n";
  }
  text += "  local -a commands=(\n";
  for (const Command& child : command.commands) {
    text += "    " + Quoted(child.name + ":" + child.summary) + "\n";
  }
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n";
  text += "  local name=" + FunctionOf(called) + "_${words[2]//-/_}\n";
  text += "  shift words\n  (( CURRENT-- ))\n";
  return text + "  (( $+functions[$name] )) && $name\n}\n";
}

// The condition under which fish offers what follows a command.
std::string FishCondition(const ParsedCommand& called) {
  std::string condition;
  for (std::size_t i = 1; i < called.path.size(); ++i) {
    condition += (condition.empty() ? "" : "; and ") +
                 ("__fish_seen_subcommand_from " + called.path[i]->name);
  }
  const std::vector<std::string> children = ChildNames(called.command());
  if (children.empty()) return condition;
  return (condition.empty() ? "" : condition + "; and ") +
         ("not __fish_seen_subcommand_from " + JoinedBy(children, " "));
}

std::string FishOption(const std::string& start, const CommandOption& option) {
  if (option.positional()) return option.is_file ? start + " -F\n" : "";
  std::string line = start;
  for (const std::string& name : option.Names()) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.flag()) line += option.is_file ? " -r -F" : " -x";
  if (!option.choices.empty()) line += " -a " + Quoted(JoinedBy(option.choices, " "));
  return line + " -d " + Quoted(option.help) + "\n";
}

}  // namespace

std::string BashCompletion(const Command& root) {
  std::string words;
  std::string values;
  VisitCommands(root, [&](const ParsedCommand& called) {
    words +=
        "    " + Quoted(called.Name()) + ") words=" + Quoted(BashWords(called.command())) + " ;;\n";
    for (const CommandOption& option : AllOptionsOf(called.command())) {
      if (option.choices.empty()) continue;
      for (const std::string& name : option.Names()) {
        values += "    " + Quoted(called.Name() + " " + name) +
                  ") words=" + Quoted(JoinedBy(option.choices, " ")) + " ;;\n";
      }
    }
  });
  return "# bash completion of plimsoll; load it with: source <(plimsoll completion bash)\n"
         "_plimsoll() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
         "  local called=plimsoll words='' i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$called ${COMP_WORDS[i]}\" in\n" +
         [&] {
           std::string names;
           VisitCommands(root, [&](const ParsedCommand& called) {
             if (called.path.size() == 1) return;
             names += (names.empty() ? "" : "|") + Quoted(called.Name());
           });
           return "      " + names + ") called=\"$called ${COMP_WORDS[i]}\" ;;\n";
         }() +
         "    esac\n"
         "  done\n"
         "  COMPREPLY=()\n"
         "  case \"$called $previous\" in\n" +
         values +
         "  esac\n"
         "  if [[ -z $words ]]; then\n"
         "    case \"$called\" in\n" +
         words +
         "    esac\n"
         "    # Options after a dash, commands at once; anything else is a file's name.\n"
         "    if [[ $current != -* ]]; then\n"
         "      local commands='' word\n"
         "      for word in $words; do [[ $word == -* ]] || commands+=\"$word \"; done\n"
         "      words=$commands\n"
         "    fi\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _plimsoll plimsoll\n";
}

std::string ZshCompletion(const Command& root) {
  std::string text =
      "#compdef plimsoll\n"
      "# zsh completion of plimsoll: save it as _plimsoll in a folder of $fpath\n";
  VisitCommands(root, [&](const ParsedCommand& called) { text += ZshFunction(called); });
  return text + "compdef _plimsoll plimsoll\n";
}

std::string FishCompletion(const Command& root) {
  std::string text =
      "# fish completion of plimsoll: save it as ~/.config/fish/completions/plimsoll.fish\n"
      "complete -c plimsoll -f\n";
  VisitCommands(root, [&](const ParsedCommand& called) {
    const std::string start = "complete -c plimsoll -n " + Quoted(FishCondition(called));
    for (const Command& child : called.command().commands) {
      text += start + " -a " + child.name + " -d " + Quoted(child.summary) + "\n";
    }
    for (const CommandOption& option : AllOptionsOf(called.command())) {
      text += FishOption(start, option);
    }
    text += start + " -l help -s h -d 'Print this help'\n";
  });
  return text;
}

}  // namespace plimsoll
