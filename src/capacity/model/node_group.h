// NodeGroup: nodes that are alike in what they cost, how they fail and when they are serviced.
//
// Rates are millionths of an event a node and day: 6.5 failures per 1,000 node-days are 6,500.
// What is not known is null, never a guess.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capacity/model/cluster.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// What one GPU costs an hour if its node is bought so.
struct GroupPrice {
  std::string purchase;  // owned, reserved-1y, reserved-3y, on-demand, spot
  Money per_gpu_hour;
};

struct NodeGroup {
  std::string name;
  NodeId first = 0;          // its nodes lie one after another in the cluster
  std::uint32_t nodes = 0;   // how many
  std::string purchase;      // how these nodes are bought; "" if not known
  std::uint32_t spares = 0;  // of the nodes, the last ones: used only for nodes that fail
  std::optional<std::int64_t> failures_micro;   // a node and day
  std::optional<std::int64_t> evictions_micro;  // of spot nodes, likewise
  std::optional<Duration> repair;               // mean time from a failure to the node's return
  std::vector<GroupPrice> prices;               // as far as they are known
};

// Nodes that are out of service for a time that is known before.
struct NodeMaintenance {
  std::string group;        // "" is every group
  std::uint32_t nodes = 0;  // the first ones of the group; 0 is all of them
  Window window;
};

// Failures of a whole domain (a switch, a rack's power).
struct DomainFailure {
  std::uint32_t level = 0;
  std::int64_t failures_micro = 0;  // a domain and day
  Duration repair;
};

// A cluster with what is known of it beside its shape.
struct ClusterSpec {
  std::vector<std::string> flavors;
  DomainTree tree;
  std::vector<NodeSpec> nodes;
  std::vector<NodeGroup> groups;  // every node is in one
  std::vector<NodeMaintenance> maintenance;
  std::vector<DomainFailure> domain_failures;
  std::string currency;  // of all prices; "" without any

  Cluster ToCluster() const { return Cluster(flavors, tree, nodes); }
  std::int64_t gpus() const;
};

// The price of the group's own purchase; null if it is not known.
std::optional<Money> PriceOf(const NodeGroup& group);
// The price of a purchase; null if it is not known.
std::optional<Money> PriceOf(const NodeGroup& group, const std::string& purchase);

}  // namespace plimsoll
