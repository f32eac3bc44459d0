#include "cli/commands.h"
#include "cli/plan_commands.h"

namespace plimsoll {

Command PlanCommand() {
  Command command;
  command.name = "plan";
  command.summary = "Decide what capacity to buy, where, for how long, and what that saves net";
  command.about = "Each plan states its prices and odds and counts what a saving costs.";
  command.example =
      "plimsoll plan spot --work 100h --gpus 8 --checkpoint-write 5m --restart 10m --wait 30m "
      "--mtbf 4h --on-demand 32.77 --spot 11.47\n"
      "plimsoll plan zones traces/*.json --interval 1h --run 12h\n"
      "plimsoll plan commit --usage hourly.csv --on-demand 10 --committed 5.5\n"
      "plimsoll plan schedule --activity activity.csv --price 1.21\n"
      "plimsoll plan sku --model llama-3.1-405b --quantization fp8 --context 131072\n"
      "plimsoll plan mig --gpu A100-80 --profiles 3g,2g,1g,1g\n"
      "plimsoll plan mix --workloads workloads.yaml\n"
      "plimsoll plan training --nodes nodes.csv --pods pods.csv --fill 130%\n"
      "plimsoll plan workload jobs.csv --cluster cluster.yaml";
  command.commands = {PlanSpotCommand(),     PlanZonesCommand(),    PlanCommitCommand(),
                      PlanScheduleCommand(), PlanSkuCommand(),      PlanMigCommand(),
                      PlanMixCommand(),      PlanTrainingCommand(), PlanWorkloadCommand()};
  return command;
}

}  // namespace plimsoll
