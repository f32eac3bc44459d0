#include "capacity/queue/outages.h"

#include <gtest/gtest.h>

#include <cmath>

#include "capacity/queue/queue_fixture.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

RiskModel Risks(std::int64_t failures) {
  RiskModel risks;
  risks.of_flavor.resize(1);
  risks.of_flavor[0].failures_per_million_node_days = failures;
  return risks;
}

TEST(OutagesTest, ARateOfMetaIsAMeanOfHundredAndFiftyDays) {
  EXPECT_EQ(MeanOfRate(6'500), Millis(Days(1'000'000).base() / 6'500));
  EXPECT_EQ(MeanOfRate(1'000'000), Days(1));
  Outages outages(ClusterOf({8}), Risks(6'500), 1, 0);
  Moments moments;
  for (int i = 0; i < 4'000; ++i) {
    moments.Add(static_cast<double>(outages.UntilFailure(0)->base()));
  }
  const Interval interval = *MeanInterval(moments, 0.999);
  EXPECT_LT(interval.low, 1e9 / 6'500 * 86'400e3 / 1'000);
  EXPECT_GT(interval.high, 1e9 / 6'500 * 86'400e3 / 1'000);
}

TEST(OutagesTest, AnotherNodeLeavesTheDrawsOfTheFirstAsTheyWere) {
  Outages one(ClusterOf({8}), Risks(1'000), 5, 3), two(ClusterOf({8, 8}), Risks(1'000), 5, 3);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(one.UntilFailure(0), two.UntilFailure(0));
    EXPECT_NE(one.Repair(0), two.UntilFailure(1).value());
    EXPECT_NE(two.Repair(0), Duration());
  }
}

TEST(OutagesTest, NoRiskNoFailure) {
  Outages outages(ClusterOf({8}), Risks(0), 1, 0);
  EXPECT_EQ(outages.UntilFailure(0), std::nullopt);
  EXPECT_EQ(outages.UntilEviction(0), std::nullopt);
  EXPECT_TRUE(outages.domains().empty());
}

TEST(OutagesTest, DomainsOfTheLevelFailEachByItself) {
  RiskModel risks;
  risks.domains = {{0, 1'000'000, Hours(1)}};
  risks.repair_is_exponential = false;
  Outages outages(ClusterOf({8, 8, 8}, 2), risks, 1, 0);
  ASSERT_EQ(outages.domains().size(), 2U);
  EXPECT_NE(outages.UntilDomainFailure(0), outages.UntilDomainFailure(1));
  EXPECT_EQ(outages.DomainRepair(1), Hours(1));
}

TEST(OutagesTest, HowLongARepairTakesDoesNotMoveTheNextFailure) {
  RiskModel risks = Risks(1'000);
  risks.of_flavor[0].evictions_per_million_node_days = 1'000;
  risks.domains = {{0, 1'000'000, Hours(1)}};
  RiskModel fixed = risks;
  fixed.repair_is_exponential = false;
  Outages drawn(ClusterOf({8, 8}, 1), risks, 5, 3), mean(ClusterOf({8, 8}, 1), fixed, 5, 3);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(drawn.UntilFailure(1), mean.UntilFailure(1));
    EXPECT_NE(drawn.Repair(1), mean.Repair(1));
    EXPECT_EQ(drawn.UntilEviction(1), mean.UntilEviction(1));
    EXPECT_NE(drawn.Away(1), mean.Away(1));
    EXPECT_EQ(drawn.UntilDomainFailure(1), mean.UntilDomainFailure(1));
    EXPECT_NE(drawn.DomainRepair(1), mean.DomainRepair(1));
  }
}

}  // namespace
}  // namespace plimsoll
