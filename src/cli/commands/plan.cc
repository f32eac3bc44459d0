#include "cli/commands.h"
#include "cli/plan_commands.h"

namespace plimsoll {

Command PlanCommand() {
  Command command;
  command.name = "plan";
  command.summary = "Decide what capacity to buy, where, for how long, and what that saves net";
  command.about = "Each plan states its prices and odds and counts what a saving costs.";
  command.example =
      "plimsoll plan commit --usage hourly.csv --on-demand 10 --committed 5.5\n"
      "plimsoll plan schedule --activity activity.csv --price 1.21";
  command.commands = {PlanCommitCommand(), PlanScheduleCommand()};
  return command;
}

}  // namespace plimsoll
