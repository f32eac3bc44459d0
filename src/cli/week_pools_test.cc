#include "cli/week_pools.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plimsoll
