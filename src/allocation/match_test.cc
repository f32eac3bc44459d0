#include "allocation/match.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

NodeFact ANode(const std::string& name, const std::string& provider_id) {
  NodeFact node;
  node.node = name;
  node.provider_id = provider_id;
  return node;
}

TEST(MatchTest, AwsIdsMatchBareAndAtTheEndOfAnArn) {
  const NodeMatcher matcher({ANode("a", "aws:///us-east-1a/i-0abc")}, {});
  EXPECT_EQ(matcher.Find("i-0abc", ""), 0);
  EXPECT_EQ(matcher.Find("arn:aws:ec2:us-east-1:1:instance/i-0abc", ""), 0);
  EXPECT_EQ(matcher.Find("i-0abcd", ""), -1);
  EXPECT_EQ(matcher.Find("I-0ABC", ""), -1);
}

TEST(MatchTest, GoogleIdsMatchByTheirEnd) {
  const NodeMatcher matcher({ANode("vm", "gce://proj/us-central1-a/vm")}, {});
  EXPECT_EQ(matcher.Find("projects/proj/zones/us-central1-a/instances/vm", ""), 0);
  EXPECT_EQ(
      matcher.Find("//compute.googleapis.com/projects/proj/zones/us-central1-a/instances/vm", ""),
      0);
  EXPECT_EQ(matcher.Find("projects/other/zones/us-central1-a/instances/vm", ""), -1);
  EXPECT_EQ(matcher.Find("vm", ""), -1);
}

TEST(MatchTest, AzureIdsMatchWithoutCase) {
  const std::string id = "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/x/vm_1";
  const NodeMatcher matcher({ANode("vm", "azure://" + id)}, {});
  EXPECT_EQ(matcher.Find(id, ""), 0);
  EXPECT_EQ(
      matcher.Find("/SUBSCRIPTIONS/s/resourcegroups/rg/providers/microsoft.compute/X/VM_1", ""), 0);
}

TEST(MatchTest, OtherNodesMatchByConfigurationThenIdThenName) {
  const NodeMatcher matcher({ANode("a", ""), ANode("b", "crusoe://7"), ANode("c", "")},
                            {{"a", "asset-1"}, {"b", "asset-2"}});
  EXPECT_EQ(matcher.Find("asset-1", ""), 0);
  EXPECT_EQ(matcher.Find("asset-2", ""), 1);
  EXPECT_EQ(matcher.Find("crusoe://7", ""), -1);
  EXPECT_EQ(matcher.Find("c", ""), 2);
  EXPECT_EQ(matcher.Find("a", ""), -1);
}

TEST(MatchTest, ANameOnlyCountsWithoutAnId) {
  const NodeMatcher matcher({ANode("a", "aws:///z/i-1")}, {});
  EXPECT_EQ(matcher.Find("", "a"), 0);
  EXPECT_EQ(matcher.Find("vol-1", "a"), -1);
  EXPECT_EQ(matcher.Find("", ""), -1);
}

TEST(MatchTest, PurchasesAndUnusedCommitmentsAreNoNodes) {
  TestFleet fleet;
  fleet.Node("n", 1);
  const Window hour{T(0), T(60)};
  fleet.Charge("n", "1", hour);
  fleet.charges.category[fleet.Charge("n", "1", hour)] = "Purchase";
  fleet.charges.commitment_status[fleet.Charge("n", "1", hour)] = "Unused";
  fleet.Charge("n", "1", {T(60), T(120)});  // not in the window
  NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  EXPECT_EQ(MatchCharges(fleet.Input(), fleet.options, nodes),
            (std::vector<std::int32_t>{0, -1, -1, -1}));
}

}  // namespace
}  // namespace plimsoll
