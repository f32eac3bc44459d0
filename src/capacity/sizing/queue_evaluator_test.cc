#include "capacity/sizing/queue_evaluator.h"

#include <gtest/gtest.h>

#include <utility>

namespace plimsoll {
namespace {

Cluster Nodes(int count) {
  std::vector<NodeSpec> nodes(static_cast<std::size_t>(count));
  for (NodeSpec& node : nodes) node.gpus = 8;
  return Cluster({"h100"}, DomainTree(), std::move(nodes));
}

TEST(QueueEvaluatorTest, AFleetMeetsTheJobsOfTheReplicationWithItsOptions) {
  QueueQuestion question;
  question.seed = 5;
  question.targets.classes.resize(1);
  question.targets.classes[0].within = Millis(10);
  for (const int nodes : {1, 3}) {
    SimulatedFleet fleet{Nodes(nodes), {}};
    fleet.options.warm_up = Millis(nodes);
    question.fleets.push_back(std::move(fleet));
  }
  question.workload = [](std::size_t, std::uint64_t replication) {
    TrainingWorkload workload;
    workload.jobs.resize(replication + 1);
    for (TrainingJob& job : workload.jobs) job.shape.gpus = 1;
    return workload;
  };
  question.simulate = [](const Cluster& cluster, const TrainingWorkload& workload,
                         const QueueOptions& options, QueueSeed seed) {
    EXPECT_EQ(seed.seed, 5U);
    EXPECT_EQ(options.warm_up.base(), static_cast<std::int64_t>(cluster.size()));
    QueueOutcome run;
    run.jobs.resize(workload.jobs.size());
    for (JobOutcome& job : run.jobs) {
      job.state = JobState::kDone;
      job.started = AtMillis(0);
      job.first_wait[WaitCause::kBusy] = Millis(30 / static_cast<std::int64_t>(cluster.size()));
    }
    run.totals.capacity = GpuMicros::FromBase(cluster.gpu_milli_total());
    return run;
  };
  const Evaluator evaluator = EvaluateQueue(std::move(question));
  EXPECT_EQ(evaluator(0, 0).classes[0].hits(), (HitCount{0, 1}));
  EXPECT_EQ(evaluator(1, 4).classes[0].hits(), (HitCount{5, 5}));
  EXPECT_EQ(evaluator(1, 0).capacity, 24'000);
}

}  // namespace
}  // namespace plimsoll
