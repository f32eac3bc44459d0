#include "capacity/sizing/resample.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace plimsoll {
namespace {

// Day d of `days` has d + 1 jobs, at hour 9.
TrainingWorkload History(int days) {
  TrainingWorkload history;
  history.queues = {"q"};
  for (int day = 0; day < days; ++day) {
    for (int i = 0; i <= day; ++i) {
      TrainingJob job;
      job.name = std::to_string(day);
      job.submitted = AtMillis(0) + Days(day) + Hours(9) + Millis(i);
      job.deadline = job.submitted + Hours(5);
      job.started = job.submitted;
      history.jobs.push_back(job);
    }
  }
  return history;
}

TEST(ResampleTest, EachDayIsOneOfTheRecordedDays) {
  const TrainingWorkload history = History(5);
  const TrainingWorkload drawn = ResampleBlocks(history, {1, 3, Days(1)});
  std::map<std::int64_t, std::map<std::string, int>> by_day;
  Instant before = AtMillis(0);
  for (const TrainingJob& job : drawn.jobs) {
    const std::int64_t day = job.submitted.base() / Days(1).base();
    ++by_day[day][job.name];
    EXPECT_GE(job.submitted, before);
    before = job.submitted;
    EXPECT_EQ(Between(job.submitted, *job.deadline), Hours(5));
    EXPECT_FALSE(job.started);
    EXPECT_EQ(job.submitted.base() % Days(1).base() / Hours(1).base(), 9);
  }
  EXPECT_EQ(by_day.size(), 5U);
  for (const auto& [day, names] : by_day) {
    ASSERT_EQ(names.size(), 1U);
    EXPECT_EQ(names.begin()->second, std::stoi(names.begin()->first) + 1);
  }
}

TEST(ResampleTest, DaysAreDrawnAlikeOften) {
  const TrainingWorkload history = History(4);
  std::map<std::string, int> drawn_days;
  for (std::uint64_t r = 0; r < 500; ++r) {
    std::string last;
    for (const TrainingJob& job : ResampleBlocks(history, {1, r, Days(1)}).jobs) {
      const std::string key = job.name + "@" + std::to_string(job.submitted.base() / 86'400'000);
      if (key != last) ++drawn_days[job.name];
      last = key;
    }
  }
  for (const auto& [name, count] : drawn_days) EXPECT_NEAR(count, 500, 100) << name;
}

TEST(ResampleTest, WithThreeWeeksADayComesFromItsWeekday) {
  const TrainingWorkload drawn = ResampleBlocks(History(21), {2, 0, Days(1)});
  bool moved = false;
  for (const TrainingJob& job : drawn.jobs) {
    const std::int64_t day = job.submitted.base() / Days(1).base();
    EXPECT_EQ(day % 7, std::stoi(job.name) % 7);
    moved = moved || day != std::stoi(job.name);
  }
  EXPECT_TRUE(moved);
}

TEST(ResampleTest, TheSameSeedDrawsTheSame) {
  const auto submitted = [](std::uint64_t replication) {
    std::vector<Instant> all;
    for (const TrainingJob& job : ResampleBlocks(History(9), {1, replication, Days(1)}).jobs) {
      all.push_back(job.submitted);
    }
    return all;
  };
  EXPECT_EQ(submitted(4), submitted(4));
  EXPECT_NE(submitted(4), submitted(5));
  EXPECT_TRUE(ResampleBlocks({}, {}).jobs.empty());
}

}  // namespace
}  // namespace plimsoll
