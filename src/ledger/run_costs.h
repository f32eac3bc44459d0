// RunCosts: what training runs cost by the ledger's lines.
//
// A run joins holdings: those whose label plimsoll.io/run names it, else those of its job, else
// its workload, else its pod, in the cluster and namespace that both state. Of the lines of their
// workloads, node by node and hour by hour, it takes the part that it held while its attempts did:
// by GPU time (by time where no GPU is held), by largest remainder. So runs that share a pod-hour
// share its lines exactly, and what no run held stays with the workload.
//
//   a pod of 8 GPUs costs 16 an hour; run a held it from 0:00 to 0:30, b from 0:45 to 1:00:
//   a 8, b 4, and 4 belong to no run
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "model/run.h"

namespace plimsoll {

// When a run held its GPUs.
struct RunHeld {
  std::size_t run = 0;       // row of the batch; no two are the same
  std::vector<Window> held;  // of its attempts, in any order; overlaps count once
};

// Where a run held GPUs, and for whom.
struct RunPlace {
  std::string cluster, node, team;
  friend auto operator<=>(const RunPlace&, const RunPlace&) = default;
};

struct RunCost {
  std::size_t holdings = 0;             // that it joined in that time
  std::set<std::string> holding_ids;    // their uids
  std::map<RunPlace, GpuHours> places;  // of `gpu_time`, by node
  GpuHours gpu_time;                    // of the lines, its part
  std::map<std::string, Money> cost;    // by currency; none: no cost line
};

// One for each of `held`. Makes the lines of that time current first; holdings without an end are
// held as far as the facts reach. Fails with kOutOfRange past 38 digits.
Result<std::vector<RunCost>> RunCosts(Ledger& ledger, const RunBatch& runs,
                                      std::span<const RunHeld> held);

}  // namespace plimsoll
