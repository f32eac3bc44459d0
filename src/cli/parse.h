// Parse: the command line, checked against the commands. The only user of the CLI library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace plimsoll {

struct ParsedCommand {
  std::vector<const Command*> path;  // from the program itself to what was called; never empty
  bool help = false;                 // --help was given: nothing else was checked
  bool version = false;

  const Command& command() const { return *path.back(); }
  std::string Name() const;  // "plimsoll ingest focus"
};

// Sets the variables of the options that were given. The shared options may stand before or
// after the command's name. Fails with kInvalidArgument: an unknown command or option (with
// the nearest known), a missing or a bad value, a flag that the command does not take.
Result<ParsedCommand> ParseCommandLine(const Command& root, CommonOptions& common,
                                       const std::vector<std::string>& args);

}  // namespace plimsoll
