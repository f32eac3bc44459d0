#include "capacity/queue/multifactor.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::JobOf;
using queue_fixture::WorkloadOf;

MultifactorWeights Only(std::int64_t MultifactorWeights::*weight) {
  MultifactorWeights weights;
  weights.age = weights.size = weights.priority = weights.fairshare = 0;
  weights.*weight = 1'000;
  return weights;
}

TEST(MultifactorTest, AgeGrowsToItsLimit) {
  const TrainingWorkload workload = WorkloadOf({{}});
  const Multifactor multifactor(Only(&MultifactorWeights::age), workload, 8'000);
  const TrainingJob& job = workload.jobs[0];
  const Instant begin;
  EXPECT_EQ(multifactor.Priority(job, begin, begin), 0);
  EXPECT_EQ(multifactor.Priority(job, begin, begin + Hours(84)), 500'000'000);
  EXPECT_EQ(multifactor.Priority(job, begin, begin + Days(70)), 1'000'000'000);
}

TEST(MultifactorTest, SizeAndPriorityAreNormalised) {
  const TrainingWorkload workload = WorkloadOf({{0, 1, 2, 60, -1}, {0, 1, 8, 60, 3}});
  const Multifactor size(Only(&MultifactorWeights::size), workload, 8'000);
  EXPECT_EQ(size.Priority(workload.jobs[0], {}, {}), 250'000'000);
  const Multifactor priority(Only(&MultifactorWeights::priority), workload, 8'000);
  EXPECT_EQ(priority.Priority(workload.jobs[0], {}, {}), 0);
  EXPECT_EQ(priority.Priority(workload.jobs[1], {}, {}), 1'000'000'000);
}

// Slurm's classic fair share: who has used just its share has half a factor.
TEST(MultifactorTest, FairshareHalvesWithEachShareUsed) {
  const TrainingWorkload workload = WorkloadOf({{0, 1, 1, 60, 0, 0}, {0, 1, 1, 60, 0, 1}}, 2);
  Multifactor multifactor(Only(&MultifactorWeights::fairshare), workload, 8'000);
  multifactor.AddUsage({500, 500}, Instant());
  EXPECT_EQ(multifactor.Priority(workload.jobs[0], {}, {}), 500'000'000);
  // A half-life later the old usage counts half: 250 + 750 of 250 + 750 + 250.
  multifactor.AddUsage({750, 0}, Instant() + Days(7));
  EXPECT_EQ(multifactor.Priority(workload.jobs[0], {}, {}), 329'876'978);  // 2^-1.6
  EXPECT_GT(multifactor.Priority(workload.jobs[1], {}, {}), 750'000'000);  // 2^-0.4
}

}  // namespace
}  // namespace plimsoll
