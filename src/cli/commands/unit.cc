#include "cli/commands.h"
#include "cli/unit_commands.h"

namespace plimsoll {

Command UnitCommand() {
  Command command;
  command.name = "unit";
  command.summary = "Show what a unit of output cost: a million samples, good tokens, a quality";
  command.about = "Joins cost to what was produced with it.";
  command.example =
      "plimsoll unit training --runs runs --gpu-price 2.50 --target 'loss<=2.5,window=3'\n"
      "plimsoll unit inference --requests requests.jsonl --gpus 1 --gpu-price 2.00 --slo "
      "ttft=20s,tpot=40ms,e2e=60s\n"
      "plimsoll unit spot --window lastweek";
  command.commands = {UnitTrainingCommand(), UnitInferenceCommand(), UnitServingCommand(),
                      UnitSpotCommand()};
  return command;
}

}  // namespace plimsoll
