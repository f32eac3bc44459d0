#include "capacity/sizing/target_result.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr std::int64_t kNinety = 900'000'000;

// `late` of 20 jobs wait 100 ms, the others none; the target is 50 ms.
ReplicationOutcome Replication(int late) {
  ReplicationOutcome outcome;
  outcome.classes.resize(1);
  outcome.gangs.resize(1);
  for (int i = 0; i < 20; ++i) outcome.classes[0].waits.Add(Millis(i < late ? 100 : 0));
  outcome.classes[0].within = 20 - late;
  outcome.gangs[0].waits.AddUnstarted();
  return outcome;
}

SizingTargets Targets(std::int64_t share) {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].share = share;
  targets.classes[0].within = Millis(50);
  targets.gangs.resize(1);
  return targets;
}

TEST(TargetResultTest, AShareIsMetExactlyAndSureOnlyBeyondItsInterval) {
  const std::vector<ReplicationOutcome> even(10, Replication(2));
  const std::vector<TargetResult> results = JudgeTargets(Targets(kNinety), even);
  ASSERT_EQ(results.size(), 2U);  // no deadline is asked for, no job has one
  EXPECT_EQ(results[0].share.hits, 180);
  EXPECT_TRUE(results[0].met());  // 90 % to the billionth
  EXPECT_FALSE(results[0].is_sure());
  EXPECT_FALSE(JudgeTargets(Targets(kNinety + 1), even)[0].met());
  EXPECT_TRUE(JudgeTargets(Targets(500'000'000), even)[0].is_sure());
  const TargetResult missed = JudgeTargets(Targets(990'000'000), even)[0];
  EXPECT_FALSE(missed.met());
  EXPECT_TRUE(missed.is_sure());
}

TEST(TargetResultTest, TheWaitIsThePercentileOfTheTarget) {
  const std::vector<ReplicationOutcome> even(10, Replication(2));
  EXPECT_EQ(JudgeTargets(Targets(kNinety), even)[0].wait.estimate, Millis(0));
  EXPECT_EQ(JudgeTargets(Targets(kNinety + 1), even)[0].wait.estimate, Millis(100));
  EXPECT_EQ(JudgeTargets(Targets(0), even)[0].wait.estimate, Millis(100));  // the 95th
}

TEST(TargetResultTest, AGangThatNeverStartsHasNoChance) {
  const std::vector<ReplicationOutcome> outcomes(10, Replication(0));
  const TargetResult gang = JudgeTargets(Targets(kNinety), outcomes)[1];
  EXPECT_EQ(gang.id, (TargetId{TargetKind::kGang, 0}));
  EXPECT_EQ(gang.share.estimate, 0);
  EXPECT_FALSE(gang.wait.estimate);
  EXPECT_FALSE(gang.asked());
}

TEST(TargetResultTest, AllOfThemAreAllThatWereSeen) {
  const std::vector<ReplicationOutcome> good(5, Replication(0)), bad(5, Replication(1));
  EXPECT_TRUE(JudgeTargets(Targets(1'000'000'000), good)[0].met());
  EXPECT_TRUE(JudgeTargets(Targets(1'000'000'000), good)[0].is_sure());
  EXPECT_FALSE(JudgeTargets(Targets(1'000'000'000), bad)[0].met());
}

TEST(TargetResultTest, DeadlinesAreJudgedWhereThereAreSome) {
  std::vector<ReplicationOutcome> outcomes(4, Replication(0));
  for (ReplicationOutcome& outcome : outcomes) outcome.deadlines = {9, 10};
  SizingTargets targets = Targets(0);
  targets.deadline_share = kNinety;
  const std::vector<TargetResult> results = JudgeTargets(targets, outcomes);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[2].id.kind, TargetKind::kDeadlines);
  EXPECT_TRUE(results[2].met());
  EXPECT_EQ(results[2].wait.jobs, 0);
}

TEST(TargetResultTest, WithoutJobsNobodyIsLateAndNothingIsSure) {
  ReplicationOutcome empty;
  empty.classes.resize(1);
  empty.gangs.resize(1);
  const TargetResult result = JudgeTargets(Targets(kNinety), {&empty, 1})[0];
  EXPECT_TRUE(result.met());
  EXPECT_FALSE(result.is_sure());
}

}  // namespace
}  // namespace plimsoll
