#include "ingest/serving/counter_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace plimsoll {
namespace {

constexpr std::int64_t kDay = 1'764'288'000'000;
constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHold = 5 * kMinute;

FoldWindow WholeDay() {
  return {AtMillis(kDay), {AtMillis(kDay), AtMillis(kDay) + Days(1)}, kHold};
}

std::vector<ServingSample> Every(std::int64_t step, const std::vector<std::int64_t>& values,
                                 std::int64_t begin = kDay, std::int32_t scrape = 0) {
  std::vector<ServingSample> samples;
  for (const std::int64_t value : values) {
    samples.push_back({begin, value, scrape});
    begin += step;
  }
  return samples;
}

SeenTimes Seen(const std::vector<ServingSample>& samples) {
  SeenTimes seen;
  for (const ServingSample& sample : samples) seen.Add(sample.at_ms);
  seen.Settle();
  return seen;
}

DayFold Counter(std::vector<ServingSample> samples, const SeenTimes& seen,
                const FoldWindow& fold = WholeDay(), const std::set<std::int64_t>& restarts = {}) {
  SortSamples(samples);
  DayFold day;
  TimeSet told;
  const auto birth_of = [&](std::int64_t at_ms) { return seen.BirthAfter(at_ms, fold.hold_ms); };
  FoldCounter(samples, {birth_of, restarts}, fold, {day, TimeSet(), told});
  return day;
}
DayFold Counter(const std::vector<ServingSample>& samples) {
  return Counter(samples, Seen(samples));
}

std::int64_t Sum(const std::array<std::int64_t, kSlots>& slots) {
  return std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
}

bool Same(const DayFold& a, const DayFold& b) {
  return a.covered == b.covered && a.amount == b.amount && a.resets == b.resets;
}

TEST(CounterFoldTest, ARiseIsSpreadOverItsTimeAndAddsUp) {
  // From minute 4 to minute 6: half before the border of two twelfths, half behind it.
  const DayFold day = Counter(Every(2 * kMinute, {100, 107}, kDay + 4 * kMinute));
  EXPECT_EQ(day.amount[0], 3);
  EXPECT_EQ(day.amount[1], 4);
  EXPECT_EQ(day.covered[0], kMinute);
  EXPECT_EQ(day.covered[1], kMinute);
  EXPECT_EQ(Sum(day.amount), 7);
}

TEST(CounterFoldTest, WhatWasCountedBeforeTheFirstSampleIsNotCounted) {
  EXPECT_EQ(Sum(Counter(Every(kMinute, {1'000'000, 1'000'001})).amount), 1);
  EXPECT_EQ(Sum(Counter(Every(kMinute, {1'000'000})).covered), 0);
}

TEST(CounterFoldTest, ARestartCountsFromZero) {
  const DayFold day = Counter(Every(kMinute, {100, 110, 4, 9}));
  EXPECT_EQ(Sum(day.amount), 10 + 4 + 5);
  EXPECT_TRUE(day.resets.test(0));
  EXPECT_EQ(day.resets.count(), 1U);
  EXPECT_EQ(Sum(day.covered), 3 * kMinute);
}

// The bucket of quick answers had one before the restart and has two after it.
TEST(CounterFoldTest, ARestartThatACounterDoesNotShowCountsFromZeroToo) {
  const std::vector<ServingSample> samples = Every(kMinute, {1, 1, 2, 3});
  EXPECT_EQ(Sum(Counter(samples).amount), 2);
  const DayFold day = Counter(samples, Seen(samples), WholeDay(), {kDay + 2 * kMinute});
  EXPECT_EQ(Sum(day.amount), 3);
  EXPECT_TRUE(day.resets.test(0));
  EXPECT_EQ(FallsOf(Every(kMinute, {5, 7, 2, 2, 1}), kHold),
            (std::vector<std::int64_t>{kDay + 2 * kMinute, kDay + 4 * kMinute}));
}

TEST(CounterFoldTest, AGapLongerThanTheHoldIsUncovered) {
  std::vector<ServingSample> samples = Every(kMinute, {100, 110});
  for (const ServingSample& late : Every(kMinute, {150, 151}, kDay + 20 * kMinute)) {
    samples.push_back(late);
  }
  const DayFold day = Counter(samples);
  EXPECT_EQ(Sum(day.amount), 11);
  EXPECT_EQ(Sum(day.covered), 2 * kMinute);
  EXPECT_EQ(day.resets.count(), 0U);
  // A gap of just the hold is none.
  EXPECT_EQ(Sum(Counter(Every(kHold, {100, 150})).amount), 50);
}

TEST(CounterFoldTest, OnlyTheWindowAndTheDayCount) {
  const std::vector<ServingSample> samples = Every(kMinute, {0, 60, 120, 180}, kDay - 2 * kMinute);
  EXPECT_EQ(Sum(Counter(samples).amount), 60);
  FoldWindow fold = WholeDay();
  fold.window.until = AtMillis(kDay + kMinute / 2);
  EXPECT_EQ(Sum(Counter(samples, Seen(samples), fold).amount), 30);
}

TEST(CounterFoldTest, ANewSeriesOfAWatchedMetricBeganAtZero) {
  const std::vector<ServingSample> others = Every(kMinute, {1, 1, 1, 1});
  const DayFold day = Counter(Every(kMinute, {7, 9}, kDay + 3 * kMinute), Seen(others));
  EXPECT_EQ(Sum(day.amount), 9);
  EXPECT_EQ(Sum(day.covered), 2 * kMinute);
}

// The first instants of a load show old counters, and not all in one millisecond.
TEST(CounterFoldTest, ASeriesThatIsFirstSeenWithItsMetricIsOld) {
  const std::vector<ServingSample> others{{kDay, 1, 0}, {kDay + 200, 1, 0}};
  EXPECT_EQ(Sum(Counter({{kDay + 300, 1'000'000, 0}}, Seen(others)).amount), 0);
  const std::vector<ServingSample> after_gap{{kDay, 1, 0}, {kDay + 20 * kMinute, 1, 0}};
  EXPECT_EQ(Sum(Counter({{kDay + 20 * kMinute + 5, 1'000'000, 0}}, Seen(after_gap)).amount), 0);
}

TEST(CounterFoldTest, AnOlderReadingOfAnotherScrapeIsNoRestart) {
  // Scrape 1 reads the counter a little earlier than its time says.
  const std::vector<ServingSample> samples{{kDay, 1'000, 0},
                                           {kDay + 100, 999, 1},
                                           {kDay + 60'000, 1'010, 0},
                                           {kDay + 60'100, 1'009, 1},
                                           {kDay + 120'000, 1'020, 0}};
  const DayFold day = Counter(samples);
  EXPECT_EQ(Sum(day.amount), 20);
  EXPECT_EQ(day.resets.count(), 0U);
  EXPECT_TRUE(day.doubled.test(0));
  EXPECT_EQ(Sum(day.covered), 2 * kMinute);
}

TEST(CounterFoldTest, ARestartIsSeenThroughTwoScrapes) {
  const std::vector<ServingSample> samples{{kDay, 1'000, 0},
                                           {kDay + 30'000, 1'005, 1},
                                           {kDay + 60'000, 3, 0},
                                           {kDay + 90'000, 5, 1},
                                           {kDay + 120'000, 8, 0}};
  const DayFold day = Counter(samples);
  EXPECT_EQ(Sum(day.amount), 5 + 3 + 2 + 3);
  EXPECT_EQ(day.resets.count(), 1U);
}

TEST(CounterFoldTest, ARestartIsSeenThoughTheOtherScrapeEndsWithIt) {
  const std::vector<ServingSample> samples{
      {kDay, 1'000, 0}, {kDay + 30'000, 1'005, 1}, {kDay + 60'000, 3, 0}, {kDay + 120'000, 8, 0}};
  EXPECT_EQ(Sum(Counter(samples).amount), 5 + 3 + 5);
}

// A pod of a StatefulSet comes back with another address: another scrape, from 0.
TEST(CounterFoldTest, AScrapeThatTakesOverFromAnotherGoesOn) {
  std::vector<ServingSample> samples = Every(kMinute, {100, 110});
  for (const ServingSample& next : Every(kMinute, {2, 6}, kDay + 2 * kMinute, 1)) {
    samples.push_back(next);
  }
  EXPECT_EQ(Sum(Counter(samples).amount), 10 + 2 + 4);
  // A renamed job reads the same counter on.
  std::vector<ServingSample> renamed = Every(kMinute, {100, 110});
  renamed.push_back({kDay + 2 * kMinute, 115, 1});
  EXPECT_EQ(Sum(Counter(renamed).amount), 15);
}

TEST(CounterFoldTest, LevelsHoldUntilTheNextSampleOrTheHold) {
  DayFold day;
  TimeSet told;
  FoldLevel(Every(2 * kMinute, {3, 5}), WholeDay(), {day, TimeSet(), told});
  EXPECT_EQ(Sum(day.covered), 2 * kMinute + kHold);
  EXPECT_EQ(Sum(day.amount), 3 * 2 * kMinute + 5 * kHold);
  EXPECT_EQ(day.covered[0], kHold);
}

std::int64_t Pick(std::mt19937& random, std::int64_t below) {
  return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
}

TEST(CounterFoldTest, TimeThatIsTakenCountsNothing) {
  TimeSet first;
  first.Add(kDay + 2 * kMinute, kDay + 4 * kMinute);
  TimeSet taken;
  taken.Add(first);
  TimeSet told;
  DayFold day;
  const std::set<std::int64_t> restarts;
  FoldCounter(Every(kMinute, {0, 1, 3, 7, 15, 31}),
              {[](std::int64_t) { return std::nullopt; }, restarts}, WholeDay(),
              {day, taken, told});
  EXPECT_EQ(Sum(day.amount), 1 + 2 + 16);
  EXPECT_EQ(Sum(day.covered), 3 * kMinute);
  DayFold level;
  FoldLevel(Every(kMinute, {1, 1, 1, 1, 1}), WholeDay(), {level, taken, told});
  EXPECT_EQ(Sum(level.covered), 2 * kMinute + kHold);
  TimeSet all;
  all.Add(told);
  EXPECT_TRUE(all.Contains(kDay));
  EXPECT_FALSE(all.Contains(kDay + 3 * kMinute));
  EXPECT_EQ(all.NextBegin(kDay + 3 * kMinute), kDay + 4 * kMinute);
}

TEST(CounterFoldTest, AMetricIsGoneIfItIsNotSeenForAHold) {
  const SeenTimes seen = Seen(Every(kMinute, {1, 1, 1}));
  EXPECT_TRUE(seen.IsGone(kDay + 2 * kMinute + 1, kHold));
  EXPECT_FALSE(seen.IsGone(kDay + 2 * kMinute, kHold));
  EXPECT_TRUE(seen.IsGone(kDay - kHold - 1, kHold));
}

// A counter as an engine has it: it rises, and now and then begins anew.
std::vector<ServingSample> RandomCounter(std::mt19937& random) {
  std::vector<ServingSample> samples;
  std::int64_t at = kDay - kHold + Pick(random, kMinute);
  std::int64_t value = Pick(random, 1'000);
  while (samples.size() < 120) {
    at += Pick(random, 20) == 0 ? kHold + Pick(random, kHold) : 1'000 + Pick(random, 60'000);
    value = Pick(random, 15) == 0 ? Pick(random, 20) : value + Pick(random, 50);
    samples.push_back({at, value, 0});
  }
  return samples;
}

TEST(CounterFoldTest, OrderAndRepetitionChangeNothing) {
  constexpr unsigned kSeed = 20'261'130;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const std::vector<ServingSample> samples = RandomCounter(random);
    std::vector<ServingSample> mixed = samples;
    for (int i = 0; i < 30; ++i)
      mixed.push_back(samples[static_cast<std::size_t>(
          Pick(random, static_cast<std::int64_t>(samples.size())))]);
    std::shuffle(mixed.begin(), mixed.end(), random);
    EXPECT_TRUE(Same(Counter(samples), Counter(mixed, Seen(samples))));
  }
}

TEST(CounterFoldTest, CompressedSamplesFoldToTheSame) {
  constexpr unsigned kSeed = 11'302'026;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::size_t dropped = 0;
  for (int round = 0; round < 300; ++round) {
    const std::vector<ServingSample> samples = RandomCounter(random);
    std::vector<ServingSample> fewer = samples;
    std::set<std::int64_t> restarts;  // also such as the counter itself does not show
    for (std::size_t i = 0; i < samples.size(); i += 7) restarts.insert(samples[i].at_ms);
    // Piece by piece, as a server is read.
    for (std::int64_t until = kDay; until < kDay + 4 * 3'600'000; until += 7'200'000 / 3) {
      Compress(fewer, {until, kHold, false, restarts});
    }
    dropped += samples.size() - fewer.size();
    EXPECT_TRUE(Same(Counter(samples, Seen(samples), WholeDay(), restarts),
                     Counter(fewer, Seen(samples), WholeDay(), restarts)));
    std::vector<ServingSample> level = samples;
    for (ServingSample& sample : level) sample.value %= 3;
    fewer = level;
    Compress(fewer, {INT64_MAX, kHold, true, restarts});
    DayFold all;
    DayFold some;
    TimeSet told;
    FoldLevel(level, WholeDay(), {all, TimeSet(), told});
    FoldLevel(fewer, WholeDay(), {some, TimeSet(), told});
    EXPECT_TRUE(Same(all, some));
  }
  EXPECT_GT(dropped, 3'000U);
}

// The rises, added up by hand: what a day counts is all of them that lie in it.
TEST(CounterFoldTest, TheDayAddsUpToTheRises) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    std::vector<ServingSample> samples = RandomCounter(random);
    for (ServingSample& sample : samples) sample.at_ms += kHold;  // all inside the day
    std::int64_t expected = 0;
    std::int64_t time = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const std::int64_t gap = samples[i].at_ms - samples[i - 1].at_ms;
      if (gap > kHold) continue;
      time += gap;
      expected += samples[i].value >= samples[i - 1].value ? samples[i].value - samples[i - 1].value
                                                           : samples[i].value;
    }
    const DayFold day = Counter(samples);
    EXPECT_EQ(Sum(day.amount), expected);
    EXPECT_EQ(Sum(day.covered), time);
  }
}

TEST(CounterFoldTest, TheGreatestValuesDoNotOverflow) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 10; ++i) values.insert(values.end(), {kCounterMax, 1, kCounterMax});
  const DayFold day = Counter(Every(1'000, values));
  EXPECT_EQ(day.amount[0], INT64_MAX);
}

}  // namespace
}  // namespace plimsoll
