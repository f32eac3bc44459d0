#include "capacity/queue/job_progress.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

// Walks the milliseconds of a start one by one.
JobStay WalkedBy(const JobStart& start, std::int64_t elapsed, bool is_cut) {
  JobStay stay;
  const auto count = [&](GpuUse use) { stay.by_use[static_cast<std::size_t>(use)] += Millis(1); };
  std::int64_t warm_up = start.checkpoint.warm_up.base();
  std::int64_t restart = start.restores ? start.checkpoint.restart.base() : 0;
  const std::int64_t interval = start.checkpoint.interval.value_or(Duration()).base();
  std::int64_t left = start.left, unsaved = 0, unsaved_ms = 0, writing = 0;
  for (std::int64_t t = 0; t < elapsed; ++t) {
    if (warm_up > 0) {
      --warm_up;
      count(GpuUse::kWarmUp);
    } else if (restart > 0) {
      --restart;
      count(GpuUse::kRestart);
    } else if (writing > 0) {
      count(GpuUse::kCheckpoint);
      if (--writing == 0) {
        stay.done += unsaved;
        stay.by_use[0] += Millis(unsaved_ms);
        unsaved = unsaved_ms = 0;
      }
    } else {
      const std::int64_t step = std::min<std::int64_t>(left, start.pods);
      left -= step;
      unsaved += step;
      ++unsaved_ms;
      if (interval > 0 && unsaved_ms == interval && left > 0) {
        writing = start.checkpoint.write.base();
        if (writing == 0) {
          stay.done += unsaved;
          stay.by_use[0] += Millis(unsaved_ms);
          unsaved = unsaved_ms = 0;
        }
      }
    }
  }
  stay.by_use[static_cast<std::size_t>(is_cut ? GpuUse::kLost : GpuUse::kUseful)] +=
      Millis(unsaved_ms);
  if (!is_cut) stay.done += unsaved;
  return stay;
}

TEST(JobProgressTest, EveryMillisecondIsForWhatAWalkFinds) {
  std::mt19937 random(3);
  const auto whole = [&](int low, int high) {
    return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int round = 0; round < 5'000; ++round) {
    JobStart start;
    start.left = whole(0, 60);
    start.pods = static_cast<std::int32_t>(whole(1, 4));
    start.restores = whole(0, 1) == 1;
    if (whole(0, 3) > 0) start.checkpoint.interval = Millis(whole(1, 12));
    start.checkpoint.write = Millis(whole(0, 3));
    start.checkpoint.restart = Millis(whole(0, 4));
    start.checkpoint.warm_up = Millis(whole(0, 4));
    const std::int64_t wall = WallTime(start).base();
    EXPECT_EQ(Continued(start, Millis(wall)).done, start.left);
    for (std::int64_t elapsed = 0; elapsed <= wall; ++elapsed) {
      for (const bool is_cut : {true, false}) {
        const JobStay stay =
            is_cut ? Interrupted(start, Millis(elapsed)) : Continued(start, Millis(elapsed));
        const JobStay walked = WalkedBy(start, elapsed, is_cut);
        ASSERT_EQ(stay.by_use, walked.by_use) << round << " " << elapsed << " " << is_cut;
        ASSERT_EQ(stay.done, walked.done) << round << " " << elapsed << " " << is_cut;
      }
    }
  }
}

TEST(JobProgressTest, TheEndOfTheWorkIsNotWritten) {
  JobStart start;
  start.left = Hours(3).base();
  start.checkpoint.interval = Hours(1);
  start.checkpoint.write = Minutes(5);
  EXPECT_EQ(WallTime(start), Hours(3) + Minutes(10));
  start.restores = true;
  start.checkpoint.restart = Minutes(7);
  EXPECT_EQ(WallTime(start), Hours(3) + Minutes(17));
}

TEST(JobProgressTest, HalfOfTheGangTakesTwiceTheTime) {
  TrainingJob job;
  job.pods = 4;
  job.run = Hours(1);
  EXPECT_EQ(WallTime({{}, false, PodMillis(job), 2}), Hours(2));
}

}  // namespace
}  // namespace plimsoll
