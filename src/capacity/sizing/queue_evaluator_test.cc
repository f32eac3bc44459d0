#include "capacity/sizing/queue_evaluator.h"

#include <gtest/gtest.h>

#include <utility>

#include "capacity/sizing/queue_formula.h"
#include "capacity/sizing/share_estimate.h"
#include "sim/distributions.h"

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

// Poisson arrivals of one-GPU jobs with exponential run times: M/M/c through the whole machine.
TrainingWorkload PoissonJobs(std::uint64_t replication, double load) {
  constexpr double kRun = 3'600'000;
  RandomStream arrivals(3, "arrivals", replication), runs(3, "runs", replication);
  TrainingWorkload workload;
  workload.queues = {""};
  double at = 0;
  for (int i = 0; i < 1'500; ++i) {
    at += DrawExponential(arrivals, kRun / load);
    TrainingJob job;
    job.submitted = AtMillis(static_cast<std::int64_t>(at));
    job.run = Millis(static_cast<std::int64_t>(DrawExponential(runs, kRun)) + 1);
    job.shape.gpus = 1;
    workload.jobs.push_back(job);
  }
  return workload;
}

TEST(QueueEvaluatorTest, TheSimulatorOfTheClusterAgreesWithTheClosedForm) {
  QueueQuestion question;
  question.targets.classes.resize(1);
  question.targets.classes[0].within = Hours(1);
  question.targets.gangs.resize(1);
  question.targets.gangs[0].job.shape.gpus = 1;
  question.targets.gangs[0].within = Hours(1);
  SimulatedFleet fleet{Nodes(1), {}};
  fleet.options.warm_up = Hours(30);
  fleet.options.probes = ProbesOf(question.targets, 40);
  question.fleets = {std::move(fleet)};
  question.workload = [](std::size_t, std::uint64_t replication) {
    return PoissonJobs(replication, 6.4);
  };
  question.simulate = SimulateQueue;
  const Evaluator evaluator = EvaluateQueue(std::move(question));
  std::vector<HitCount> jobs, probes;
  for (std::int64_t r = 0; r < 40; ++r) {
    const ReplicationOutcome outcome = evaluator(0, r);
    jobs.push_back(outcome.classes[0].hits());
    probes.push_back(outcome.gangs[0].hits());
  }
  const double exact = 1 - WaitBeyondOfMmc(8, 6.4, 1);
  const ShareEstimate of_jobs = EstimateShare(jobs, 0.99), of_probes = EstimateShare(probes, 0.99);
  EXPECT_LE(of_jobs.interval.low, exact);
  EXPECT_GE(of_jobs.interval.high, exact);
  // Poisson arrivals see time averages, and so do Poisson probes.
  EXPECT_LE(of_probes.interval.low, exact);
  EXPECT_GE(of_probes.interval.high, exact);
  EXPECT_LT(of_probes.effective, static_cast<double>(of_probes.count));
}

}  // namespace
}  // namespace plimsoll
