// Run: one call of the program, in process: arguments in, output and an exit code out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/io.h"

namespace plimsoll {

// `args` without the program's name. Errors are printed to io.err as sentences.
ExitCode Run(const std::vector<std::string>& args, const Io& io);

// As Run, of other commands than the program's own.
ExitCode RunCommands(const Command& root, const std::vector<std::string>& args, const Io& io);

}  // namespace plimsoll
