// A replay of Microsoft's Philly trace, a part of it (../shared, not part of the repository), one
// virtual cluster after another: somebody waits where the load without any limit has a peak above
// the cluster's GPUs, and nobody where it has not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>

#include "capacity/queue/queue_simulation.h"

namespace plimsoll {
namespace {

std::filesystem::path PhillyData() {
  const char* named = std::getenv("PLIMSOLL_SHARED");
  const char* root = std::getenv("PLIMSOLL_ROOT");
  const std::filesystem::path shared =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  return shared / "data" / "traces" / "philly" / "philly_jobs_sia.csv";
}

std::map<std::string, TrainingWorkload> ReadJobs() {
  std::map<std::string, TrainingWorkload> by_cluster;
  std::ifstream in(PhillyData());
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string at, duration, gpus, gpu_time, cluster;
    std::getline(fields, at, ',');
    std::getline(fields, duration, ',');
    std::getline(fields, gpus, ',');
    std::getline(fields, gpu_time, ',');
    std::getline(fields, cluster, ',');
    while (!cluster.empty() && cluster.back() == '\r') cluster.pop_back();
    const auto submitted = ParseInstant(at);
    if (!submitted.has_value()) continue;
    TrainingJob job;
    job.submitted = *submitted;
    job.run = Millis(static_cast<std::int64_t>(std::stod(duration) * 1'000));
    const std::int32_t count = std::stoi(gpus);
    job.shape.gpus = count <= 8 ? count : std::gcd(count, 8);
    job.pods = job.pods_min = count / job.shape.gpus;
    by_cluster[cluster].jobs.push_back(job);
  }
  for (auto& [cluster, workload] : by_cluster) {
    workload.queues = {cluster};
    std::ranges::stable_sort(workload.jobs, {}, &TrainingJob::submitted);
  }
  return by_cluster;
}

// The most GPUs that would be held if everybody started at once.
std::int64_t PeakWithoutLimit(const TrainingWorkload& workload) {
  std::map<Instant, std::int64_t> changes;
  for (const TrainingJob& job : workload.jobs) {
    const std::int64_t gpus = std::int64_t{job.pods} * job.shape.gpus;
    changes[job.submitted] += gpus;
    changes[job.submitted + job.run] -= gpus;
  }
  std::int64_t held = 0, peak = 0;
  for (const auto& [at, change] : changes) peak = std::max(peak, held += change);
  return peak;
}

struct Golden {
  const char* cluster;
  std::int32_t nodes;
  std::int64_t peak;
};

TEST(PhillyReplaySharedTest, SomebodyWaitsWhereTheLoadPeaksAboveTheCluster) {
  if (!std::filesystem::exists(PhillyData())) GTEST_SKIP() << "no shared data: " << PhillyData();
  const auto jobs = ReadJobs();
  QueueOptions options;
  options.order = QueueOrder::kSubmitted;
  options.discipline = QueueDiscipline::kStrict;
  for (const Golden& golden :
       {Golden{"ee9e8c", 64, 367}, Golden{"b436b2", 64, 755}, Golden{"6214e9", 64, 596},
        Golden{"7f04ca", 32, 232}, Golden{"11cb48", 16, 266}}) {
    SCOPED_TRACE(golden.cluster);
    std::vector<NodeSpec> nodes;
    for (std::int32_t i = 0; i < golden.nodes; ++i) {
      nodes.push_back({"n" + std::to_string(i), 0, 0, 0, 8, {}});
    }
    const TrainingWorkload& workload = jobs.at(golden.cluster);
    EXPECT_EQ(PeakWithoutLimit(workload), golden.peak);
    const Cluster cluster({"P100"}, DomainTree(), nodes);
    ASSERT_TRUE(CheckQueueInput(cluster, workload, options).has_value());
    const QueueOutcome outcome = SimulateQueue(cluster, workload, options, {});
    WaitSplit waited;
    for (const JobOutcome& job : outcome.jobs) {
      EXPECT_EQ(job.state, JobState::kDone);
      for (std::size_t i = 0; i < kWaitCauses; ++i) {
        waited.by_cause[i] += job.first_wait.by_cause[i];
      }
    }
    EXPECT_EQ(waited.total() > Duration(), golden.peak > 8 * golden.nodes);
    EXPECT_EQ(waited.total().base(), outcome.totals.waiting_ms);
  }
}

}  // namespace
}  // namespace plimsoll
