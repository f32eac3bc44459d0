#include "cli/commands.h"
#include "cli/plan_commands.h"

namespace plimsoll {

Command PlanCommand() {
  Command command;
  command.name = "plan";
  command.summary = "Decide what capacity to buy, where, for how long, and what that saves net";
  command.about = "Each plan states its prices and odds and counts what a saving costs.";
  command.example = "plimsoll plan zones traces/*.json --interval 1h --run 12h";
  command.commands = {PlanSpotCommand(), PlanZonesCommand()};
  return command;
}

}  // namespace plimsoll
