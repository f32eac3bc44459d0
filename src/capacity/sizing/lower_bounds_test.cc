#include "capacity/sizing/lower_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sim/random.h"

namespace plimsoll {
namespace {

Demand Of(std::int64_t release, std::int64_t run, std::int64_t gpus) {
  Demand demand;
  demand.release = AtMillis(release);
  demand.run = Millis(run);
  demand.gpu_milli = demand.start_milli = gpus * kMilliPerGpu;
  return demand;
}

std::vector<Demand> DrawDemands(RandomStream& random, std::size_t count) {
  std::vector<Demand> demands;
  for (std::size_t i = 0; i < count; ++i) {
    Demand demand = Of(static_cast<std::int64_t>(random.Below(7)),
                       static_cast<std::int64_t>(1 + random.Below(4)),
                       static_cast<std::int64_t>(1 + random.Below(4)));
    demand.due = demand.release + demand.run + Millis(static_cast<std::int64_t>(random.Below(4)));
    demand.level = 0;
    demands.push_back(demand);
  }
  return demands;
}

// Whether so many GPUs start every job in time, by trying every start of every job.
bool CanMeet(const std::vector<Demand>& demands, std::int64_t gpus) {
  std::vector<std::int64_t> held(64, 0);
  const std::function<bool(std::size_t)> place = [&](std::size_t i) {
    if (i == demands.size()) return true;
    const Demand& demand = demands[i];
    const std::int64_t latest = demand.due->base() - demand.run.base();
    for (std::int64_t start = demand.release.base(); start <= latest; ++start) {
      const auto begin = held.begin() + start, end = begin + demand.run.base();
      const std::int64_t need = demand.gpu_milli / kMilliPerGpu;
      if (*std::max_element(begin, end) + need > gpus) continue;
      std::for_each(begin, end, [&](std::int64_t& now) { now += need; });
      if (place(i + 1)) return true;
      std::for_each(begin, end, [&](std::int64_t& now) { now -= need; });
    }
    return false;
  };
  return place(0);
}

std::int64_t FewestGpus(const std::vector<Demand>& demands) {
  std::int64_t gpus = 1;
  while (!CanMeet(demands, gpus)) ++gpus;
  return gpus;
}

// The definition: every pair of a release and a due time.
std::int64_t DeadlineBoundByPairs(const std::vector<Demand>& demands) {
  std::int64_t most = 0;
  for (const Demand& first : demands) {
    for (const Demand& last : demands) {
      const Window interval{first.release, *last.due};
      if (interval.empty()) continue;
      std::int64_t work = 0;
      for (const Demand& demand : demands) {
        if (demand.release < interval.begin || *demand.due > interval.until) continue;
        work += demand.gpu_milli / kMilliPerGpu * demand.run.base();
      }
      const std::int64_t length = interval.length().base();
      most = std::max(most, (work + length - 1) / length);
    }
  }
  return most;
}

TEST(LowerBoundsTest, NoBoundIsAboveTheFewestGpusThatDo) {
  int tight = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(11, "bounds", trial);
    const std::vector<Demand> demands = DrawDemands(random, 1 + random.Below(5));
    const std::int64_t fewest = FewestGpus(demands);
    const DeadlineBound deadline = DeadlineBoundOf(demands);
    EXPECT_EQ(deadline.gpus, DeadlineBoundByPairs(demands));
    EXPECT_LE(deadline.gpus, fewest);
    EXPECT_LE(GangBounds(demands)[0].gpus, fewest);
    Instant end;
    for (const Demand& demand : demands) end = std::max(end, *demand.due);
    EXPECT_LE(WorkBound(demands, Between(ReleaseWindow(demands).begin, end), kPerBillion), fewest);
    tight += std::max(deadline.gpus, GangBounds(demands)[0].gpus) == fewest;
  }
  EXPECT_GT(tight, 200);  // often it is all that is needed
}

TEST(LowerBoundsTest, ThePeakIsExactlyWhatNoWaitNeeds) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(12, "peak", trial);
    std::vector<Demand> demands = DrawDemands(random, 1 + random.Below(8));
    for (Demand& demand : demands) demand.due = demand.release + demand.run;
    const PeakBound peak = PeakOf(demands);
    EXPECT_EQ(peak.gpus, FewestGpus(demands));
    EXPECT_LE(DeadlineBoundOf(demands).gpus, peak.gpus);
    std::int64_t held = 0;
    for (const Demand& demand : demands) {
      if (!Window{demand.release, *demand.due}.contains(peak.at)) continue;
      held += demand.gpu_milli / kMilliPerGpu;
    }
    EXPECT_EQ(held, peak.gpus);
  }
}

TEST(LowerBoundsTest, JobsThatEndAsOthersBeginDoNotMeet) {
  const std::vector<Demand> demands = {Of(0, 10, 8), Of(10, 10, 8), Of(20, 1, 8)};
  EXPECT_EQ(PeakOf(demands).gpus, 8);
  EXPECT_EQ(PeakOf(demands).at, AtMillis(0));
}

TEST(LowerBoundsTest, ASharedGpuIsLessThanOneAndRoundsUp) {
  std::vector<Demand> demands = {Of(0, 10, 1), Of(0, 10, 1), Of(0, 10, 1)};
  for (Demand& demand : demands) demand.gpu_milli = demand.start_milli = 400;
  EXPECT_EQ(PeakOf(demands).gpus, 2);
  EXPECT_EQ(WorkBound(demands, Millis(10), kPerBillion), 2);
  EXPECT_EQ(WorkBound(demands, Millis(10), kPerBillion / 2), 3);
}

TEST(LowerBoundsTest, TheWorstIntervalIsNamed) {
  std::vector<Demand> demands = {Of(0, 100, 1), Of(50, 10, 8), Of(52, 10, 8)};
  demands[0].due = AtMillis(1'000);
  demands[1].due = AtMillis(62);
  demands[2].due = AtMillis(70);
  const DeadlineBound bound = DeadlineBoundOf(demands);
  EXPECT_EQ(bound.gpus, 8);  // 160 GPU-ms in 20 ms
  EXPECT_EQ(bound.interval, (Window{AtMillis(50), AtMillis(70)}));
}

TEST(LowerBoundsTest, AJobThatCannotBeDoneInTimeIsCountedAndLeftOut) {
  std::vector<Demand> demands = {Of(0, 100, 64), Of(0, 10, 2)};
  demands[0].due = AtMillis(50);
  demands[1].due = AtMillis(10);
  EXPECT_EQ(DeadlineBoundOf(demands).hopeless, 1);
  EXPECT_EQ(DeadlineBoundOf(demands).gpus, 2);
}

TEST(LowerBoundsTest, ManyJobsAreBoundedAsTheirPairsSay) {
  RandomStream random(13, "many", 0);
  std::vector<Demand> demands;
  for (int i = 0; i < 200; ++i) {
    Demand demand = Of(static_cast<std::int64_t>(random.Below(100'000)),
                       static_cast<std::int64_t>(1 + random.Below(9'000)),
                       static_cast<std::int64_t>(1 + random.Below(64)));
    demand.due =
        demand.release + demand.run + Millis(static_cast<std::int64_t>(random.Below(20'000)));
    demands.push_back(demand);
  }
  EXPECT_EQ(DeadlineBoundOf(demands).gpus, DeadlineBoundByPairs(demands));
}

// The fewest domains that hold gangs which never wait and never move, by trying every one.
std::int64_t FewestDomains(const std::vector<Demand>& demands, std::int64_t size) {
  for (std::size_t count = 1;; ++count) {
    std::vector<std::vector<std::int64_t>> held(count, std::vector<std::int64_t>(32, 0));
    const std::function<bool(std::size_t)> place = [&](std::size_t i) {
      if (i == demands.size()) return true;
      const Demand& demand = demands[i];
      const std::int64_t need = demand.gpu_milli / kMilliPerGpu;
      for (auto& domain : held) {
        const auto begin = domain.begin() + demand.release.base(), end = begin + demand.run.base();
        if (*std::max_element(begin, end) + need > size) continue;
        std::for_each(begin, end, [&](std::int64_t& now) { now += need; });
        if (place(i + 1)) return true;
        std::for_each(begin, end, [&](std::int64_t& now) { now -= need; });
      }
      return false;
    };
    if (place(0)) return static_cast<std::int64_t>(count);
  }
}

TEST(LowerBoundsTest, BinsAreNeverMoreThanTheFewestDomains) {
  int above_sum = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(14, "bins", trial);
    std::vector<Demand> demands = DrawDemands(random, 1 + random.Below(6));
    if (trial % 2 == 0) {  // large ones that all meet
      for (Demand& demand : demands) {
        demand.run = Millis(8);
        demand.gpu_milli = demand.start_milli =
            static_cast<std::int64_t>(2 + random.Below(3)) * kMilliPerGpu;
      }
    }
    for (const std::int64_t size : {4, 5}) {
      const std::optional<BinBound> bound = BinBoundOf(demands, 0, size);
      ASSERT_TRUE(bound);
      EXPECT_LE(bound->domains, FewestDomains(demands, size));
      above_sum += bound->gang_gpus > 0;
    }
  }
  EXPECT_GT(above_sum, 15);  // counting GPUs alone would have said fewer
}

TEST(LowerBoundsTest, GangsOfAnotherLevelNeedNoBinsAndTooLargeOnesHaveNone) {
  std::vector<Demand> demands = {Of(0, 10, 32), Of(0, 10, 8)};
  demands[0].level = 1;
  EXPECT_EQ(BinBoundOf(demands, 1, 36)->domains, 1);
  EXPECT_EQ(BinBoundOf(demands, 0, 36)->domains, 0);
  EXPECT_FALSE(BinBoundOf(demands, 1, 24));
}

TEST(LowerBoundsTest, GangsAreBoundedByFlavorsAndLevel) {
  std::vector<Demand> demands = {Of(0, 1, 8), Of(0, 1, 64), Of(0, 1, 16), Of(0, 1, 24)};
  demands[0].flavors = demands[2].flavors = 0b01;
  demands[3].flavors = 0b01;
  demands[3].level = 2;
  const std::vector<GangBound> bounds = GangBounds(demands);
  ASSERT_EQ(bounds.size(), 3U);
  EXPECT_EQ(bounds[0].gpus, 16);  // flavor 0 anywhere
  EXPECT_EQ(bounds[1].gpus, 24);  // flavor 0 in one domain of level 2
  EXPECT_EQ(bounds[1].level, 2U);
  EXPECT_EQ(bounds[2].gpus, 64);  // any flavor
}

TEST(LowerBoundsTest, PinnedJobsNeedTheirFlavorsByThemselves) {
  std::vector<Demand> demands = {Of(0, 10, 8), Of(0, 10, 4), Of(10, 10, 2), Of(0, 10, 1)};
  demands[0].flavors = 0b01;
  demands[1].flavors = 0b10;
  demands[2].flavors = 0b11;
  const std::vector<PinnedBound> bounds = PinnedBounds(demands);
  ASSERT_EQ(bounds.size(), 4U);
  EXPECT_EQ(bounds[0].peak.gpus, 8);
  EXPECT_EQ(bounds[1].peak.gpus, 4);
  EXPECT_EQ(bounds[2].peak.gpus, 12);  // all that accept only these two
  EXPECT_EQ(bounds[2].jobs, 3);
  EXPECT_EQ(bounds[3].peak.gpus, 13);
  EXPECT_EQ(bounds[0].gang, 8);
  EXPECT_EQ(bounds[2].work, 14);  // 140 GPU-ms in 10 ms
}

TEST(LowerBoundsTest, NothingAskedNeedsNothing) {
  EXPECT_EQ(PeakOf({}).gpus, 0);
  EXPECT_EQ(DeadlineBoundOf({}).gpus, 0);
  EXPECT_TRUE(GangBounds({}).empty());
  EXPECT_TRUE(PinnedBounds({}).empty());
  EXPECT_EQ(BinBoundOf({}, 0, 8)->domains, 0);
}

}  // namespace
}  // namespace plimsoll
