#include "cli/commands.h"

namespace plimsoll {

Command RootCommand() {
  Command root;
  root.name = "plimsoll";
  root.summary = "What a GPU fleet's every load costs, what it produced, and what to change first";
  root.about =
      "Reads bills (FOCUS), Kubernetes, Prometheus and Slurm as they are, divides each cost "
      "exactly among the workloads that caused it, and ties every figure to the invoice.\n\n"
      "Answers go to stdout, everything else to stderr. --format json and csv have stable "
      "names for scripts.";
  root.example =
      "plimsoll init\n"
      "plimsoll sync\n"
      "plimsoll ingest focus bill.csv.gz";
#define PLIMSOLL_ADD(name) root.commands.push_back(name##Command());
  PLIMSOLL_COMMANDS(PLIMSOLL_ADD)
#undef PLIMSOLL_ADD
  return root;
}

}  // namespace plimsoll
