#include "capacity/workload/occupancy_forecast.h"

#include <gtest/gtest.h>

#include "capacity/workload/test_occupancy.h"
#include "sim/distributions.h"

namespace plimsoll {
namespace {

// A queue of 32 GPUs that is as busy every day: M/G/1 gangs of 8, 16 and 4, played by the queue.
OccupancySeries Stationary(std::uint64_t seed, std::size_t days) {
  RandomStream random(seed, "series", 0);
  std::vector<KnownJob> jobs;
  std::vector<std::int64_t> nodes(4, 0);  // when each node is free, in minutes
  double at = 0;
  while (at < static_cast<double>(days) * 1'440) {
    at += DrawExponential(random, 40);
    const auto submit = static_cast<std::int64_t>(at);
    auto free = std::min_element(nodes.begin(), nodes.end());
    const std::int64_t start = std::max(submit, *free);
    const auto run = 1 + static_cast<std::int64_t>(DrawExponential(random, 110));
    *free = start + run;
    jobs.push_back({submit, start, start + run, 8});
  }
  return SeriesOf(jobs, days * 1'440, 32);
}

ForecastOptions Weeks(std::uint64_t seed) {
  ForecastOptions options;
  options.fit_steps = 21 * 1'440;
  options.forecast_steps = 7 * 1'440;
  options.replications = 100;
  options.seed = seed;
  return options;
}

TEST(OccupancyForecastTest, FiguresAreThoseOfTheSteps) {
  const OccupancyPath path{{0, 0, 8, 16}, {4, 2, 0, 3}};
  const OccupancyFigures figures = FiguresOf(path);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kPendingMean)], 6);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kPendingP50)], 0);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kPendingP90)], 16);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kIdleMean)], 2.25);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kIdleP10)], 0);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kIdleP50)], 2);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kSharePending)], 0.5);
  EXPECT_EQ(figures[static_cast<std::size_t>(OccupancyMeasure::kSharePendingIdle)], 0.25);
}

TEST(OccupancyForecastTest, AReplayOfThePastIsThePast) {
  const OccupancyForecast forecast = ForecastOccupancy(Stationary(1, 28), Weeks(1));
  for (std::size_t m = 0; m < kOccupancyMeasures; ++m) {
    EXPECT_NEAR(forecast.fit_replayed[m], forecast.fit_observed[m],
                0.02 * std::max(1.0, forecast.fit_observed[m]))
        << OccupancyMeasureName(m);
  }
}

// Where nothing changes from week to week the intervals hold the coming week about as often as
// they say: 9 measures of 20 series at 90 %.
TEST(OccupancyForecastTest, IntervalsOfAStationaryQueueHold) {
  int covered = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const OccupancySeries series = Stationary(seed, 28);
    const OccupancyForecast forecast = ForecastOccupancy(series, Weeks(seed));
    const OccupancyFigures came = FiguresOf(PathOf(series, 21 * 1'440, 28 * 1'440));
    for (std::size_t m = 0; m < kOccupancyMeasures; ++m) {
      covered += came[m] >= forecast.interval[m].low && came[m] <= forecast.interval[m].high;
      ++all;
    }
  }
  EXPECT_GE(covered, all * 78 / 100) << covered << " of " << all;
}

TEST(OccupancyForecastTest, TheSameSeedSaysTheSame) {
  const OccupancySeries series = Stationary(3, 28);
  const OccupancyForecast one = ForecastOccupancy(series, Weeks(5));
  const OccupancyForecast two = ForecastOccupancy(series, Weeks(5));
  const OccupancyForecast other = ForecastOccupancy(series, Weeks(6));
  EXPECT_EQ(one.median, two.median);
  EXPECT_NE(one.median, other.median);
}

TEST(OccupancyForecastTest, AnotherModelMayPlayTheQueue) {
  ForecastOptions options = Weeks(1);
  options.replications = 20;
  int plays = 0;
  options.queue = [&](const QueueRun& run) {
    ++plays;
    OccupancyPath path;
    for (Instant t = run.window.begin; t < run.window.until; t = t + run.step) {
      path.pending.push_back(0);
      path.idle.push_back(7);
    }
    return path;
  };
  const OccupancyForecast forecast = ForecastOccupancy(Stationary(1, 28), options);
  EXPECT_EQ(plays, 21) << "the past, and each future";
  EXPECT_EQ(forecast.median[static_cast<std::size_t>(OccupancyMeasure::kIdleMean)], 7);
  EXPECT_EQ(forecast.fit_replayed[static_cast<std::size_t>(OccupancyMeasure::kIdleMean)], 7);
}

TEST(OccupancyForecastTest, AnEmptyQueueStaysEmpty) {
  const OccupancyForecast forecast = ForecastOccupancy(SeriesOf({}, 28 * 1'440, 16), Weeks(1));
  EXPECT_EQ(forecast.jobs, 0);
  EXPECT_EQ(forecast.interval[static_cast<std::size_t>(OccupancyMeasure::kIdleMean)].low, 16);
  EXPECT_EQ(forecast.interval[static_cast<std::size_t>(OccupancyMeasure::kPendingMean)].high, 0);
}

}  // namespace
}  // namespace plimsoll
