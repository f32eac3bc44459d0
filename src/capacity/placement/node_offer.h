// NodeOffer: which kind of node to add for pods of one shape, by cost and not by GPU count.
//
// A node of the kind takes as many pods as fit on it empty; GPUs that no pod of the shape can use
// there are packing loss.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "capacity/model/pod_shape.h"
#include "units/money.h"

namespace plimsoll {

struct NodeOffer {
  std::string name;  // "g5.12xlarge"
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::uint32_t flavor = 0;
  Money price;  // of a node for an hour
};

struct NodeChoice {
  std::size_t offer = 0;
  std::int64_t nodes = 0;
  Money cost;                        // of them all for an hour
  std::int64_t gpus_idle_milli = 0;  // bought and not asked for: packing loss
  friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

// The offer that holds `pods` at the least cost; of equal ones the one with the least packing
// loss, then the first. Null where the shape fits on none.
std::optional<NodeChoice> CheapestNodes(std::span<const NodeOffer> offers, const PodShape& shape,
                                        std::int64_t pods);

}  // namespace plimsoll
