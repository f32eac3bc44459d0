#include "capacity/workload/gang_queue.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

QueueJob Job(std::int64_t minute, std::int32_t gpus, std::int64_t minutes) {
  return {AtMillis(0) + Minutes(minute), gpus, Minutes(minutes)};
}

QueueRun Of(std::int32_t gpus, std::vector<QueueJob> jobs, std::int64_t minutes) {
  QueueRun run;
  run.gpus = gpus;
  run.window = {AtMillis(0), AtMillis(0) + Minutes(minutes)};
  run.step = Minutes(1);
  run.jobs = std::move(jobs);
  return run;
}

using Steps = std::vector<std::int32_t>;

TEST(GangQueueTest, StepsShowWhoWaitsAndWhatIsIdle) {
  const auto path = GangQueue(GangPolicy::kFifo)(Of(8, {Job(1, 8, 2), Job(2, 4, 2)}, 6));
  EXPECT_EQ(path.pending, (Steps{0, 0, 4, 0, 0, 0}));
  EXPECT_EQ(path.idle, (Steps{8, 0, 0, 4, 4, 8}));
}

TEST(GangQueueTest, FifoBlocksBehindItsHeadAndSkipDoesNot) {
  const std::vector<QueueJob> jobs = {Job(0, 4, 4), Job(1, 8, 1), Job(2, 4, 1)};
  EXPECT_EQ(GangQueue(GangPolicy::kFifo)(Of(8, jobs, 5)).pending, (Steps{0, 8, 12, 12, 4}));
  EXPECT_EQ(GangQueue(GangPolicy::kSkip)(Of(8, jobs, 5)).pending, (Steps{0, 8, 8, 8, 0}));
}

TEST(GangQueueTest, AWholeNodeIsNotFoundAmongParts) {
  // Two nodes, each with a 4-GPU job: best fit puts the second beside the first.
  EXPECT_EQ(
      GangQueue(GangPolicy::kFifo)(Of(16, {Job(0, 4, 9), Job(0, 4, 9), Job(1, 8, 1)}, 3)).pending,
      (Steps{0, 0, 0}));
  // 5 and 5 do not fit on one node: 6 GPUs are idle and the whole node is gone.
  const auto path =
      GangQueue(GangPolicy::kFifo)(Of(16, {Job(0, 5, 9), Job(0, 5, 9), Job(1, 8, 1)}, 3));
  EXPECT_EQ(path.pending, (Steps{0, 8, 8}));
  EXPECT_EQ(path.idle, (Steps{6, 6, 6}));
}

TEST(GangQueueTest, AGangTakesWholeNodesAndItsRestOrNothing) {
  const auto path = GangQueue(GangPolicy::kFifo)(Of(24, {Job(0, 12, 2), Job(0, 12, 1)}, 4));
  EXPECT_EQ(path.idle, (Steps{0, 12, 24, 24})) << "8 + 4 and 8 + 4 on three nodes";
  const auto split = GangQueue(GangPolicy::kFifo)(Of(16, {Job(0, 5, 2), Job(0, 12, 1)}, 4));
  EXPECT_EQ(split.pending, (Steps{12, 12, 0, 0})) << "4 of the rest have no room beside 5 and 8";
}

TEST(GangQueueTest, WhatRunsAtTheBeginEndsAndWhatWaitedStarts) {
  QueueRun run = Of(8, {{AtMillis(-60'000), 8, Minutes(1)}}, 4);
  run.running = {Job(0, 8, 2)};
  const auto path = GangQueue(GangPolicy::kFifo)(run);
  EXPECT_EQ(path.pending, (Steps{8, 8, 0, 0}));
  EXPECT_EQ(path.idle, (Steps{0, 0, 0, 8}));
}

TEST(GangQueueTest, AJobLargerThanTheQueueNeverWaits) {
  EXPECT_EQ(GangQueue(GangPolicy::kFifo)(Of(8, {Job(0, 16, 1), Job(1, 8, 1)}, 3)).idle,
            (Steps{8, 0, 8}));
}

TEST(GangQueueTest, WaitsOfOneGpuJobsAreErlangs) {
  // M/M/8 at 80 %: P(wait) 0.457645, mean wait 0.286028 of a mean run; by Little's law
  // the mean number that waits is 0.286028 x 6.4.
  RandomStream random(13, "mmc", 0);
  std::vector<QueueJob> jobs;
  Instant at;
  const Instant until = AtMillis(0) + Days(4'000);
  while (at < until) {
    at = at + Millis(static_cast<std::int64_t>(DrawExponential(random, 3.6e6 / 6.4)));
    jobs.push_back({at, 1, Millis(static_cast<std::int64_t>(DrawExponential(random, 3.6e6)))});
  }
  QueueRun run = Of(8, std::move(jobs), 4'000 * 24 * 60);
  run.step = Minutes(7);
  const auto path = GangQueue(GangPolicy::kFifo)(run);
  double pending = 0, busy = 0;
  for (std::size_t i = 0; i < path.pending.size(); ++i) {
    pending += path.pending[i];
    busy += path.idle[i] == 0 ? 1 : 0;
  }
  const auto n = static_cast<double>(path.pending.size());
  EXPECT_NEAR(pending / n, 0.286028 * 6.4, 0.08);
  EXPECT_NEAR(busy / n, 0.457645, 0.012);
}

}  // namespace
}  // namespace plimsoll
