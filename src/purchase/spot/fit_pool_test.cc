#include "purchase/spot/fit_pool.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

AvailabilityTrace TraceOf(std::vector<std::int32_t> instances) {
  AvailabilityTrace trace;
  trace.gap = Minutes(30);
  trace.instances = std::move(instances);
  return trace;
}

PoolFigures Figures(const PoolEvidence& evidence) {
  return FiguresOf(evidence, Hours(1), Hours(2));
}

TEST(FitPoolTest, RunsOfATraceEndButForTheLast) {
  PoolEvidence evidence;
  AddTrace(TraceOf({1, 1, 0, 1, 0, 0, 1, 1, 1}), {}, TraceUse::kAll, evidence);
  EXPECT_EQ(evidence.up.time, (std::vector<Duration>{Hours(1), Minutes(30), Minutes(90)}));
  EXPECT_EQ(evidence.up.ended, (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_EQ(evidence.down.time, (std::vector<Duration>{Minutes(30), Hours(1)}));
  const PoolFigures figures = Figures(evidence);
  EXPECT_EQ(figures.availability, 666'666'667);
  EXPECT_EQ(figures.mean_up, Hours(1));
  EXPECT_EQ(figures.mean_down, Minutes(45));
  EXPECT_EQ(figures.exponential->mean, Minutes(90)) << "three hours up, two ends";
}

TEST(FitPoolTest, AJobOfMoreNodesNeedsThemAllAtOnce) {
  PoolEvidence evidence;
  AddTrace(TraceOf({4, 3, 2, 4}), {.nodes = 3}, TraceUse::kAll, evidence);
  EXPECT_EQ(evidence.up.time, (std::vector<Duration>{Hours(1), Minutes(30)}));
  EXPECT_EQ(evidence.taken, 2) << "instances that left";
  EXPECT_EQ(evidence.instance_time, Minutes(30 * 13));
}

TEST(FitPoolTest, OneOutOfAHeldSetIsToldByThoseThatLeft) {
  AvailabilityTrace set = TraceOf({4, 3, 4, 2, 2});
  set.observed = SpotObservation::kHeld;
  PoolEvidence evidence;
  AddTrace(set, {}, TraceUse::kAll, evidence);
  EXPECT_TRUE(evidence.up.time.empty()) << "the set was never empty: that is no long life";
  const PoolFigures figures = Figures(evidence);
  EXPECT_EQ(figures.run.has_value(), false);
  EXPECT_EQ(figures.exponential->mean, Minutes(150)) << "7.5 instance-hours, three left";
  EXPECT_EQ(figures.taken_per_instance_hour, 400'000'000);
}

TEST(FitPoolTest, TwoLuckyInstancesDoNotWin) {
  std::vector<PoolEvidence> evidence(2);
  InstanceLifetimes lucky, many;
  lucky.lifetime = {Hours(50), Hours(50)};
  lucky.preempted = {0, 0};
  for (int i = 0; i < 40; ++i) {
    many.lifetime.push_back(i < 4 ? Hours(1) : Hours(30));
    many.preempted.push_back(1);
  }
  AddLifetimes(lucky, {}, evidence[0]);
  AddLifetimes(many, {}, evidence[1]);
  std::vector<PoolFigures> figures{Figures(evidence[0]), Figures(evidence[1])};
  EXPECT_GT(figures[0].run->probability, figures[1].run->probability);
  EXPECT_EQ(RankPools(evidence, figures, Hours(2)), (std::vector<std::size_t>{1, 0}));
}

TEST(FitPoolTest, FailedCreationsAndCapsAreCountedAndOnlyThenLeftOut) {
  InstanceLifetimes lives;
  lives.lifetime = {Duration(), Seconds(20), Hours(2), Hours(24), Hours(30)};
  lives.preempted = {1, 1, 1, 1, 0};
  PoolEvidence plain, strict;
  AddLifetimes(lives, {}, plain);
  EXPECT_EQ(plain.short_lives, 1) << "nobody lives no time";
  EXPECT_EQ(plain.up.ends(), 3);
  EXPECT_EQ(plain.near_cap_lives, 1);
  AddLifetimes(lives, {.shortest = Minutes(1), .cap = Hours(23)}, strict);
  EXPECT_EQ(strict.short_lives, 2);
  EXPECT_EQ(strict.capped_lives, 1);
  EXPECT_EQ(strict.up.ends(), 1);
  EXPECT_EQ(strict.up.time.size(), 3U);
}

TEST(FitPoolTest, UnknownPricesAreNoPartOfTheMean) {
  AvailabilityTrace trace = TraceOf({1, 1, 1});
  trace.prices = {Money::Units(2), std::nullopt, Money::Units(4)};
  PoolEvidence evidence, unknown;
  AddTrace(trace, {}, TraceUse::kAll, evidence);
  EXPECT_EQ(Figures(evidence).price, Money::Units(3));
  trace.prices.assign(3, std::nullopt);
  AddTrace(trace, {}, TraceUse::kAll, unknown);
  EXPECT_EQ(Figures(unknown).price, std::nullopt);
}

TEST(FitPoolTest, LongLivesBeatAvailabilityAndPrice) {
  // `often` can always be launched again and never lasts; `steady` is away for long and lasts.
  std::vector<PoolEvidence> evidence(2);
  AvailabilityTrace often = TraceOf({1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  often.prices.assign(16, Money::Units(1));
  AvailabilityTrace steady = TraceOf({1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
  steady.prices.assign(16, Money::Units(9));
  AddTrace(often, {}, TraceUse::kAll, evidence[0]);
  AddTrace(steady, {}, TraceUse::kAll, evidence[1]);
  std::vector<PoolFigures> figures{Figures(evidence[0]), Figures(evidence[1])};
  EXPECT_GT(figures[0].availability, figures[1].availability);
  EXPECT_EQ(RankPools(evidence, figures, Hours(2)), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(figures[1].rank, 1);
}

TEST(FitPoolTest, KindsOfObservationAreRankedApart) {
  std::vector<PoolEvidence> evidence(3);
  AddTrace(TraceOf({1, 1, 1, 1, 1, 0}), {}, TraceUse::kAll, evidence[0]);
  AddTrace(TraceOf({1, 0, 1, 0, 1, 0}), {}, TraceUse::kAll, evidence[1]);
  evidence[2].observed = SpotObservation::kHeld;
  AddTrace(TraceOf({1, 0, 1, 0, 1, 0}), {}, TraceUse::kAll, evidence[2]);
  std::vector<PoolFigures> figures;
  for (const PoolEvidence& one : evidence) figures.push_back(Figures(one));
  EXPECT_EQ(RankPools(evidence, figures, Hours(2)), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(figures[2].rank, 1);
  EXPECT_EQ(figures[0].rank, 1);
  EXPECT_EQ(figures[1].rank, 2);
}

}  // namespace
}  // namespace plimsoll
