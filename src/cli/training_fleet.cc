#include "cli/training_fleet.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace plimsoll {
namespace {

constexpr Duration kUsualRepair = Hours(4);

// How the nodes of a group lie: names of domains from the widest level on, one entry a leaf.
struct Layout {
  std::vector<std::vector<std::string>> leaves;
  std::vector<std::int64_t> nodes;  // of each leaf
  std::int64_t nodes_per_leaf = 1;
  // Of each level but the lowest: domains of the next level in one of it; 0: all in one.
  std::vector<std::size_t> children;
};

std::vector<std::string> NamesOf(const DomainTree& tree, const NodeSpec& node) {
  std::vector<std::string> names;
  for (const DomainId domain : node.domains) {
    names.push_back(domain == kNoDomain ? "" : tree.at(domain).name);
  }
  return names;
}

// The different domains of a level, as paths down to it.
std::size_t DomainsAt(const std::vector<std::vector<std::string>>& leaves, std::size_t level) {
  std::vector<std::vector<std::string>> paths;
  for (const std::vector<std::string>& leaf : leaves) {
    paths.emplace_back(leaf.begin(), leaf.begin() + static_cast<std::ptrdiff_t>(level + 1));
  }
  std::sort(paths.begin(), paths.end());
  return static_cast<std::size_t>(std::unique(paths.begin(), paths.end()) - paths.begin());
}

Layout LayoutOf(const ClusterSpec& facts, const NodeGroup& group) {
  Layout layout;
  for (NodeId id = group.first; id < group.first + group.nodes; ++id) {
    std::vector<std::string> names = NamesOf(facts.tree, facts.nodes[id]);
    if (layout.leaves.empty() || layout.leaves.back() != names) {
      layout.leaves.push_back(std::move(names));
      layout.nodes.push_back(0);
    }
    ++layout.nodes.back();
  }
  for (const std::int64_t nodes : layout.nodes) {
    layout.nodes_per_leaf = std::max(layout.nodes_per_leaf, nodes);
  }
  const std::size_t levels = layout.leaves[0].size();
  for (std::size_t level = 0; level + 1 < levels; ++level) {
    const std::size_t here = DomainsAt(layout.leaves, level);
    const std::size_t below = DomainsAt(layout.leaves, level + 1);
    layout.children.push_back(here == 1 ? 0 : (below + here - 1) / here);
  }
  return layout;
}

// Domains of leaf `index`, which may be one more than there are.
std::vector<std::string> LeafAt(const Layout& layout, const std::vector<std::string>& levels,
                                const std::string& group, std::size_t index) {
  if (index < layout.leaves.size() || layout.leaves[0].empty()) {
    return layout.leaves[std::min(index, layout.leaves.size() - 1)];
  }
  std::vector<std::string> names(levels.size());
  std::size_t at = index;
  for (std::size_t level = levels.size(); level-- > 0;) {
    if (level + 1 < levels.size()) {
      const std::size_t children = layout.children[level];
      if (children == 0) {
        std::copy_n(layout.leaves[0].begin(), level + 1, names.begin());
        break;
      }
      at /= children;
    }
    const std::size_t known = DomainsAt(layout.leaves, level);
    if (at < known) {
      // The path of the at-th domain of this level.
      std::vector<std::string> before;
      std::size_t seen = 0;
      for (const std::vector<std::string>& leaf : layout.leaves) {
        const std::vector<std::string> path(leaf.begin(),
                                            leaf.begin() + static_cast<std::ptrdiff_t>(level + 1));
        if (path != before && seen++ == at) {
          std::copy(path.begin(), path.end(), names.begin());
          return names;
        }
        before = path;
      }
    }
    names[level] = group + "-" + levels[level] + "-" + std::to_string(at);
  }
  return names;
}

// The leaf of each of so many nodes.
std::vector<std::size_t> LeavesOf(const Layout& layout, std::size_t units) {
  std::vector<std::size_t> leaves;
  for (std::size_t leaf = 0; leaf < layout.leaves.size(); ++leaf) {
    leaves.insert(leaves.end(), static_cast<std::size_t>(layout.nodes[leaf]), leaf);
  }
  for (std::size_t leaf = 0; leaf < layout.leaves.size() && leaves.size() < units; ++leaf) {
    leaves.insert(leaves.end(),
                  static_cast<std::size_t>(layout.nodes_per_leaf - layout.nodes[leaf]), leaf);
  }
  for (std::size_t leaf = layout.leaves.size(); leaves.size() < units; ++leaf) {
    leaves.insert(leaves.end(), static_cast<std::size_t>(layout.nodes_per_leaf), leaf);
  }
  leaves.resize(units);
  return leaves;
}

void AddGroup(const ClusterSpec& from, std::size_t index, std::int64_t units, ClusterSpec& scaled) {
  NodeGroup group = from.groups[index];
  const std::span<const NodeSpec> known(&from.nodes[group.first], group.nodes);
  const Layout layout = LayoutOf(from, group);
  group.first = static_cast<NodeId>(scaled.nodes.size());
  group.nodes = static_cast<std::uint32_t>(units);
  group.spares = std::min(group.spares, group.nodes > 0 ? group.nodes - 1 : 0);
  const std::vector<std::size_t> leaves = LeavesOf(layout, static_cast<std::size_t>(units));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    // Nodes of a group may differ in size; further ones are like the first.
    NodeSpec node = i < known.size() ? known[i] : known[0];
    node.name = group.name + "-" + std::to_string(i);
    node.flavor = static_cast<std::uint32_t>(index);
    if (i > 0 && leaves[i] == leaves[i - 1]) {
      node.domains = scaled.nodes.back().domains;
    } else {
      const std::vector<std::string> names =
          LeafAt(layout, from.tree.levels(), group.name, leaves[i]);
      if (!names.empty()) node.domains = scaled.tree.Add(names);
    }
    scaled.nodes.push_back(std::move(node));
  }
  scaled.groups.push_back(std::move(group));
}

NodeRisk RiskOf(const NodeGroup& group) {
  NodeRisk risk;
  risk.failures_per_million_node_days = group.failures_micro.value_or(0);
  risk.evictions_per_million_node_days = group.evictions_micro.value_or(0);
  risk.repair = group.repair.value_or(kUsualRepair);
  return risk;
}

void AddMaintenance(const ClusterSpec& facts, RiskModel& risks) {
  for (const NodeMaintenance& window : facts.maintenance) {
    Maintenance maintenance;
    maintenance.window = window.window;
    for (const NodeGroup& group : facts.groups) {
      if (!window.group.empty() && window.group != group.name) continue;
      const std::uint32_t count =
          window.nodes == 0 ? group.nodes : std::min(window.nodes, group.nodes);
      for (std::uint32_t i = 0; i < count; ++i) maintenance.nodes.push_back(group.first + i);
    }
    if (!maintenance.nodes.empty()) risks.maintenance.push_back(std::move(maintenance));
  }
}

Purchase PurchaseOf(const std::string& name) {
  if (name.starts_with("reserved")) return Purchase::kReserved;
  if (name == "on-demand") return Purchase::kOnDemand;
  return name == "spot" ? Purchase::kSpot : Purchase::kOwned;
}

// The groups of each of the cluster's flavors.
std::vector<FlavorSet> GroupsOfFlavors(const ClusterSpec& facts) {
  std::vector<FlavorSet> groups(facts.flavors.size(), 0);
  for (std::size_t i = 0; i < facts.groups.size(); ++i) {
    groups[facts.nodes[facts.groups[i].first].flavor] |= FlavorSet{1} << i;
  }
  return groups;
}

void UseGroups(const std::vector<FlavorSet>& groups, TrainingJob& job) {
  job.shape.flavors = GroupsOf(groups, job.shape.flavors);
  std::vector<std::uint32_t> order;
  for (const std::uint32_t flavor : job.flavor_order) {
    for (std::uint32_t group = 0; group < kFlavorsMax; ++group) {
      if (flavor < groups.size() && Accepts(groups[flavor], group)) order.push_back(group);
    }
  }
  job.flavor_order = std::move(order);
}

}  // namespace

ClusterSpec ScaledTo(const ClusterSpec& facts, const std::vector<std::int64_t>& units) {
  ClusterSpec scaled;
  scaled.tree = DomainTree(facts.tree.levels());
  scaled.maintenance = facts.maintenance;
  scaled.domain_failures = facts.domain_failures;
  scaled.currency = facts.currency;
  for (std::size_t i = 0; i < facts.groups.size(); ++i) {
    scaled.flavors.push_back(facts.groups[i].name);
    AddGroup(facts, i, units.at(i), scaled);
  }
  return scaled;
}

SimulatedFleet FleetOf(const ClusterSpec& facts, const std::vector<std::int64_t>& units) {
  const ClusterSpec scaled = ScaledTo(facts, units);
  SimulatedFleet fleet{scaled.ToCluster(), {}};
  RiskModel& risks = fleet.options.risks;
  for (const NodeGroup& group : scaled.groups) {
    risks.of_flavor.push_back(RiskOf(group));
    for (std::uint32_t i = group.nodes - group.spares; i < group.nodes; ++i) {
      risks.spares.push_back(group.first + i);
    }
  }
  for (const DomainFailure& failure : scaled.domain_failures) {
    risks.domains.push_back({failure.level, failure.failures_micro, failure.repair});
  }
  AddMaintenance(scaled, risks);
  return fleet;
}

Result<TrainingModel> ModelOf(const ClusterSpec& facts, TrainingWorkload workload,
                              std::vector<std::pair<std::string, std::string>> files) {
  if (facts.groups.size() > kFlavorsMax) {
    return Error{ErrorCode::kInvalidArgument,
                 "the cluster has " + std::to_string(facts.groups.size()) +
                     " groups of nodes; join like ones to at most " + std::to_string(kFlavorsMax)};
  }
  TrainingModel model;
  model.flavors = facts.flavors;
  model.levels = facts.tree.levels();
  model.groups_of_flavor = GroupsOfFlavors(facts);
  model.gpus_per_node = 1;
  for (const NodeGroup& group : facts.groups) {
    const NodeSpec& node = facts.nodes[group.first];
    FleetAxis axis;
    axis.name = group.name;
    axis.flavor = facts.flavors[node.flavor];
    axis.purchase = PurchaseOf(group.purchase);
    axis.gpus_per_unit = node.gpus;
    axis.units = {static_cast<std::int64_t>(group.nodes)};
    axis.price = PriceOf(group);
    model.groups.push_back(std::move(axis));
    model.gpus_per_node = std::max<std::int64_t>(model.gpus_per_node, node.gpus);
  }
  for (TrainingJob& job : workload.jobs) UseGroups(model.groups_of_flavor, job);
  model.history = std::move(workload);
  model.files = std::move(files);
  model.currency = facts.currency;
  const auto shared = std::make_shared<const ClusterSpec>(facts);
  model.fleet = [shared](const std::vector<std::int64_t>& units) {
    return FleetOf(*shared, units);
  };
  return model;
}

}  // namespace plimsoll
