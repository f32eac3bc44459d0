// Real and constructed Slurm files (../shared, not part of the repository), against figures
// computed from them by another program: per job, AllocTRES GPUs and Elapsed seconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ingest/slurm/slurm_text.h"
#include "ingest/slurm/tres.h"

namespace plimsoll {
namespace {

std::filesystem::path SharedSlurm() {
  if (const char* shared = std::getenv("PLIMSOLL_SHARED")) {
    return std::filesystem::path(shared) / "data" / "slurm";
  }
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared" / "data" / "slurm";
}

class SlurmSharedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SharedSlurm())) {
      GTEST_SKIP() << "no shared data in " << SharedSlurm();
    }
  }

  SlurmReading Read(const std::string& name, const std::string& zone = "") {
    SlurmReading reading;
    std::ifstream in(SharedSlurm() / name, std::ios::binary);
    const auto clock = SlurmClock::Open(zone);
    const Status status = ReadSlurmText(in, *clock, {.file = name, .cluster = "hpc"}, reading);
    EXPECT_TRUE(status) << status.error().message;
    return reading;
  }
};

// GPU-seconds by job; a run without an end counts up to `as_of`.
std::map<std::string, std::int64_t> GpuSeconds(const HoldingBatch& held, Instant as_of) {
  std::map<std::string, std::int64_t> seconds;
  for (std::size_t i = 0; i < RowsOf(held); ++i) {
    const Instant until = held.until[i].value_or(as_of);
    seconds[held.name[i]] += held.devices[i] * Between(held.begin[i], until).base() / 1'000;
  }
  return seconds;
}

TEST_F(SlurmSharedTest, RealGpuJobsHoldAllocatedGpusForElapsed) {
  const SlurmReading reading = Read("hb_jobinfo/sacct_gpu_jobs_real.psv");
  EXPECT_TRUE(reading.rejections.empty());
  EXPECT_EQ(reading.jobs.jobs, 11);
  EXPECT_EQ(reading.jobs.steps, 19);
  EXPECT_EQ(reading.jobs.duplicates, 0);
  EXPECT_EQ(reading.jobs.elapsed_differs, 0);
  const FleetFacts& facts = reading.jobs.by_cluster.at("hpc");
  const Instant as_of = reading.jobs.as_of.at("hpc");
  EXPECT_EQ(as_of, *ParseInstant("2024-04-19T13:11:52Z"));
  // 8298012 and 8202099 run: held for their Elapsed, though printed a second apart.
  const std::map<std::string, std::int64_t> expected = {
      {"7965768", 55'702},  {"7946767", 41'003}, {"7939708", 4},
      {"8150389", 497'912}, {"8298012", 23'643}, {"8202099", 137'879},
      {"8069225", 31'549},  {"7971484", 932},    {"7961058", 4'830}};
  EXPECT_EQ(GpuSeconds(facts.holdings, as_of), expected);
  EXPECT_EQ(facts.pending.name, (std::vector<std::string>{"8323312", "8326038"}));
  EXPECT_EQ(facts.pending.devices, (std::vector<std::int64_t>{1, 1}));
}

TEST_F(SlurmSharedTest, RealJobOnTwoNodesIsARowANode) {
  const SlurmReading reading = Read("hb_jobinfo/sacct_gpu_jobs_real.psv");
  const HoldingBatch& held = reading.jobs.by_cluster.at("hpc").holdings;
  std::map<std::string, std::int64_t> devices;
  for (std::size_t i = 0; i < RowsOf(held); ++i) {
    if (held.name[i] == "7971484") devices[held.node[i]] = held.devices[i];
  }
  EXPECT_EQ(devices, (std::map<std::string, std::int64_t>{{"a100gpu2", 2}, {"a100gpu4", 2}}));
}

TEST_F(SlurmSharedTest, EdgeCasesHoldAllocatedGpusForElapsed) {
  const SlurmReading reading = Read("constructed/sacct_P_edge_cases.psv");
  EXPECT_TRUE(reading.rejections.empty());
  EXPECT_EQ(reading.jobs.jobs, 12);
  EXPECT_EQ(reading.jobs.steps, 1);
  EXPECT_EQ(reading.jobs.elapsed_differs, 1) << "900012, in UTC";
  const FleetFacts& facts = reading.jobs.by_cluster.at("hpc");
  const std::map<std::string, std::int64_t> expected = {
      {"900001", 1'440'000}, {"900002", 7'200},   {"900003", 604'790},
      {"900005", 57'600},    {"900006_1", 1'800}, {"900010+0", 14'400},
      {"900010+1", 0},       {"900012", 3'600},   {"900013", 14'400}};
  // 900003 ran until 2026-01-12T09:00:00; 900012 is what makes the data later than that.
  auto seconds = GpuSeconds(facts.holdings, *ParseInstant("2026-01-12T09:00:00Z"));
  EXPECT_EQ(seconds, expected);
  const std::set<std::string> uids(facts.holdings.uid.begin(), facts.holdings.uid.end());
  EXPECT_TRUE(uids.contains("900005@2026-01-05T10:00:05Z"));
  EXPECT_TRUE(uids.contains("900005@2026-01-05T11:10:00Z"));
  EXPECT_EQ(facts.pending.devices, (std::vector<std::int64_t>{64, 7}));
  const auto mig = std::find(facts.holdings.name.begin(), facts.holdings.name.end(), "900013");
  const auto row = static_cast<std::size_t>(mig - facts.holdings.name.begin());
  EXPECT_EQ(facts.holdings.device_kind[row], "mig-1g.10gb");
  const auto pipes = std::find(facts.holdings.name.begin(), facts.holdings.name.end(), "900001");
  EXPECT_EQ(facts.holdings.workload[static_cast<std::size_t>(pipes - facts.holdings.name.begin())],
            "train|with|pipes");
}

TEST_F(SlurmSharedTest, SpringForwardAgreesWithElapsedInItsOwnZone) {
  EXPECT_EQ(Read("constructed/sacct_P_edge_cases.psv", "Europe/Berlin").jobs.elapsed_differs, 0);
}

TEST_F(SlurmSharedTest, EveryTresCaseCountsItsGpus) {
  std::ifstream in(SharedSlurm() / "constructed" / "tres_gpu_count_cases.json");
  const auto cases = nlohmann::json::parse(in);
  for (const auto& one : cases["cases"]) {
    const auto tres = ParseTres(one[0].get<std::string>());
    ASSERT_TRUE(tres) << one[0];
    EXPECT_EQ(tres->gpus, one[1].get<std::int64_t>()) << one[0];
  }
  EXPECT_EQ(cases["cases"].size(), 19U);
}

TEST_F(SlurmSharedTest, RealNodesHaveTheirGpus) {
  const SlurmReading reading = Read("hb_jobinfo/scontrol_show_nodes.txt");
  EXPECT_TRUE(reading.rejections.empty());
  EXPECT_EQ(RowsOf(reading.nodes), 183U);
  std::int64_t gpus = 0;
  for (const std::int64_t count : reading.nodes.gpu_count) gpus += count;
  EXPECT_EQ(gpus, 58);
  EXPECT_EQ(reading.nodes.gpu_model[0], "a100");
  EXPECT_EQ(reading.nodes.cpu_milli[0], 64'000);
}

}  // namespace
}  // namespace plimsoll
