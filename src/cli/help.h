// Help: what --help prints, made from the command's own description.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/parse.h"

namespace plimsoll {

// Usage, commands or options, and examples, wrapped at `columns` (80 if 0, at most 100).
std::string HelpText(const ParsedCommand& called, std::size_t columns);

// "plimsoll ingest focus [OPTIONS] SOURCE..."
std::string UsageLine(const ParsedCommand& called);

// "--window, -w WINDOW", "SOURCE..."
std::string OptionHead(const CommandOption& option);

// The sentence of help, with its choices and its default.
std::string OptionHelp(const CommandOption& option);

// All options of a command: its own, then the shared ones; defaults are those of a new run.
std::vector<CommandOption> AllOptionsOf(const Command& command);

// Calls `visit` for the program and every command below it, parents first.
void VisitCommands(const Command& root, const std::function<void(const ParsedCommand&)>& visit);

}  // namespace plimsoll
