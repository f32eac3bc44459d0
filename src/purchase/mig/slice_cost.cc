#include "purchase/mig/slice_cost.h"

#include <algorithm>
#include <numeric>

#include "units/split.h"

namespace plimsoll {

Result<SliceCosts> CostSlices(const MigGeometry& geometry, const MigPartition& partition,
                              Money card) {
  // In parts of compute x memory slices (56), so that sevenths and eighths are whole numbers.
  const std::int64_t compute = geometry.gpu().compute_slices;
  const std::int64_t memory = geometry.gpu().memory_slices;
  std::vector<std::int64_t> weights;
  for (const MigInstance& instance : partition.placement) {
    const MigProfile& profile = *geometry.profiles()[instance.profile];
    weights.push_back(std::max(profile.compute_slices * memory, profile.memory_slices * compute));
  }
  const std::int64_t held = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  const std::int64_t rest = std::max<std::int64_t>(compute * memory - held, 0);
  const std::int64_t stranded = std::min(
      rest, std::max(partition.stranded.compute * memory, partition.stranded.memory * compute));
  weights.push_back(stranded);
  weights.push_back(rest - stranded);
  PLIMSOLL_TRY(const std::vector<Money> parts, SplitByWeight(card, weights));
  SliceCosts costs;
  costs.instances.assign(parts.begin(), parts.end() - 2);
  costs.stranded = parts[parts.size() - 2];
  costs.free = parts.back();
  return costs;
}

}  // namespace plimsoll
