#include "cli/node_topology.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(NodeTopologyTest, LabelsOfEitherSpellingGiveTheLevelsTheWidestFirst) {
  const std::vector<std::string> plain = TopologyOf(
      R"({"cloud.provider.com/topology-rack":"r1","topology.kubernetes.io/zone":"z1"})", "other");
  ASSERT_EQ(plain.size(), kTopologyLevels);
  EXPECT_EQ(plain[0], "z1");
  EXPECT_EQ(plain[6], "r1");
  EXPECT_EQ(TopologyLevelName(6), "rack");
  EXPECT_EQ(TopologyOf(R"({"cloud_provider_com_topology_rack":"r1",)"
                       R"("topology_kubernetes_io_zone":"z1"})",
                       ""),
            plain);
}

TEST(NodeTopologyTest, TheNodesZoneCountsWhereNoLabelTellsOne) {
  EXPECT_EQ(TopologyOf("{}", "us-east-1a")[0], "us-east-1a");
  EXPECT_EQ(TopologyOf("no json", "us-east-1a")[0], "us-east-1a");
  EXPECT_EQ(TopologyOf(R"({"topology.kubernetes.io/rack":7})", "")[6], "");
}

}  // namespace
}  // namespace plimsoll
