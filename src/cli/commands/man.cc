#include "cli/man.h"

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/version.h"

namespace plimsoll {

Command ManCommand() {
  Command command;
  command.name = "man";
  command.summary = "Print the manual page";
  command.about = "In troff, for man -l or an installation into share/man/man1.";
  command.example = "plimsoll man > plimsoll.1 && man -l plimsoll.1";
  command.run = [](Context& context) -> Result<ExitCode> {
    context.Write(ManPage(context.root(), Version()));
    return ExitCode::kDone;
  };
  return command;
}

}  // namespace plimsoll
