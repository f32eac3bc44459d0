// PlacerChooser: the node policies of capacity/placement (FGD, packing, ...) for a simulated queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "capacity/placement/placer.h"
#include "capacity/queue/node_chooser.h"

namespace plimsoll {

class PlacerChooser : public NodeChooser {
 public:
  // `cluster` as it is when the simulation begins; what `options` points to outlives the object
  // and its clones.
  PlacerChooser(const Cluster& cluster, const PlacerOptions& options) : placer_(cluster, options) {}

  std::optional<PodPlace> Choose(const Cluster& cluster, const PodShape& shape) override {
    const auto placement = placer_.Choose(cluster, shape);
    if (!placement) return std::nullopt;
    return PodPlace{placement->node, placement->gpus};
  }
  std::unique_ptr<NodeChooser> Clone() const override {
    return std::make_unique<PlacerChooser>(*this);
  }

 private:
  Placer placer_;
};

}  // namespace plimsoll
