#include "capacity/sizing/outcome_difference.h"

#include <gtest/gtest.h>

#include "capacity/sizing/test_evaluator.h"

namespace plimsoll {
namespace {

SizingTargets Targets() {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].within = Minutes(1);
  targets.classes[0].share = 900'000'000;
  return targets;
}

std::vector<ReplicationOutcome> Runs(std::int64_t servers) {
  const MmcQueue queue;
  std::vector<ReplicationOutcome> outcomes;
  for (std::int64_t r = 0; r < 20; ++r) outcomes.push_back(queue.Run(servers, r));
  return outcomes;
}

const OutcomeDifference& Find(const std::vector<OutcomeDifference>& all, Measure measure) {
  for (const OutcomeDifference& one : all) {
    if (one.measure == measure) return one;
  }
  ADD_FAILURE() << "no such measure";
  return all[0];
}

TEST(OutcomeDifferenceTest, OneMoreServerShowsThoughRunsDifferFarMore) {
  const auto differences = CompareOutcomes(Targets(), Runs(8), Runs(9));
  const PairedDifference& wait = Find(differences, Measure::kMeanWait).paired;
  EXPECT_LT(wait.interval->high, 0);
  EXPECT_LT(wait.after, wait.before);
  EXPECT_GT(Find(differences, Measure::kShareWithin).paired.interval->low, 0);
  EXPECT_LT(Find(differences, Measure::kWaitP95).paired.interval->high, 0);
  EXPECT_LT(Find(differences, Measure::kUtilization).paired.interval->high, 0);
}

TEST(OutcomeDifferenceTest, NoChangeDiffersInNothing) {
  for (const OutcomeDifference& one : CompareOutcomes(Targets(), Runs(8), Runs(8))) {
    EXPECT_EQ(one.paired.difference, 0);
    EXPECT_FALSE(one.paired.differs());
  }
}

TEST(OutcomeDifferenceTest, DeadlinesHaveNoWaitsAndUntargetedClassesNoShare) {
  SizingTargets targets = Targets();
  targets.classes[0].within.reset();
  targets.classes[0].share = 0;
  std::vector<ReplicationOutcome> outcomes = Runs(8);
  for (ReplicationOutcome& outcome : outcomes) outcome.deadlines = {1, 2};
  const auto differences = CompareOutcomes(targets, outcomes, outcomes);
  ASSERT_EQ(differences.size(), 6U);
  EXPECT_EQ(differences[2].target->kind, TargetKind::kDeadlines);
  EXPECT_EQ(differences[2].measure, Measure::kShareWithin);
  EXPECT_EQ(differences[2].paired.before, 0.5);
}

// Of ten probes `started` start at once or after a minute; the others not in time.
ReplicationOutcome Probes(int started, Duration wait) {
  ReplicationOutcome outcome;
  outcome.classes.resize(1);
  outcome.gangs.resize(1);
  for (int i = 0; i < 10; ++i) {
    if (i < started) {
      outcome.gangs[0].waits.Add(wait);
      ++outcome.gangs[0].within;
    } else {
      outcome.gangs[0].waits.AddUnstarted();
    }
  }
  return outcome;
}

TEST(OutcomeDifferenceTest, AWorseFleetIsNotFasterBecauseItsSlowProbesHaveNoWait) {
  SizingTargets targets = Targets();
  targets.gangs.resize(1);
  std::vector<ReplicationOutcome> before, after;
  for (int r = 0; r < 10; ++r) {
    before.push_back(Probes(r % 2 == 0 ? 10 : 2, Minutes(1)));
    after.push_back(Probes(r % 2 == 0 ? 10 : 1, Duration()));
  }
  for (const OutcomeDifference& one : CompareOutcomes(targets, before, after)) {
    if (!one.target || one.target->kind != TargetKind::kGang) continue;
    const bool is_wait = one.measure != Measure::kShareWithin;
    EXPECT_EQ(one.censored, is_wait);
    EXPECT_EQ(one.paired.replications, is_wait ? 0 : 10);
    EXPECT_FALSE(is_wait && one.paired.differs());
    EXPECT_TRUE(is_wait || one.paired.difference < 0);
  }
}

}  // namespace
}  // namespace plimsoll
