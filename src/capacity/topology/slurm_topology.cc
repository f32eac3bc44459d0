// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slurm_topology.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "capacity/topology/domain_order.h"
#include "capacity/topology/slot_counts.h"

namespace plimsoll {
namespace {

struct Leaf {
  std::uint32_t place;
  std::int64_t idle;
};

class Switches {
 public:
  Switches(const Cluster& cluster, const SwitchRequest& request)
      : order_(cluster),
        counts_(cluster, order_, {request.node, 1, order_.levels()}),
        request_(request) {}

  SwitchOutcome Place() {
    std::optional<SwitchOutcome> over_limit;
    for (std::uint32_t up = 0; up < order_.levels(); ++up) {
      const std::uint32_t level = order_.levels() - 1 - up;
      for (const std::uint32_t i : Sufficient(level)) {
        SwitchOutcome outcome = Below(level, i);
        if (request_.max_switches == 0 || outcome.switches <= request_.max_switches) {
          return outcome;
        }
        outcome.within_limit = false;
        if (!over_limit.has_value()) over_limit = std::move(outcome);
      }
    }
    return over_limit.has_value() ? *over_limit : Refusal();
  }

 private:
  // Switches of a level that connect enough idle nodes, those with the fewest first.
  std::vector<std::uint32_t> Sufficient(std::uint32_t level) const {
    const auto idle = counts_.pods(level);
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < idle.size(); ++i) {
      if (idle[i] >= request_.nodes) found.push_back(i);
    }
    std::ranges::stable_sort(found, {}, [&](std::uint32_t i) { return idle[i]; });
    return found;
  }

  SwitchOutcome Below(std::uint32_t level, std::uint32_t i) const {
    DomainOrder::Run run = {i, i + 1};
    for (; level + 1 < order_.levels(); ++level) {
      run = {order_.children(level, run.begin).begin, order_.children(level, run.end - 1).end};
    }
    std::vector<Leaf> leaves;
    for (std::uint32_t leaf = run.begin; leaf < run.end; ++leaf) {
      leaves.push_back({leaf, counts_.pods(level)[leaf]});
    }
    std::ranges::stable_sort(leaves, std::greater<>(), &Leaf::idle);
    SwitchOutcome outcome;
    std::int64_t left = request_.nodes;
    for (auto leaf = leaves.begin(); left > 0; ++leaf) {
      if (leaf->idle >= left) {
        // The last one: the leaf with the fewest idle nodes that suffice.
        const auto end =
            std::find_if(leaf, leaves.end(), [&](const Leaf& one) { return one.idle < left; });
        leaf =
            std::find_if(leaf, end, [&](const Leaf& one) { return one.idle == (end - 1)->idle; });
      }
      left -= TakeNodes(level, leaf->place, left, outcome.gang.nodes);
      ++outcome.switches;
    }
    std::ranges::sort(outcome.gang.nodes, {},
                      [&](const NodePods& node) { return order_.place_of(node.node); });
    return outcome;
  }

  std::int64_t TakeNodes(std::uint32_t level, std::uint32_t leaf, std::int64_t most,
                         std::vector<NodePods>& nodes) const {
    const DomainOrder::Run run = order_.children(level, leaf);
    std::int64_t taken = 0;
    for (std::uint32_t i = run.begin; i < run.end && taken < most; ++i) {
      if (counts_.pods(order_.levels())[i] == 0) continue;
      nodes.push_back({order_.node(i), 1});
      ++taken;
    }
    return taken;
  }

  SwitchOutcome Refusal() const {
    SwitchOutcome outcome;
    outcome.gang.slots = counts_.total_pods();
    for (const std::int64_t idle : counts_.pods(0)) {
      outcome.gang.largest = std::max(outcome.gang.largest, idle);
    }
    outcome.gang.shortage =
        outcome.gang.slots < request_.nodes ? GangShortage::kCount : GangShortage::kDomain;
    return outcome;
  }

  DomainOrder order_;
  SlotCounts counts_;
  const SwitchRequest& request_;
};

void CheckTakesWholeNodes(const Cluster& cluster, const PodShape& shape) {
  for (NodeId node = 0; node < cluster.size(); ++node) {
    PLIMSOLL_CHECK(cluster.Slots(node, shape) <= 1);
  }
}

}  // namespace

SwitchOutcome PlaceOnSwitches(const Cluster& cluster, const SwitchRequest& request) {
  PLIMSOLL_CHECK(request.nodes > 0 && !cluster.tree().levels().empty());
  CheckTakesWholeNodes(cluster, request.node);
  return Switches(cluster, request).Place();
}

Result<GangRequest> BlockGang(const Cluster& cluster, const BlockRequest& request) {
  PLIMSOLL_CHECK(request.nodes > 0 && !cluster.tree().levels().empty());
  CheckTakesWholeNodes(cluster, request.node);
  const auto level = static_cast<std::uint32_t>(cluster.tree().levels().size() - 1);
  GangRequest gang = {request.node, request.nodes, {TopologyMode::kPreferred, level, 0, 0}};
  if (request.segment <= 0) return gang;
  const std::string segment = "segment " + std::to_string(request.segment);
  if (request.nodes % request.segment != 0) {
    return Error{ErrorCode::kInvalidArgument,
                 segment + " does not divide " + std::to_string(request.nodes) +
                     " nodes: ask for a multiple of it, or for another segment"};
  }
  std::vector<std::int64_t> nodes(cluster.tree().size(), 0);
  for (NodeId node = 0; node < cluster.size(); ++node) {
    const std::vector<DomainId>& path = cluster.node(node).domains;
    if (!path.empty() && path[level] != kNoDomain) ++nodes[path[level]];
  }
  const std::int64_t largest = nodes.empty() ? 0 : std::ranges::max(nodes);
  if (request.segment > largest) {
    return Error{ErrorCode::kInvalidArgument, segment + " is larger than the largest block, of " +
                                                  std::to_string(largest) + " nodes"};
  }
  gang.topology.slice_pods = request.segment;
  gang.topology.slice_level = level;
  return gang;
}

std::int64_t UsableNodes(std::span<const std::int64_t> block_nodes, std::int64_t segment) {
  PLIMSOLL_CHECK(segment > 0);
  return std::accumulate(
      block_nodes.begin(), block_nodes.end(), std::int64_t{0},
      [&](std::int64_t sum, std::int64_t nodes) { return sum + nodes / segment * segment; });
}

}  // namespace plimsoll
