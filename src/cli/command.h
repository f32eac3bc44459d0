// Command: one command of the program as data. Help, parsing, completion and the man page
// are all made from it, so that they cannot disagree.
//
// docs/guides/add-a-command.md says how to add one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/exit_code.h"

namespace plimsoll {

class Context;

// One flag, option or positional argument; the variable it sets outlives the parsing.
struct CommandOption {
  using Target = std::variant<bool*, std::string*, std::int64_t*, std::vector<std::string>*>;

  std::string names;  // "--window,-w"; a positional's name has no dash: "SOURCE"
  std::string value;  // what stands for the value in help: "WINDOW"; "" for a flag
  std::string help;   // one sentence without a full stop
  Target target;
  std::vector<std::string> choices = {};  // closed list; wrong values suggest the nearest
  bool required = false;
  bool is_file = false;                                           // shells complete file names
  std::int64_t least = std::numeric_limits<std::int64_t>::min();  // of a number
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  static CommandOption Flag(std::string names, std::string help, bool* target);
  static CommandOption Text(std::string names, std::string value, std::string help,
                            std::string* target);
  static CommandOption Number(std::string names, std::string value, std::string help,
                              std::int64_t* target);
  // May be given again and again, one value each.
  static CommandOption List(std::string names, std::string value, std::string help,
                            std::vector<std::string>* target);
  // Positionals, in order; Arguments takes one or more and comes last.
  static CommandOption Argument(std::string name, std::string help, std::string* target);
  static CommandOption Arguments(std::string name, std::string help,
                                 std::vector<std::string>* target);

  CommandOption OneOf(std::vector<std::string> values) &&;
  CommandOption Required() &&;
  CommandOption File() &&;
  // Of a number: what it may be, both ends in it.
  CommandOption Range(std::int64_t from, std::int64_t to) &&;
  CommandOption From(std::int64_t from) &&;

  bool positional() const { return !names.starts_with('-'); }
  bool flag() const { return std::holds_alternative<bool*>(target); }
  bool repeats() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  std::vector<std::string> Names() const;  // "--window", "-w"; longest first
};

// Which of the options that many commands share a command takes.
enum class CommonSet : unsigned char {
  kNone,    // --help only
  kOutput,  // and --format, --verbose, --quiet
  kStore,   // and --config, --db
  kFacts,   // and --from: reads the database, or files in its place
};

struct Command {
  std::string name;
  std::string summary;       // one line without a full stop
  std::string about = {};    // paragraphs, split by blank lines
  std::string example = {};  // whole command lines, one a line
  CommonSet common = CommonSet::kNone;
  std::vector<CommandOption> options = {};
  std::vector<Command> commands = {};  // a group of commands has no `run`
  // Ends with the program's exit code, or an error that is printed and mapped to one. The
  // variables of `options` are set. Output goes through the context.
  std::function<Result<ExitCode>(Context&)> run = {};
};

// Values of the shared options.
struct CommonOptions {
  std::string format = "table";
  std::string config;
  std::string db;
  std::vector<std::string> from;
  bool verbose = false;
  bool quiet = false;
};
std::vector<CommandOption> OptionsOf(CommonSet set, CommonOptions& values);

}  // namespace plimsoll
