#include "capacity/model/node_group.h"

namespace plimsoll {

std::int64_t ClusterSpec::gpus() const {
  std::int64_t sum = 0;
  for (const NodeSpec& node : nodes) sum += node.gpus;
  return sum;
}

std::optional<Money> PriceOf(const NodeGroup& group) { return PriceOf(group, group.purchase); }

std::optional<Money> PriceOf(const NodeGroup& group, const std::string& purchase) {
  for (const GroupPrice& price : group.prices) {
    if (price.purchase == purchase) return price.per_gpu_hour;
  }
  return std::nullopt;
}

}  // namespace plimsoll
