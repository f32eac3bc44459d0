// Published traces (../shared, not part of the repository) against their published counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "ingest/cluster/cluster_reader.h"
#include "ingest/cluster/workload_reader.h"
#include "ingest/whole_file.h"

namespace plimsoll {
namespace {

std::filesystem::path SharedTraces() {
  if (const char* shared = std::getenv("PLIMSOLL_SHARED")) {
    return std::filesystem::path(shared) / "data" / "traces";
  }
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared" / "data" / "traces";
}

class WorkloadTracesSharedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SharedTraces())) {
      GTEST_SKIP() << "no shared data in " << SharedTraces();
    }
  }

  static std::string Text(const std::string& name) {
    const auto text = ReadWholeOrGzip((SharedTraces() / name).string());
    EXPECT_TRUE(text) << text.error().message;
    return text ? *text : "";
  }

  static WorkloadReading Read(const std::string& name, std::string_view throughputs = {}) {
    const std::string text = Text(name);
    WorkloadSource source{name, text};
    source.throughputs = throughputs;
    const auto reading = ReadWorkload(source);
    EXPECT_TRUE(reading) << reading.error().message;
    return reading ? *reading : WorkloadReading();
  }

  static ClusterReading ReadNodes(const std::string& name) {
    const std::string text = Text(name);
    const auto reading = ReadCluster({name, text});
    EXPECT_TRUE(reading) << reading.error().message;
    return reading ? *reading : ClusterReading();
  }
};

std::map<std::int64_t, int> SizesOf(const WorkloadReading& reading) {
  std::map<std::int64_t, int> sizes;
  for (const TrainingJob& job : reading.workload.jobs) ++sizes[GpuMilli(job) / kMilliPerGpu];
  return sizes;
}

// The most GPUs that run at once if nobody waits.
std::int64_t PeakOf(const WorkloadReading& reading, std::uint32_t queue) {
  std::vector<std::pair<Instant, std::int64_t>> steps;
  for (const TrainingJob& job : reading.workload.jobs) {
    if (job.queue != queue) continue;
    const std::int64_t gpus = GpuMilli(job) / kMilliPerGpu;
    steps.emplace_back(job.submitted, gpus);
    steps.emplace_back(job.submitted + job.run, -gpus);
  }
  std::sort(steps.begin(), steps.end());  // of one time ends come before starts
  std::int64_t now = 0, peak = 0;
  for (const auto& [at, gpus] : steps) peak = std::max(peak, now += gpus);
  return peak;
}

TEST_F(WorkloadTracesSharedTest, PhillySubsetIsThePublishedMix) {
  const WorkloadReading reading = Read("philly/philly_jobs_sia.csv");
  EXPECT_EQ(reading.format, "philly-sia");
  EXPECT_TRUE(reading.refused.empty());
  EXPECT_EQ(reading.rows, 82'247);
  auto sizes = SizesOf(reading);
  const std::pair<std::int64_t, int> published[] = {{1, 76'627}, {2, 1'818}, {4, 1'870}, {8, 1'643},
                                                    {16, 199},   {32, 67},   {64, 6},    {128, 3}};
  for (const auto& [gpus, jobs] : published) EXPECT_EQ(sizes[gpus], jobs) << gpus;
  std::vector<Duration> runs;
  double sum = 0;
  for (const TrainingJob& job : reading.workload.jobs) {
    runs.push_back(job.run);
    sum += static_cast<double>(job.run.base()) / 1'000;
  }
  std::sort(runs.begin(), runs.end());
  EXPECT_NEAR(sum / static_cast<double>(runs.size()), 13'136, 1);
  EXPECT_EQ(runs[runs.size() / 2], Seconds(1'144));
}

TEST_F(WorkloadTracesSharedTest, PhillySubsetsPeaksAreThoseOfItsQueues) {
  const WorkloadReading reading = Read("philly/philly_jobs_sia.csv");
  std::map<std::string, std::int64_t> peaks;
  for (std::uint32_t queue = 0; queue < reading.workload.queues.size(); ++queue) {
    peaks[reading.workload.queues[queue]] = PeakOf(reading, queue);
  }
  EXPECT_EQ(peaks["ee9e8c"], 367);
  EXPECT_EQ(peaks["b436b2"], 755);
  EXPECT_EQ(peaks["6214e9"], 596);
  EXPECT_EQ(peaks["7f04ca"], 232);
  EXPECT_EQ(peaks["11cb48"], 266);
}

TEST_F(WorkloadTracesSharedTest, GavelJobsWithAThroughputAreRead) {
  const std::string throughputs = Text("gavel/simulation_throughputs.json.gz");
  std::int64_t jobs = 0, refused = 0;
  for (const char* vc : {"0e4a51", "103959", "11cb48", "2869ce", "6214e9", "6c71a0", "7f04ca",
                         "b436b2", "e13805", "ed69ec", "ee9e8c"}) {
    const WorkloadReading reading =
        Read("gavel/msr_seed0_" + std::string(vc) + ".trace.tsv.gz", throughputs);
    jobs += static_cast<std::int64_t>(reading.workload.jobs.size());
    refused += static_cast<std::int64_t>(reading.refused.size());
  }
  // Counted apart: lines of scale 1, 2, 4, 8 whose type has a throughput there, and the others.
  EXPECT_EQ(jobs, 10'471 + 336 + 1'493 + 1'385);
  EXPECT_EQ(refused, 1'545);
}

TEST_F(WorkloadTracesSharedTest, OtherLogsAreReadWhole) {
  struct Log {
    const char* file;
    const char* format;
    std::size_t jobs;
  };
  const Log logs[] = {{"tiresias/60_job.csv", "tiresias", 60},
                      {"tiresias/tf_job.csv", "tiresias", 2},
                      {"batsim/example_workload_hpc_seed1_jobs250.json", "batsim", 250},
                      {"batsim/test_batsim_paper_workload_seed1.json", "batsim", 800},
                      {"hpc_swf/accasim_workload.swf", "swf", 25},
                      {"hpc_swf/cqsim_test.swf", "swf", 9}};
  for (const Log& log : logs) {
    const WorkloadReading reading = Read(log.file);
    EXPECT_EQ(reading.format, log.format) << log.file;
    EXPECT_EQ(reading.workload.jobs.size(), log.jobs) << log.file;
    EXPECT_TRUE(reading.refused.empty()) << log.file;
  }
}

TEST_F(WorkloadTracesSharedTest, SlurmsLogsAreRead) {
  for (const char* file : {"slurm/sacct_dump2101.log", "slurm/sacct_dump2110.log",
                           "slurm/sacct_submitline_multiline.log"}) {
    const WorkloadReading reading = Read(file);
    EXPECT_EQ(reading.format, "sacct") << file;
    // Constraints, names and submit lines there hold the delimiter and line breaks. The last row
    // of the first file is cut off at its beginning.
    EXPECT_EQ(reading.refused.size(), std::string(file) == "slurm/sacct_dump2101.log" ? 1U : 0U);
    for (const TrainingJob& job : reading.workload.jobs) {
      EXPECT_LE(job.submitted, *job.started) << file;
      EXPECT_EQ(*job.started + job.run, *job.ended) << file;
    }
  }
}

TEST_F(WorkloadTracesSharedTest, ClustersHaveTheirPublishedGpus) {
  EXPECT_EQ(ReadNodes("philly/philly_vc_nodes.csv").facts.gpus(), 352 * 8);
  EXPECT_EQ(ReadNodes("tiresias/n160g8.csv").facts.gpus(), 1'280);
  EXPECT_EQ(ReadNodes("tiresias/n32g4.csv").facts.gpus(), 128);
  EXPECT_EQ(ReadNodes("gavel/cluster_specs_heterogeneous.json").facts.gpus(), 900);
  const ClusterReading helios = ReadNodes("helios/Earth_gpu_number.csv");
  EXPECT_GE(helios.facts.gpus(), 784);
  EXPECT_EQ(helios.facts.tree.levels(), std::vector<std::string>{"vc"});
}

}  // namespace
}  // namespace plimsoll
