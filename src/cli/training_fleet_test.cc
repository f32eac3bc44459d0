#include "cli/training_fleet.h"

#include <gtest/gtest.h>

#include <map>

#include "ingest/cluster/cluster_reader.h"

namespace plimsoll {
namespace {

constexpr char kCluster[] =
    "currency: EUR\n"
    "groups:\n"
    "  - {name: own, flavor: H100, nodes: 8, gpus: 8, topology: {block: 2, rack: 2}, spares: 1,\n"
    "     purchase: reserved-1y, prices: {reserved-1y: 2.5}, failures_per_1000_node_days: 6.5}\n"
    "  - {name: spot, flavor: H100, gpus: 4, topology: {block: 1, rack: 3},\n"
    "     hosts_per_domain: [1, 1, 2], purchase: spot, evictions_per_1000_node_days: 120}\n"
    "  - {name: old, flavor: A100, nodes: 2, gpus: 8, topology: {block: 1, rack: 1}}\n"
    "maintenance:\n"
    "  - {group: own, nodes: 4, begin: 2026-12-01T08:00:00Z, until: 2026-12-01T12:00:00Z}\n"
    "domain_failures:\n"
    "  - {level: rack, failures_per_1000_domain_days: 0.5, repair: 2h}\n";

ClusterSpec Facts() {
  const auto reading = ReadCluster({"cluster.yaml", kCluster});
  EXPECT_TRUE(reading) << reading.error().message;
  return reading->facts;
}

// Nodes by domain of a level.
std::map<std::string, int> NodesIn(const ClusterSpec& facts, std::size_t level,
                                   const std::string& group) {
  std::map<std::string, int> nodes;
  for (const NodeSpec& node : facts.nodes) {
    if (facts.flavors[node.flavor] != group) continue;
    ++nodes[facts.tree.at(node.domains[level]).name];
  }
  return nodes;
}

TEST(TrainingFleetTest, TheSameNumbersAreTheSameCluster) {
  const ClusterSpec facts = Facts(), same = ScaledTo(facts, {8, 4, 2});
  ASSERT_EQ(same.nodes.size(), facts.nodes.size());
  for (std::size_t i = 0; i < same.nodes.size(); ++i) {
    EXPECT_EQ(same.nodes[i].name, facts.nodes[i].name);
    for (std::size_t level = 0; level < 2; ++level) {
      EXPECT_EQ(same.tree.at(same.nodes[i].domains[level]).name,
                facts.tree.at(facts.nodes[i].domains[level]).name);
    }
  }
}

TEST(TrainingFleetTest, MoreNodesFillDomainsAndOpenNewOnes) {
  const ClusterSpec scaled = ScaledTo(Facts(), {13, 7, 2});
  // Racks of two: four there are, two and a half more in a third and a fourth block.
  EXPECT_EQ(NodesIn(scaled, 1, "own"), (std::map<std::string, int>{{"own-rack-0", 2},
                                                                   {"own-rack-1", 2},
                                                                   {"own-rack-2", 2},
                                                                   {"own-rack-3", 2},
                                                                   {"own-rack-4", 2},
                                                                   {"own-rack-5", 2},
                                                                   {"own-rack-6", 1}}));
  EXPECT_EQ(NodesIn(scaled, 0, "own"),
            (std::map<std::string, int>{
                {"own-block-0", 4}, {"own-block-1", 4}, {"own-block-2", 4}, {"own-block-3", 1}}));
  EXPECT_EQ(NodesIn(scaled, 1, "spot"),
            (std::map<std::string, int>{
                {"spot-rack-0", 2}, {"spot-rack-1", 2}, {"spot-rack-2", 2}, {"spot-rack-3", 1}}));
  EXPECT_EQ(NodesIn(scaled, 0, "spot").size(), 1U);  // one block stays one
}

TEST(TrainingFleetTest, FewerNodesAreTheFirstOnes) {
  const ClusterSpec scaled = ScaledTo(Facts(), {3, 0, 1});
  EXPECT_EQ(scaled.nodes.size(), 4U);
  EXPECT_EQ(NodesIn(scaled, 1, "own"),
            (std::map<std::string, int>{{"own-rack-0", 2}, {"own-rack-1", 1}}));
  EXPECT_EQ(scaled.groups[1].nodes, 0U);
  EXPECT_EQ(scaled.groups[2].first, 3U);
}

TEST(TrainingFleetTest, ASmallerNodeStaysSmall) {
  const auto reading = ReadCluster({"gavel.json", R"({"x": ["36:20:0"]})"});
  ASSERT_TRUE(reading) << reading.error().message;
  ASSERT_EQ(reading->facts.groups.size(), 4U);  // 4 x 8 and 1 x 4, 2 x 8 and 1 x 4
  EXPECT_EQ(ScaledTo(reading->facts, {4, 1, 2, 1}).gpus(), 56);
  EXPECT_EQ(ScaledTo(reading->facts, {6, 1, 2, 0}).gpus(), 68);
}

TEST(TrainingFleetTest, NodesOfAGroupThatDifferStayDifferent) {
  ClusterSpec facts = Facts();
  facts.nodes[7].gpus = 4;  // the last of eight
  EXPECT_EQ(ScaledTo(facts, {8, 4, 2}).gpus(), facts.gpus());
  EXPECT_EQ(ScaledTo(facts, {7, 4, 2}).gpus(), facts.gpus() - 4);
  EXPECT_EQ(ScaledTo(facts, {9, 4, 2}).gpus(), facts.gpus() + 8);  // further ones are whole
}

TEST(TrainingFleetTest, EachGroupBreaksInItsWay) {
  const SimulatedFleet fleet = FleetOf(Facts(), {8, 4, 2});
  const RiskModel& risks = fleet.options.risks;
  EXPECT_EQ(fleet.cluster.flavors(), (std::vector<std::string>{"own", "spot", "old"}));
  ASSERT_EQ(risks.of_flavor.size(), 3U);
  EXPECT_EQ(risks.of_flavor[0].failures_per_million_node_days, 6'500);
  EXPECT_EQ(risks.of_flavor[0].evictions_per_million_node_days, 0);
  EXPECT_EQ(risks.of_flavor[1].evictions_per_million_node_days, 120'000);
  EXPECT_EQ(risks.spares, (std::vector<NodeId>{7}));
  ASSERT_EQ(risks.maintenance.size(), 1U);
  EXPECT_EQ(risks.maintenance[0].nodes, (std::vector<NodeId>{0, 1, 2, 3}));
  ASSERT_EQ(risks.domains.size(), 1U);
  EXPECT_EQ(risks.domains[0].level, 1U);
}

TEST(TrainingFleetTest, AJobThatTakesAGpuTakesAllGroupsOfIt) {
  TrainingWorkload workload;
  workload.jobs.resize(2);
  workload.jobs[0].shape.flavors = 0b01;  // H100
  workload.jobs[0].flavor_order = {0};
  const auto model = ModelOf(Facts(), workload, {});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->history.jobs[0].shape.flavors, FlavorSet{0b011});
  EXPECT_EQ(model->history.jobs[0].flavor_order, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(model->history.jobs[1].shape.flavors, kAnyFlavor);
  ASSERT_EQ(model->groups.size(), 3U);
  EXPECT_EQ(model->groups[0].purchase, Purchase::kReserved);
  EXPECT_EQ(model->groups[0].price, *Money::Parse("2.5"));
  EXPECT_FALSE(model->groups[1].price);
  EXPECT_EQ(model->groups[2].flavor, "A100");
  EXPECT_EQ(model->currency, "EUR");
  EXPECT_EQ(model->gpus_per_node, 8);
}

}  // namespace
}  // namespace plimsoll
