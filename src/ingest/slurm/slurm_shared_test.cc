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

#include "ingest/slurm/billing.h"
#include "ingest/slurm/slurm_text.h"
#include "ingest/slurm/sreport.h"
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
    ApplyStepUse(reading.jobs);
    return reading;
  }

  // Why the file is refused; "" if it is read.
  std::string RefusalOf(const std::string& name) {
    SlurmReading reading;
    std::ifstream in(SharedSlurm() / name, std::ios::binary);
    const auto clock = SlurmClock::Open("");
    const Status status = ReadSlurmText(in, *clock, {.file = name, .cluster = "hpc"}, reading);
    return status ? "" : status.error().message;
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

TEST_F(SlurmSharedTest, RealStepsTellTheUseOfTheirGpus) {
  const SlurmReading reading = Read("hb_jobinfo/sacct_gpu_jobs_real.psv");
  const HoldingBatch& held = reading.jobs.by_cluster.at("hpc").holdings;
  std::map<std::string, std::optional<std::int64_t>> used;
  for (std::size_t i = 0; i < RowsOf(held); ++i) used[held.name[i]] = held.used_ppm[i];
  // gres/gpuutil=90 of .batch for 55,703 s on 1 GPU, over 55,702 s that the job held it.
  EXPECT_EQ(used.at("7965768"), 900'016);
  EXPECT_EQ(used.at("7946767"), 540'000);
  EXPECT_EQ(used.at("8298012"), std::nullopt) << "still runs: its steps tell nothing yet";
}

TEST_F(SlurmSharedTest, JsonOfOldAndNewSlurmHoldsWhatItsTextTwinHolds) {
  const SlurmReading text = Read("constructed/sacct_P_edge_cases.psv");
  const auto wanted =
      GpuSeconds(text.jobs.by_cluster.at("hpc").holdings, *ParseInstant("2026-01-12T09:00:00Z"));
  const SlurmReading old = Read("constructed/sacct_json_21.08_plain_scalars.json");
  const SlurmReading wrapped = Read("constructed/sacct_json_25.11.json");
  for (const SlurmReading* reading : {&old, &wrapped}) {
    EXPECT_TRUE(reading->rejections.empty());
    const FleetFacts& facts = reading->jobs.by_cluster.at("hpc");
    const auto seconds = GpuSeconds(facts.holdings, *ParseInstant("2026-01-12T09:00:00Z"));
    for (const auto& [job, of_job] : seconds) EXPECT_EQ(of_job, wanted.at(job)) << job;
    EXPECT_EQ(seconds.at("900001"), 1'440'000);
    EXPECT_EQ(facts.holdings.used_ppm[0], 970'000) << "97 % of 16 GPUs for all of its time";
  }
  EXPECT_EQ(old.jobs.jobs, 2);
  EXPECT_EQ(wrapped.jobs.jobs, 5);
  const FleetFacts& facts = wrapped.jobs.by_cluster.at("hpc");
  EXPECT_EQ(facts.pending.name, std::vector<std::string>{"900004"});
  EXPECT_EQ(facts.pending.unit_devices, std::vector<std::int64_t>{8});
  const auto failed = std::find(facts.holdings.name.begin(), facts.holdings.name.end(), "900006_1");
  ASSERT_NE(failed, facts.holdings.name.end());
  EXPECT_EQ(
      facts.holdings.end_reason[static_cast<std::size_t>(failed - facts.holdings.name.begin())],
      "NodeLost");
}

TEST_F(SlurmSharedTest, EveryBillingCaseButTheDocumentationsSlip) {
  std::ifstream in(SharedSlurm() / "constructed" / "billing_weights_cases.json");
  const auto cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases["cases"].size(), 8U);
  for (const auto& one : cases["cases"]) {
    const std::string flags = one[2].get<std::string>();
    const auto billing =
        BillingOf(one[1].get<std::string>(), one[0].get<std::string>(), BillingRuleOf(flags));
    ASSERT_TRUE(billing) << one;
    // Slurm's page writes (1*2.0) + MAX(1*1.0, 8*0.25) + (0*1.5) = 3.0, which is 4.0.
    const bool slip = flags == "MAX_TRES_GRES" && one[1] == "cpu=1,mem=8G,gres/gpu=1";
    EXPECT_EQ(*billing, slip ? 4 : one[3].get<std::int64_t>()) << one;
  }
}

TEST_F(SlurmSharedTest, SreportSamplesAreTotalsAndNoFacts) {
  EXPECT_NE(RefusalOf("constructed/sreport_samples.txt").find("sreport"), std::string::npos);
  std::ifstream in(SharedSlurm() / "constructed" / "sreport_samples.txt");
  std::vector<std::string> parts(1);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("$")) parts.emplace_back();
    parts.back() += line + "\n";
  }
  ASSERT_EQ(parts.size(), 4U);
  const auto table = ParseSreport(parts[1], "");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->unit, "Minutes");
  EXPECT_EQ(table->rows[0].values.at("PlannedDown"), "239");
  EXPECT_EQ(table->rows[0].values.at("Idle"), "3791");
  EXPECT_EQ(table->rows[0].values.at("Planned"), "239");
  const auto gpus =
      ParseSreport(parts[2], "Cluster,TresName,Allocated,Down,PlannedDown,Idle,Planned,Reported");
  ASSERT_TRUE(gpus) << gpus.error().message;
  EXPECT_EQ(gpus->rows[0].values.at("Allocated"), "9100");
  EXPECT_EQ(gpus->rows[0].values.at("Planned"), "1336");
  const auto users = ParseSreport(parts[3], "Cluster,Account,Login,TresName,Used");
  ASSERT_TRUE(users) << users.error().message;
  std::int64_t sum = 0;
  for (const SreportRow& row : users->rows) {
    if (!row.login.empty()) sum += std::stoll(row.values.at("Used"));
  }
  EXPECT_EQ(sum, 9'100) << "the users' rows alone are the cluster's";
}

TEST_F(SlurmSharedTest, OutputOfOtherCommandsIsReadOrRefusedWithWhatToRun) {
  EXPECT_NE(RefusalOf("rivosinc/squeue_out.json").find("sacct --json"), std::string::npos);
  for (const char* name :
       {"rivosinc/squeue_fallback.txt", "rivosinc/sinfo_fallback.txt", "rivosinc/sacctmgr.txt",
        "constructed/billing_weights_cases.json", "constructed/tres_gpu_count_cases.json"}) {
    const std::string refusal = RefusalOf(name);
    EXPECT_NE(refusal.find("sacct --json"), std::string::npos) << name << ": " << refusal;
  }
  EXPECT_NE(RefusalOf("hb_jobinfo/README_source_fields.md").find("docs/formats/slurm.md"),
            std::string::npos);
  // The nodes of sinfo 21.08 are those of scontrol.
  const SlurmReading nodes = Read("rivosinc/sinfo_out.json");
  EXPECT_TRUE(nodes.rejections.empty());
  std::ifstream in(SharedSlurm() / "rivosinc" / "sinfo_out.json");
  const auto document = nlohmann::json::parse(in);
  EXPECT_EQ(RowsOf(nodes.nodes.rows), document["nodes"].size());
  EXPECT_EQ(nodes.nodes.sightings.size(), document["nodes"].size());
}

TEST_F(SlurmSharedTest, RealNodesHaveTheirGpus) {
  const SlurmReading reading = Read("hb_jobinfo/scontrol_show_nodes.txt");
  EXPECT_TRUE(reading.rejections.empty());
  EXPECT_EQ(RowsOf(reading.nodes.rows), 183U);
  std::int64_t gpus = 0;
  for (const std::int64_t count : reading.nodes.rows.gpu_count) gpus += count;
  EXPECT_EQ(gpus, 58);
  EXPECT_EQ(reading.nodes.rows.gpu_model[0], "a100");
  EXPECT_EQ(reading.nodes.rows.cpu_milli[0], 64'000);
}

}  // namespace
}  // namespace plimsoll
