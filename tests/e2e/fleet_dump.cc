// Prints every fact of the fleet and of its runs in a database as text: for the end-to-end tests.
//
// fleet_dump DB
#include <cstdio>

#include "fact_text.h"
#include "model/conditions.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/run.h"
#include "store/duckdb/duckdb_store.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto store = plimsoll::OpenDuckDb({.path = argv[1], .threads = 1});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 70;
  }
  plimsoll::PrintFacts<plimsoll::NodeBatch>(**store, "node");
  plimsoll::PrintFacts<plimsoll::HoldingBatch>(**store, "holding");
  plimsoll::PrintFacts<plimsoll::PendingBatch>(**store, "pending");
  plimsoll::PrintFacts<plimsoll::NodeStateBatch>(**store, "node_state");
  plimsoll::PrintFacts<plimsoll::SetAsideBatch>(**store, "set_aside");
  plimsoll::PrintFacts<plimsoll::VolumeBatch>(**store, "volume");
  plimsoll::PrintFacts<plimsoll::RunBatch>(**store, "run");
  plimsoll::PrintFacts<plimsoll::RunEventBatch>(**store, "run_event");
  return 0;
}
