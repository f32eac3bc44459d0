#include "cli/commands.h"
#include "cli/plan_commands.h"

namespace plimsoll {

Command PlanCommand() {
  Command command;
  command.name = "plan";
  command.summary = "Decide what capacity to buy, where, for how long, and what that saves net";
  command.about = "Each plan states its prices and odds and counts what a saving costs.";
  command.example =
      "plimsoll plan sku --model llama-3.1-405b --quantization fp8 --context 131072\n"
      "plimsoll plan mig --gpu A100-80GB --profiles 3g,2g,1g,1g";
  command.commands = {PlanSkuCommand(), PlanMigCommand()};
  return command;
}

}  // namespace plimsoll
