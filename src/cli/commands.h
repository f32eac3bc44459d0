// The commands of the program: one file a command in cli/commands/.
//
// A new command NAME is commands/name.cc with `Command NameCommand()`, and one line here
// (docs/guides/add-a-command.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

// In the order of the help.
#define PLIMSOLL_COMMANDS(COMMAND) \
  COMMAND(Demo)                    \
  COMMAND(Init)                    \
  COMMAND(Sync)                    \
  COMMAND(Ingest)                  \
  COMMAND(Quarantine)              \
  COMMAND(Allocate)                \
  COMMAND(Reconcile)               \
  COMMAND(Explain)                 \
  COMMAND(Unit)                    \
  COMMAND(Plan)                    \
  COMMAND(Report)                  \
  COMMAND(Completion)              \
  COMMAND(Man)

namespace plimsoll {

#define PLIMSOLL_DECLARE(name) Command name##Command();
PLIMSOLL_COMMANDS(PLIMSOLL_DECLARE)
#undef PLIMSOLL_DECLARE

// `plimsoll` itself, with all commands.
Command RootCommand();

}  // namespace plimsoll
