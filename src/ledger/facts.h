// Facts: what allocation needs, read from the store's active snapshots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "allocation/allocation.h"
#include "base/hash.h"
#include "base/result.h"
#include "model/charge.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/price.h"
#include "model/usage.h"
#include "store/store.h"

namespace plimsoll {

// Who was where in a window: small enough to be read whole.
struct OccupancyFacts {
  NodeBatch nodes;
  HoldingBatch holdings;
  BindingBatch bindings;
  Conditions conditions;
};
Result<OccupancyFacts> ReadOccupancy(Store& store, Window window);

// Occupancy from which day after day is cut.
class OccupancyIndex {
 public:
  OccupancyIndex() = default;
  explicit OccupancyIndex(OccupancyFacts facts);

  // The holdings that touch `window`, or waited in it, with every source's row of them and their
  // whole evidence (which card a holder has is told by every sample of its life, also those of the
  // next day), the nodes of some weeks around, and the conditions that hold in it.
  OccupancyFacts Touching(Window window) const;

 private:
  OccupancyFacts facts_;
  std::vector<std::int32_t> holder_;          // of each holding row
  std::vector<std::int32_t> units_;           // of each holding row: rows of one holding share it
  std::vector<std::int32_t> binding_holder_;  // of each binding; -1: of no holding
  std::int32_t holders_ = 0;
};

// A hash of the rows' content, in any order.
Hash128 HashOf(const OccupancyFacts& facts);

// Compute resources on any active bill, and how far each account's bill reaches.
Result<std::vector<BilledResource>> ReadBilled(Store& store);

Result<ChargeBatch> ReadCharges(Store& store, Window window);
Result<UsageBatch> ReadUsage(Store& store, Window window);
// One row a node that usage names; only the names and one hour are filled.
Result<UsageBatch> ReadUsageNodes(Store& store, Window window);
Result<PriceBatch> ReadPrices(Store& store);

// What the rows of one day come from: "kind/scope/period=hash" of every active snapshot of
// charges, prices and usage that touches `window`, in key order, and their ids.
struct Provenance {
  std::string hashes;
  std::string snapshot_ids;  // "3,7,12"
};
Result<Provenance> ReadProvenance(Store& store, Window window);

}  // namespace plimsoll
