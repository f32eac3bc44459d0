#include <gtest/gtest.h>

#include <map>

#include "ingest/cluster/cluster_reader.h"

namespace plimsoll {
namespace {

ClusterSpec Facts(const std::string& text) {
  const auto reading = ReadCluster({"cluster.yaml", text});
  EXPECT_TRUE(reading) << reading.error().message;
  return reading ? reading->facts : ClusterSpec();
}

std::string ErrorOf(const std::string& text) {
  const auto reading = ReadCluster({"cluster.yaml", text});
  EXPECT_FALSE(reading) << text;
  return reading ? "" : reading.error().message;
}

bool Says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kWhole = R"(currency: USD
groups:
  - name: train
    flavor: H100-SXM-80GB
    nodes: 32
    gpus: 8
    cpu: 192
    memory: 2Ti
    topology: {block: 2, rack: 4}
    purchase: reserved-1y
    spares: 2
    prices: {reserved-1y: 2.49, on-demand: "4.10"}
    failures_per_1000_node_days: 6.5
    repair: 4h
  - name: spot
    flavor: A100
    gpus: 4
    topology: {block: 1, rack: 3}
    hosts_per_domain: [1, 1, 2]
    purchase: spot
    prices: {spot: 0}
    evictions_per_1000_node_days: 120
maintenance:
  - {group: train, nodes: 4, begin: 2026-12-01T08:00:00Z, until: 2026-12-01T12:00:00Z}
domain_failures:
  - {level: rack, failures_per_1000_domain_days: 0.5, repair: 2h}
)";

TEST(ClusterYamlTest, GroupsAreNodesInDomains) {
  const ClusterSpec facts = Facts(kWhole);
  EXPECT_EQ(facts.flavors, (std::vector<std::string>{"H100-SXM-80GB", "A100"}));
  EXPECT_EQ(facts.tree.levels(), (std::vector<std::string>{"block", "rack"}));
  ASSERT_EQ(facts.nodes.size(), 36U);
  EXPECT_EQ(facts.gpus(), 32 * 8 + 4 * 4);
  EXPECT_EQ(facts.nodes[0].name, "train-0");
  EXPECT_EQ(facts.nodes[0].cpu_milli, 192'000);
  EXPECT_EQ(facts.nodes[0].memory_mib, 2 * 1'048'576);
  std::map<std::string, int> hosts;
  for (const NodeSpec& node : facts.nodes) ++hosts[facts.tree.at(node.domains[1]).name];
  EXPECT_EQ(hosts.size(), 11U);
  EXPECT_EQ(hosts["train-rack-7"], 4);
  EXPECT_EQ(hosts["spot-rack-2"], 2);
  EXPECT_EQ(facts.tree.at(facts.nodes[31].domains[0]).name, "train-block-1");
  EXPECT_EQ(facts.ToCluster().gpu_milli_total(), 272'000);
}

TEST(ClusterYamlTest, WhatIsKnownOfAGroupIsKept) {
  const ClusterSpec facts = Facts(kWhole);
  ASSERT_EQ(facts.groups.size(), 2U);
  const NodeGroup& train = facts.groups[0];
  EXPECT_EQ(train.first, 0U);
  EXPECT_EQ(train.nodes, 32U);
  EXPECT_EQ(train.spares, 2U);
  EXPECT_EQ(train.failures_micro, 6'500);
  EXPECT_EQ(train.repair, Hours(4));
  EXPECT_FALSE(train.evictions_micro);
  EXPECT_EQ(PriceOf(train), *Money::Parse("2.49"));
  EXPECT_EQ(PriceOf(train, "on-demand"), *Money::Parse("4.10"));
  EXPECT_EQ(facts.groups[1].first, 32U);
  EXPECT_EQ(facts.groups[1].evictions_micro, 120'000);
  EXPECT_EQ(facts.currency, "USD");
  ASSERT_EQ(facts.maintenance.size(), 1U);
  EXPECT_EQ(facts.maintenance[0].window.length(), Hours(4));
  ASSERT_EQ(facts.domain_failures.size(), 1U);
  EXPECT_EQ(facts.domain_failures[0].level, 1U);
  EXPECT_EQ(facts.domain_failures[0].failures_micro, 500);
}

TEST(ClusterYamlTest, UnevenDomainsAreAList) {
  // 64 hosts in 15 leaf groups.
  const ClusterSpec facts = Facts(
      "groups:\n- name: h\n  gpus: 8\n  topology: {leaf: 15}\n"
      "  hosts_per_domain: [1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11]\n");
  EXPECT_EQ(facts.nodes.size(), 64U);
  EXPECT_EQ(facts.tree.size(), 15U);
}

TEST(ClusterYamlTest, ANamedDomainIsShared) {
  const ClusterSpec facts = Facts(
      "groups:\n- {name: a, nodes: 2, gpus: 8, topology: {zone: z1, rack: 1}}\n"
      "- {name: b, nodes: 2, gpus: 4, topology: {zone: z1, rack: 1}}\n");
  EXPECT_EQ(facts.nodes[0].domains[0], facts.nodes[2].domains[0]);
  EXPECT_NE(facts.nodes[0].domains[1], facts.nodes[2].domains[1]);
}

TEST(ClusterYamlTest, NodesFillTheirDomainsInOrder) {
  const ClusterSpec facts =
      Facts("groups:\n- {name: a, nodes: 10, gpus: 8, topology: {rack: 3}, hosts_per_domain: 4}\n");
  std::map<std::string, int> hosts;
  for (const NodeSpec& node : facts.nodes) ++hosts[facts.tree.at(node.domains[0]).name];
  EXPECT_EQ(hosts["a-rack-0"], 4);
  EXPECT_EQ(hosts["a-rack-2"], 2);
}

TEST(ClusterYamlTest, EveryMistakeIsNamedWithItsLine) {
  const std::pair<const char*, const char*> files[] = {
      {"group: []\n", "group: is not a known key"},
      {"groups:\n- {gpus: 8, nodes: 1}\n", "groups[0].name: is missing"},
      {"groups:\n- {name: a, gpus: 8}\n", "groups[0].nodes: is missing"},
      {"groups:\n- {name: a, gpus: 99, nodes: 1}\n", "groups[0].gpus"},
      {"groups:\n- {name: a, gpus: 8, nodes: 9, topology: {rack: 2}, hosts_per_domain: 4}\n",
       "have room for 8"},
      {"groups:\n- {name: a, gpus: 8, topology: {rack: 2}, hosts_per_domain: [1]}\n- {name: a, "
       "gpus: 8, nodes: 1}\n",
       "is that of another group"},
      {"groups:\n- {name: a, gpus: 8, nodes: 1, prices: {cheap: 1}}\n", "prices.cheap"},
      {"groups:\n- {name: a, gpus: 8, nodes: 1, prices: {spot: -1}}\n", "no price"},
      {"groups:\n- {name: a, gpus: 8, nodes: 1, topology: {rack: 1}}\n- {name: b, gpus: 8, nodes: "
       "1, topology: {leaf: 1}}\n",
       "must name the levels rack"},
      {"groups:\n- {name: a, gpus: 8, nodes: 2, spares: 2}\n", "must be fewer"},
      {"groups:\n- {name: a, gpus: 8, nodes: 2}\nmaintenance:\n- {group: b, begin: 2026-12-01, "
       "until: 2026-12-02}\n",
       "'b' is no group"},
      {"groups: [\n", "is no YAML"},
  };
  for (const auto& [text, says] : files) {
    const std::string error = ErrorOf(text);
    EXPECT_TRUE(Says(error, says)) << text << error;
    EXPECT_TRUE(Says(error, "cluster.yaml:")) << error;
  }
}

}  // namespace
}  // namespace plimsoll
