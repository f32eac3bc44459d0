// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/domain_tree.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Values = std::vector<std::string>;

TEST(DomainTreeTest, RacksOfTheSameNameInTwoBlocksAreTwo) {
  DomainTree tree({"block", "rack"});
  const auto a = tree.Add(Values{"b1", "r1"});
  const auto b = tree.Add(Values{"b2", "r1"});
  EXPECT_NE(a[1], b[1]);
  EXPECT_EQ(tree.Add(Values{"b1", "r1"}), a);
  EXPECT_EQ(tree.size(), 4U);
  EXPECT_EQ(tree.at(b[1]).name, "r1");
  EXPECT_EQ(tree.Ancestor(b[1], 0), b[0]);
  EXPECT_EQ(tree.Ancestor(b[1], 1), b[1]);
}

TEST(DomainTreeTest, AMissingLabelEndsThePath) {
  DomainTree tree({"zone", "block", "rack"});
  const auto path = tree.Add(Values{"z", "", "r1"});
  EXPECT_NE(path[0], kNoDomain);
  EXPECT_EQ(path[1], kNoDomain);
  EXPECT_EQ(path[2], kNoDomain);
}

TEST(DomainTreeTest, LevelsAreFoundByName) {
  const DomainTree tree({"zone", "rack"});
  EXPECT_EQ(tree.Level("rack"), 1U);
  EXPECT_EQ(tree.Level("host"), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
