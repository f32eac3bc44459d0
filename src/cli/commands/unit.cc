#include "cli/commands.h"
#include "cli/unit_commands.h"

namespace plimsoll {

Command UnitCommand() {
  Command command;
  command.name = "unit";
  command.summary = "Show what a unit of output cost: a million samples, a quality reached";
  command.about = "Joins cost to what was produced with it.";
  command.example =
      "plimsoll unit training --runs runs --gpu-price 2.50 --target 'loss<=2.5,window=3'";
  command.commands = {UnitTrainingCommand()};
  return command;
}

}  // namespace plimsoll
