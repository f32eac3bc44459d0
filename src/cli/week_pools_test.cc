#include "cli/week_pools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "capacity/placement/typical_pods.h"

#include "cli/test_week.h"

namespace plimsoll {
namespace {

class WeekPoolsTest : public testing::Test {
 protected:
  WeekPoolsTest() : catalog_(*Catalog::Load(BuiltinCatalogFiles())) {}
  WeekPools Run() const {
    return WeekPoolsOf(facts_, WeekJobsOf(facts_, kTestWeek).jobs, catalog_, kTestWeek);
  }
  static GpuHours Of(const WeekPools& week, WaitCause cause) {
    return week.causes.at(0).waited[static_cast<std::size_t>(cause)];
  }

  OccupancyFacts facts_;
  Catalog catalog_;
};

constexpr std::int64_t kWeekHours = 7 * 24;

TEST_F(WeekPoolsTest, IdleGpusOfAWeekAreTheirMeanOverTime) {
  AddNode(facts_, "n1");
  AddPod(facts_, {"a", "n1", 8, 0, 0, 42});  // a quarter of the week
  AddPod(facts_, {"b", "n1", 4, 84, 84, {}});
  const WeekPools week = Run();
  ASSERT_EQ(week.pools.size(), 1u);
  EXPECT_EQ(week.pools[0].gpus, 8);
  EXPECT_EQ(week.pools[0].idle_milli, 4'000);
  EXPECT_EQ(week.pools[0].idle_mean_milli, 4'000);  // 0, 8, 4, 4
  // Of the two shapes the one of eight GPUs has no place in the second half.
  EXPECT_EQ(week.pools[0].unusable_ppb, 500'000'000);
  EXPECT_EQ(week.pools[0].unusable_mean_ppb, 250'000'000);
  EXPECT_EQ(week.pools[0].pod_gpus, 8);
  EXPECT_EQ(week.pools[0].stranded_milli, 4'000);
  EXPECT_EQ(week.pools[0].usable_milli, 0);
  EXPECT_EQ(week.overbooked, 0);
}

// Free 7, 7 and 8 of three nodes: two nodes of eight are not to be had, though 22 GPUs are idle.
TEST_F(WeekPoolsTest, AGangThatCountingWouldStartAndNoNodesCanTakeIsNamed) {
  for (const char* name : {"n1", "n2", "n3"}) AddNode(facts_, name);
  AddPod(facts_, {"a", "n1", 1, 0, 0, {}});
  AddPod(facts_, {"b", "n2", 1, 0, 0, {}});
  AddPending(facts_, "wide", 16, 8, kWeekHours - 2);
  AddPending(facts_, "narrow", 8, 8, kWeekHours - 1);
  const WeekPools week = Run();
  ASSERT_EQ(week.unfit.size(), 1u);
  EXPECT_EQ(week.unfit[0].gpus, 16);
  EXPECT_EQ(week.unfit[0].pods, 2);
  EXPECT_EQ(week.unfit[0].idle_milli, 22'000);
  EXPECT_EQ(week.unfit[0].slots, 1);
  EXPECT_EQ(Of(week, WaitCause::kScattered), WholeGpuHours(32));
  EXPECT_EQ(Of(week, WaitCause::kRoomEnough), WholeGpuHours(8));
  EXPECT_EQ(Of(week, WaitCause::kTooFewIdle), GpuHours());
}

TEST_F(WeekPoolsTest, AWaitWithTooFewIdleGpusIsLaidToThat) {
  AddNode(facts_, "n1");
  AddPod(facts_, {"a", "n1", 8, 0, 0, 10});
  AddPod(facts_, {"b", "n1", 8, 4, 12, 20});  // six hours behind a, two beside an idle node
  const WeekPools week = Run();
  EXPECT_EQ(Of(week, WaitCause::kTooFewIdle), WholeGpuHours(48));
  EXPECT_EQ(Of(week, WaitCause::kRoomEnough), WholeGpuHours(16));
}

// Fifteen racks of 1 to 11 nodes: 16 gangs of four nodes by count, nine within racks.
TEST_F(WeekPoolsTest, GangsAreCountedByIdleGpusAndByDomain) {
  int rack = 0, node = 0;
  for (const int nodes : {1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11}) {
    ++rack;
    for (int i = 0; i < nodes; ++i) {
      AddNode(facts_, "n" + std::to_string(++node), "r" + std::to_string(rack));
    }
  }
  for (int i = 0; i < 4; ++i) AddPod(facts_, {"g", "n" + std::to_string(i + 1), 8, 0, 0, 5});
  const WeekPools week = Run();
  ASSERT_EQ(week.pools.size(), 1u);
  const PoolWeek& pool = week.pools[0];
  ASSERT_EQ(pool.gangs.size(), 2u);
  EXPECT_EQ(pool.gangs[0].gpus, 8);
  EXPECT_EQ(pool.gangs[0].in_domain, 64);
  EXPECT_EQ(pool.gangs[1].gpus, 32);
  EXPECT_EQ(pool.gangs[1].by_idle, 16);
  EXPECT_EQ(pool.gangs[1].on_nodes, 16);
  EXPECT_EQ(pool.gangs[1].level, "rack");
  EXPECT_EQ(pool.gangs[1].in_domain, 9);
  ASSERT_EQ(pool.largest.size(), 2u);
  EXPECT_EQ(pool.largest[0].gpus, 8);
  EXPECT_EQ(pool.largest[1].gpus, 88);
}

TEST_F(WeekPoolsTest, NodesThatAreNotUpHaveNoIdleGpus) {
  AddNode(facts_, "n1");
  AddNode(facts_, "n2");
  NodeStateBatch& states = facts_.conditions.states;
  const auto say = [&](const char* node, const char* aspect, const char* value, int hour) {
    const std::size_t i = AddBlankRow(states);
    states.cluster[i] = "c";
    states.node[i] = node;
    states.aspect[i] = aspect;
    states.value[i] = value;
    states.gpus[i] = 8;
    states.since[i] = states.seen[i] = kWeekBegin + Hours(hour);
  };
  say("n1", "schedulable", "no", 84);
  say("n2", "gpus", "", 84);
  states.gpus[1] = 6;
  const WeekPools week = Run();
  EXPECT_EQ(week.pools[0].idle_milli, 6'000);
  EXPECT_EQ(week.pools[0].down_milli, 8'000);
  EXPECT_EQ(week.pools[0].idle_mean_milli, 11'000);
  EXPECT_EQ(week.pools[0].unusable_ppb, std::nullopt);  // no pod ran there
  say("n1", "schedulable", "yes", 126);
  EXPECT_EQ(Run().pools[0].idle_milli, 14'000);
}

TEST_F(WeekPoolsTest, OfNodesWithCutCardsOnlySumsAreSaid) {
  AddNode(facts_, "n1");
  AddNode(facts_, "n2");
  for (int i = 0; i < 7; ++i) {
    const std::size_t row = AddPod(facts_, {"s" + std::to_string(i), "n1", 1, 0, 0, {}});
    facts_.holdings.device_kind[row] = "mig-1g.10gb";
    facts_.holdings.share_den[row] = 7;
  }
  const WeekPools week = Run();
  ASSERT_EQ(week.pools.size(), 2u);
  EXPECT_FALSE(week.pools[0].is_mig);
  EXPECT_EQ(week.pools[0].idle_milli, 8'000);
  EXPECT_TRUE(week.pools[1].is_mig);
  EXPECT_EQ(week.pools[1].idle_milli, 7'000);  // seven sevenths are a card, exactly
  EXPECT_TRUE(week.pools[1].gangs.empty());
  EXPECT_EQ(week.overbooked, 0);
}

TEST_F(WeekPoolsTest, MoreHeldThanANodeHasIsCountedAndNeverNegative) {
  AddNode(facts_, "n1");
  AddPod(facts_, {"a", "n1", 6, 0, 0, {}});
  AddPod(facts_, {"b", "n1", 6, 1, 1, {}});
  const WeekPools week = Run();
  EXPECT_EQ(week.pools[0].idle_milli, 0);
  EXPECT_EQ(week.pools[0].unusable_ppb, 0);
  EXPECT_EQ(week.overbooked, 1);
}

// The same figures by walking the week hour by hour, from nothing but the pods.
struct Walked {
  std::int64_t idle_hours = 0;
  std::int64_t unusable = 0, of = 0;  // GPU-hours x typical pods
  std::array<std::int64_t, kWaitCauses> waited{};
};

constexpr int kWalkedNodes = 4;

Walked Walk(const std::vector<TestPod>& pods) {
  std::vector<PodShape> shapes;
  for (const TestPod& pod : pods) {
    PodShape shape;
    shape.gpus = static_cast<std::int32_t>(pod.gpus);
    shapes.push_back(shape);
  }
  const TypicalPods typical = TypicalPodsOf(shapes);
  Walked walked;
  for (std::int64_t hour = 0; hour < kWeekHours; ++hour) {
    std::map<std::string, std::int64_t> idle;
    for (int n = 1; n <= kWalkedNodes; ++n) idle["n" + std::to_string(n)] = 8;
    for (const TestPod& pod : pods) {
      if (pod.begin <= hour && hour < *pod.end) idle[pod.node] -= pod.gpus;
    }
    std::int64_t sum = 0, most = 0;
    for (const auto& [node, gpus] : idle) {
      sum += gpus;
      most = std::max(most, gpus);
      for (const TypicalPod& pod : typical.pods) {
        walked.unusable += gpus < pod.shape.gpus ? gpus * pod.count : 0;
      }
    }
    walked.idle_hours += sum;
    walked.of += sum * typical.count;
    for (const TestPod& pod : pods) {
      if (*pod.queued > hour || hour >= pod.begin) continue;
      const WaitCause cause = sum < pod.gpus    ? WaitCause::kTooFewIdle
                              : most < pod.gpus ? WaitCause::kScattered
                                                : WaitCause::kRoomEnough;
      walked.waited[static_cast<std::size_t>(cause)] += pod.gpus;
    }
  }
  return walked;
}

TEST_F(WeekPoolsTest, TheSweepSaysWhatAWalkThroughTheHoursSays) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto draw = [&](std::int64_t below) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(below));
    };
    facts_ = {};
    std::vector<TestPod> pods;
    for (int n = 1; n <= kWalkedNodes; ++n) {
      const std::string node = "n" + std::to_string(n);
      AddNode(facts_, node);
      // Two halves of a node take turns, or one pod has it whole.
      for (std::int64_t hour = draw(9); hour < kWeekHours - 40;) {
        const std::int64_t until = hour + 1 + draw(30);
        const std::int64_t gpus = draw(3) == 0 ? 8 : 1 + draw(4);
        for (int half = 0; half < (gpus == 8 ? 1 : 2); ++half) {
          pods.push_back({"j" + std::to_string(pods.size()), node, gpus,
                          std::max<std::int64_t>(0, hour - draw(20)), hour, until, "", "slurm"});
        }
        hour = until + draw(6);
      }
    }
    for (const TestPod& pod : pods) AddPod(facts_, pod);
    const Walked walked = Walk(pods);
    const WeekPools week = Run();
    ASSERT_EQ(week.pools.size(), 1u);
    EXPECT_EQ(week.overbooked, 0);
    EXPECT_EQ(week.pools[0].idle_mean_milli,
              (walked.idle_hours * 1'000 + kWeekHours / 2) / kWeekHours);
    EXPECT_EQ(week.pools[0].unusable_mean_ppb,
              (walked.unusable * 1'000'000'000 + walked.of / 2) / walked.of);
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      EXPECT_EQ(week.causes.at(0).waited[i], WholeGpuHours(walked.waited[i])) << i;
    }
  }
}

}  // namespace
}  // namespace plimsoll
