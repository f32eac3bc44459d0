// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/node_offer.h"

#include <tuple>
#include <vector>

#include "capacity/model/cluster.h"

namespace plimsoll {

std::optional<NodeChoice> CheapestNodes(std::span<const NodeOffer> offers, const PodShape& shape,
                                        std::int64_t pods) {
  std::optional<NodeChoice> best;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const NodeOffer& offer = offers[i];
    const Cluster node(
        std::vector<std::string>(offer.flavor + std::size_t{1}, offer.name), DomainTree(),
        {{offer.name, offer.flavor, offer.cpu_milli, offer.memory_mib, offer.gpus, {}}});
    const std::int64_t on_one = node.Slots(0, shape);
    if (on_one == 0) continue;
    NodeChoice choice;
    choice.offer = i;
    choice.nodes = (pods + on_one - 1) / on_one;
    choice.cost = Money::FromNanos(offer.price.nanos() * choice.nodes);
    choice.gpus_idle_milli =
        choice.nodes * offer.gpus * std::int64_t{kMilliPerGpu} - pods * GpuMilli(shape);
    if (best && std::tie(best->cost, best->gpus_idle_milli) <=
                    std::tie(choice.cost, choice.gpus_idle_milli)) {
      continue;
    }
    best = choice;
  }
  return best;
}

}  // namespace plimsoll
