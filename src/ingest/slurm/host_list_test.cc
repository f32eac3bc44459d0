#include "ingest/slurm/host_list.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

TEST(HostListTest, ExpandsRangesListsAndPlainNames) {
  EXPECT_EQ(*ExpandHostList("gpu[01-04,07],node3"),
            (Names{"gpu01", "gpu02", "gpu03", "gpu04", "gpu07", "node3"}));
  EXPECT_EQ(*ExpandHostList("a100gpu[2,4]"), (Names{"a100gpu2", "a100gpu4"}));
  EXPECT_EQ(*ExpandHostList("g03"), (Names{"g03"}));
}

TEST(HostListTest, KeepsLeadingZerosAndGrowsPastThem) {
  EXPECT_EQ(*ExpandHostList("n[098-101]"), (Names{"n098", "n099", "n100", "n101"}));
  EXPECT_EQ(*ExpandHostList("n[8-11]"), (Names{"n8", "n9", "n10", "n11"}));
}

TEST(HostListTest, SeveralBracketsMultiply) {
  EXPECT_EQ(*ExpandHostList("r[0-1]n[1-2]-ib"),
            (Names{"r0n1-ib", "r0n2-ib", "r1n1-ib", "r1n2-ib"}));
}

TEST(HostListTest, NoNodesAreNoNames) {
  EXPECT_TRUE(ExpandHostList("None assigned")->empty());
  EXPECT_TRUE(ExpandHostList("")->empty());
  EXPECT_TRUE(ExpandHostList("(null)")->empty());
}

TEST(HostListTest, RefusesWhatIsNoList) {
  for (const char* bad : {"g[1-", "g[1]]", "g[[1]]", "g]1[", "g[4-1]", "g[a-b]", "g[]", "a,,b",
                          "g[1-", "g[0-999999]", "r[0-9999]n[0-9999]", "g[-1]", ","}) {
    EXPECT_FALSE(ExpandHostList(bad)) << bad;
  }
}

}  // namespace
}  // namespace plimsoll
