#include "purchase/commit/marginal.h"

namespace plimsoll {

std::vector<MarginalPlacement> PlaceNodes(std::int64_t nodes, MarginalPrices prices) {
  std::vector<MarginalPlacement> placed;
  for (std::int64_t i = 0; i < nodes; ++i) {
    if (prices.committed <= prices.left) {
      prices.left -= prices.committed;
      placed.push_back({Placement::kCommitted, Money()});
    } else if (prices.spot && *prices.spot < prices.on_demand) {
      placed.push_back({Placement::kSpot, *prices.spot});
    } else {
      placed.push_back({Placement::kOnDemand, prices.on_demand});
    }
  }
  return placed;
}

}  // namespace plimsoll
