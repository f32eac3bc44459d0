#include "capacity/queue/placer_chooser.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;
using queue_fixture::JobOf;
using queue_fixture::WorkloadOf;

TEST(PlacerChooserTest, EachPolicyRunsAQueueAndAProbeGoesItsOwnWay) {
  const Cluster cluster = ClusterOf({8, 8, 4, 4});
  std::vector<queue_fixture::JobSpec> specs;
  for (int i = 0; i < 60; ++i) specs.push_back({i, 1 + i % 2, 1 + i % 4, 10 + i % 7});
  const TrainingWorkload workload = WorkloadOf(specs);
  for (const auto policy : {PlacementPolicy::kRandom, PlacementPolicy::kDotProduct,
                            PlacementPolicy::kPacking, PlacementPolicy::kBestFit}) {
    PlacerOptions placer;
    placer.policy = policy;
    placer.seed = 5;
    QueueOptions options;
    options.node_chooser = std::make_shared<PlacerChooser>(cluster, placer);
    const QueueOutcome plain = SimulateQueue(cluster, workload, options, {});
    for (const JobOutcome& job : plain.jobs) EXPECT_EQ(job.state, JobState::kDone);
    ProbeSpec probe;
    probe.job = JobOf({0, 1, 8, 5});
    probe.epochs = 10;
    options.probes = {probe};
    const QueueOutcome asked = SimulateQueue(cluster, workload, options, {});
    EXPECT_EQ(asked.jobs, plain.jobs);
    EXPECT_EQ(asked.fingerprint, plain.fingerprint);
  }
}

}  // namespace
}  // namespace plimsoll
