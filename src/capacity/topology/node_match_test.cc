// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/node_match.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(NodeMatchTest, ATaintKeepsPodsOffUnlessItIsToleratedOrOnlyAPreference) {
  const std::vector<NodeTaint> taints = {{"soft", "", TaintEffect::kPreferNoSchedule},
                                         {"gpu", "yes", TaintEffect::kNoSchedule},
                                         {"sick", "", TaintEffect::kNoExecute}};
  const Toleration gpu = {"gpu", TolerationOperator::kEqual, "yes", {}};
  ASSERT_NE(UntoleratedTaint(taints, {}), nullptr);
  EXPECT_EQ(ToString(*UntoleratedTaint(taints, {})), "gpu=yes:NoSchedule");
  EXPECT_EQ(ToString(*UntoleratedTaint(taints, {gpu})), "sick:NoExecute");
  EXPECT_EQ(UntoleratedTaint(taints, {{"", TolerationOperator::kExists, "", {}}}), nullptr);
  const Toleration other_effect = {"gpu", TolerationOperator::kExists, "", TaintEffect::kNoExecute};
  EXPECT_EQ(UntoleratedTaint(taints, {other_effect}), &taints[1]);
  const Toleration other_value = {"gpu", TolerationOperator::kEqual, "no", {}};
  EXPECT_EQ(UntoleratedTaint(taints, {other_value}), &taints[1]);
}

TEST(NodeMatchTest, TolerationsMayCompareNumbers) {
  const std::vector<NodeTaint> taints = {{"failures", "3", TaintEffect::kNoSchedule}};
  const auto with = [&](TolerationOperator op, const char* limit) {
    return UntoleratedTaint(taints, {{"failures", op, limit, {}}}) == nullptr;
  };
  EXPECT_TRUE(with(TolerationOperator::kLess, "5"));
  EXPECT_FALSE(with(TolerationOperator::kLess, "3"));
  EXPECT_TRUE(with(TolerationOperator::kGreater, "2"));
  EXPECT_FALSE(with(TolerationOperator::kGreater, "many"));
}

TEST(NodeMatchTest, ASelectorNeedsEveryLabel) {
  const LabelMap labels = {{"zone", "a"}, {"type", "h100"}};
  EXPECT_TRUE(MatchesSelector(labels, {}));
  EXPECT_TRUE(MatchesSelector(labels, {{"zone", "a"}, {"type", "h100"}}));
  EXPECT_FALSE(MatchesSelector(labels, {{"zone", "b"}}));
  EXPECT_FALSE(MatchesSelector(labels, {{"rack", "1"}}));
}

TEST(NodeMatchTest, OneTermOfRequiredAffinityHoldsWhenAllItsRulesDo) {
  const LabelMap labels = {{"zone", "a"}, {"gen", "5"}};
  const auto matches = [&](std::vector<LabelTerm> terms) {
    return MatchesRequired(labels, {std::move(terms), {}});
  };
  const LabelRule in = {"zone", LabelOperator::kIn, {"a", "b"}};
  const LabelRule newer = {"gen", LabelOperator::kGreater, {"4"}};
  const LabelRule older = {"gen", LabelOperator::kLess, {"5"}};
  EXPECT_TRUE(MatchesRequired(labels, {}));
  EXPECT_TRUE(matches({{in, newer}}));
  EXPECT_FALSE(matches({{in, older}}));
  EXPECT_TRUE(matches({{older}, {in}}));
  EXPECT_FALSE(matches({})) << "required, but nothing is allowed";
  EXPECT_FALSE(matches({{}})) << "a term without a rule holds for no node";
  EXPECT_TRUE(matches({{{"rack", LabelOperator::kNotIn, {"1"}}}}));
  EXPECT_FALSE(matches({{{"zone", LabelOperator::kNotIn, {"a"}}}}));
  EXPECT_TRUE(matches({{{"zone", LabelOperator::kExists, {}}}}));
  EXPECT_FALSE(matches({{{"zone", LabelOperator::kDoesNotExist, {}}}}));
}

TEST(NodeMatchTest, WeightsOfPreferredTermsAddUp) {
  const NodeAffinity affinity = {std::nullopt,
                                 {{10, {{"zone", LabelOperator::kIn, {"a"}}}},
                                  {100, {{"rack", LabelOperator::kIn, {"r1"}}}},
                                  {1, {}}}};
  EXPECT_EQ(PreferenceScore({{"zone", "a"}, {"rack", "r1"}}, affinity), 110);
  EXPECT_EQ(PreferenceScore({{"zone", "a"}}, affinity), 10);
  EXPECT_EQ(PreferenceScore({}, affinity), 0);
}

}  // namespace
}  // namespace plimsoll
