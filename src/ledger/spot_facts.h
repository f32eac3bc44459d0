// SpotFacts: the nodes that ran on spot in a window: what they cost, what they would have cost on
// demand, who held them and which of them were taken.
//
// On spot is what a usage charge of pricing category Dynamic names, and every node whose capacity
// type is spot. The list cost is the bill's; where that is null or no other than the spot cost, the
// on-demand price of the instance type in force, if the prices or the catalog have one; else it is
// not known. A node was taken if it ended and work on it was cut off within ten minutes of that: a
// node that ends idle was given back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/spot_saving.h"
#include "model/spot_cost_rule.h"

namespace plimsoll {

// Work that was cut off when its node was taken, and what it had held of the node in the window.
struct CutOffWork {
  std::string cluster, node, uid;
  GpuHours held;
};

struct SpotFacts {
  std::vector<SpotNode> nodes;  // by cluster and name; lost and unlogged are empty
  std::vector<CutOffWork> cut_off;
};

// REQUIRES: whole hours. Makes the lines of the window current first.
Result<SpotFacts> ReadSpotFacts(Ledger& ledger, Window window);

// What the rules come to in the window, in that currency. Fails with kInvalidArgument on a filter
// that is none, naming the rule. REQUIRES: the ledger is refreshed for the window
Result<std::vector<SpotDeclared>> DeclaredSpotCosts(Ledger& ledger, Window window,
                                                    const std::string& currency,
                                                    std::span<const SpotCostRule> rules);

}  // namespace plimsoll
