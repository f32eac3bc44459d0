#include "purchase/spot/spot_run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

// Every instance lives for exactly that long.
Lifetime Exactly(Duration life) {
  return Lifetime::Measured(*MeasuredLife::Of({{life, true}, {life, true}}));
}

SpotRunModel ModelOf(Lifetime lifetime) {
  SpotRunModel model(std::move(lifetime));
  model.work = Hours(3);
  model.interval = Hours(1);
  model.save = Minutes(10);
  model.restart = Minutes(20);
  model.wait = Minutes(30);
  model.give_up = Hours(1'000);
  return model;
}

SpotRunTimes Simulate(const SpotRunModel& model, SpotPolicy policy = SpotPolicy::kSpotOnly,
                      std::uint64_t replication = 0) {
  return SimulateSpotRun(model, policy, {1, replication});
}

Duration SumOf(const SpotRunTimes& times) {
  Duration sum;
  for (const auto& where : times.spent) {
    for (const Duration spent : where) sum += spent;
  }
  return sum;
}

TEST(SpotRunTest, ARunIsCountedByHand) {
  // Saved at 1:10; evicted at 2:00 with 50 minutes lost; works from 2:50, saved at 4:00; evicted
  // at 4:30 with 30 minutes lost; works from 5:20, done and saved at 6:30.
  const SpotRunTimes times = Simulate(ModelOf(Exactly(Hours(2))));
  EXPECT_TRUE(times.finished);
  EXPECT_EQ(times.finish, Minutes(390));
  EXPECT_EQ(times.evictions, 2);
  EXPECT_EQ(times.restarts, 2);
  EXPECT_EQ(times.of(SpotTime::kWork), Hours(3));
  EXPECT_EQ(times.of(SpotTime::kRecomputation), Minutes(80));
  EXPECT_EQ(times.of(SpotTime::kCheckpoints), Minutes(30));
  EXPECT_EQ(times.of(SpotTime::kRestarts), Minutes(40));
  EXPECT_EQ(times.of(SpotTime::kWaiting), Minutes(60));
  EXPECT_EQ(SumOf(times), times.finish);
}

TEST(SpotRunTest, WithoutALastSaveTheRunEndsWithItsWork) {
  SpotRunModel model = ModelOf(Exactly(Hours(100)));
  EXPECT_EQ(Simulate(model).finish, Hours(3) + Minutes(30));
  model.last_is_saved = false;
  EXPECT_EQ(Simulate(model).finish, Hours(3) + Minutes(20));
}

TEST(SpotRunTest, ARestartCanBeEvictedToo) {
  SpotRunModel model = ModelOf(Exactly(Minutes(15)));
  model.give_up = Hours(10);
  const SpotRunTimes times = Simulate(model);
  EXPECT_FALSE(times.finished);
  EXPECT_EQ(times.of(SpotTime::kWork), Duration());
  // The first 15 minutes are of the first instance, which works at once.
  EXPECT_EQ(times.of(SpotTime::kRestarts), Minutes(15 * times.restarts));
  EXPECT_GE(times.finish, Hours(10));
}

TEST(SpotRunTest, ARunThatIsAlwaysEvictedIsGivenUp) {
  SpotRunModel model = ModelOf(Exactly(Millis(1)));
  model.give_up = Days(400'000);
  model.wait = Duration();
  const SpotRunTimes times = Simulate(model);
  EXPECT_FALSE(times.finished);
  EXPECT_EQ(times.evictions, 100'000);
}

TEST(SpotRunTest, ANoticeSavesWhatWasDoneWhenItCame) {
  SpotRunModel model = ModelOf(Exactly(Hours(2)));
  model.notice = Minutes(15);
  model.save_per_billion = 1'000'000'000;
  // Evicted at 2:00, notice at 1:45 with 35 minutes done since 1:10: they are kept, 15 are lost.
  const SpotRunTimes times = Simulate(model);
  // Works from 2:50, saved at 4:00 with 2:35 done; evicted at 4:30, notice at 4:15 with 2:50 done.
  // Works from 5:20 for the last ten minutes.
  EXPECT_EQ(times.evictions, 2);
  EXPECT_EQ(times.saved_on_notice, 2);
  EXPECT_EQ(times.of(SpotTime::kRecomputation), Minutes(15 + 10));
  EXPECT_EQ(times.finish, Minutes(340));
}

TEST(SpotRunTest, ASaveThatDoesNotFitInTheNoticeSavesNothing) {
  SpotRunModel model = ModelOf(Exactly(Hours(2)));
  model.notice = Minutes(2);
  model.save_per_billion = 1'000'000'000;
  EXPECT_EQ(Simulate(model).finish, Minutes(390));
  EXPECT_EQ(Simulate(model).saved_on_notice, 0);
  model.notice = Minutes(15);
  model.save_per_billion = 0;  // none of six saves worked in a real system: the default
  EXPECT_EQ(Simulate(model).finish, Minutes(390));
}

TEST(SpotRunTest, TheLossOfOneNodeStopsAll) {
  // Of four nodes without memory one is lost four times as often.
  SpotRunModel gang = ModelOf(*Lifetime::Exponential(8 * kHour));
  gang.work = Hours(2'000);
  gang.give_up = Hours(1'000'000);
  SpotRunModel one = gang;
  one.lifetime = *Lifetime::Exponential(2 * kHour);
  gang.nodes = 4;
  EXPECT_EQ(Simulate(gang).evictions, Simulate(one).evictions);
  EXPECT_EQ(Simulate(gang).finish, Simulate(one).finish);
}

TEST(SpotRunTest, NodesOfAGangKeepTheirAge) {
  // Both die at once after two hours of life; the second loss comes at once after the wait, as its
  // clock stands still only while the job waits.
  SpotRunModel gang = ModelOf(Exactly(Hours(2)));
  gang.nodes = 2;
  const SpotRunTimes times = Simulate(gang);
  // 2:00 lost, 2:30 lost again at once, then as one node from 3:00.
  EXPECT_EQ(times.evictions, 4);
  EXPECT_EQ(times.finish, Minutes(390 + 60));
}

TEST(SpotRunTest, OnDemandWorksWithoutASave) {
  const SpotRunTimes times = Simulate(ModelOf(Exactly(Hours(2))), SpotPolicy::kOnDemand);
  EXPECT_EQ(times.finish, Hours(3));
  EXPECT_EQ(times.spent[1][0], Hours(3));
  EXPECT_EQ(times.evictions + times.restarts, 0);
}

TEST(SpotRunTest, HardwareFailsOnDemandToo) {
  SpotRunModel model = ModelOf(Exactly(Hours(2)));
  model.work = Hours(1'000);
  model.give_up = Hours(100'000);
  model.hardware_mtbf = Hours(100);
  model.on_demand_interval = Hours(5);
  model.nodes = 10;  // every ten hours
  const SpotRunTimes times = Simulate(model, SpotPolicy::kOnDemand);
  EXPECT_NEAR(static_cast<double>(times.hardware_failures), 130, 50);
  EXPECT_GT(times.of(SpotTime::kRecomputation), Hours(100));
  EXPECT_EQ(times.of(SpotTime::kWork), Hours(1'000));
  EXPECT_EQ(times.of(SpotTime::kWaiting), Duration());
  EXPECT_EQ(SumOf(times), times.finish);
}

TEST(SpotRunTest, FallbackUsesSpotUntilTheDeadlineIsNear) {
  SpotRunModel model = ModelOf(Exactly(Hours(2)));
  model.deadline = Hours(6) + Minutes(30);
  const SpotRunTimes times = Simulate(model, SpotPolicy::kFallback);
  // Back on spot after the first eviction. After the second one it waits until 5:00; if the restart
  // on spot failed then, one on demand would end at 6:40: on demand from there.
  EXPECT_EQ(times.finish, Minutes(380));
  EXPECT_EQ(times.spent[0][0], Hours(2));
  EXPECT_EQ(times.spent[1][0], Hours(1));
  model.deadline = Hours(100);
  EXPECT_EQ(Simulate(model, SpotPolicy::kFallback).finish, Simulate(model).finish);
  model.deadline = Hours(3);  // no slack at all: on demand from the start, without a restart
  const SpotRunTimes at_once = Simulate(model, SpotPolicy::kFallback);
  EXPECT_EQ(at_once.finish, Hours(3));
  EXPECT_EQ(at_once.spent[1][0], Hours(3));
}

TEST(SpotRunTest, FallbackMissesNoDeadlineThatCanBeMet) {
  SpotRunModel model = ModelOf(*Lifetime::Exponential(0.7 * kHour));
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    model.deadline = Hours(3) + Minutes(static_cast<std::int64_t>(i % 400));
    const SpotRunTimes times = Simulate(model, SpotPolicy::kFallback, i);
    ASSERT_LE(times.finish, *model.deadline) << i;
    ASSERT_EQ(SumOf(times), times.finish) << i;
    ASSERT_EQ(times.of(SpotTime::kWork), model.work) << i;
  }
}

TEST(SpotRunTest, IntervalsByAgeGrowWithAFallingHazard) {
  const Lifetime young = *Lifetime::Weibull(0.56, 2.09 * kHour);
  SpotRunModel model = ModelOf(young);
  model.work = Hours(50);
  const auto intervals = AgedIntervals(young, model, Duration());
  ASSERT_GT(intervals.size(), 5U);
  EXPECT_LT(intervals[0], intervals[1]);
  EXPECT_LT(intervals[1], intervals[5]);
  Duration sum;
  for (const Duration interval : intervals) sum += interval;
  EXPECT_GE(sum, model.work);
  // Without memory each is Young's.
  for (const Duration interval :
       AgedIntervals(*Lifetime::Exponential(4 * kHour), model, Hours(9))) {
    EXPECT_NEAR(static_cast<double>(interval.base()), std::sqrt(2 * 4 / 6.0) * kHour, 2);
  }
}

TEST(SpotRunTest, IntervalsByAgeStopAtTheCap) {
  const Lifetime capped = *Lifetime::Bathtub({});
  SpotRunModel model = ModelOf(capped);
  model.work = Hours(500);
  const auto intervals = AgedIntervals(capped, model, Duration());
  EXPECT_LT(intervals.size(), 1'000U);
  model.aged_intervals = AgedIntervals(capped, model, model.restart);
  model.aged_first_intervals = intervals;
  model.give_up = Hours(50'000);
  const SpotRunTimes times = Simulate(model);
  EXPECT_TRUE(times.finished);
  EXPECT_GT(times.evictions, 20);
}

TEST(SpotRunTest, SameSeedSameRun) {
  SpotRunModel model = ModelOf(*Lifetime::Weibull(0.6, 2 * kHour));
  model.work = Hours(100);
  EXPECT_EQ(Simulate(model).fingerprint, Simulate(model).fingerprint);
  EXPECT_NE(Simulate(model).fingerprint, Simulate(model, SpotPolicy::kSpotOnly, 1).fingerprint);
  // What happened is in it, not only how it ended.
  SpotRunModel other = model;
  other.wait = Minutes(31);
  EXPECT_NE(Simulate(model).fingerprint, Simulate(other).fingerprint);
}

}  // namespace
}  // namespace plimsoll
