#include "cli/unit_week.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

constexpr const char* kJobs =
    "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|"
    "AllocTRES|NodeList|JobName\n"
    "7|7|hpc|bio|ann|2026-11-15T12:00:00|2026-11-15T12:00:00|2026-11-16T12:00:00|COMPLETED|"
    "1|4|8G|cpu=4,mem=8G,node=1,gres/gpu=8|n1|train\n";
constexpr const char* kConfig =
    "prices:\n  - {provider: on-prem, instance_type: n1, amount: 40}\n"
    "unit_alerts: {band_percent: 50, weeks: 2}\n"
    "services:\n"
    "  - {name: chat, slo: {ttft: 500ms}, gpus: 1, gpu_price: 2.00}\n";

// A run over the turn of two weeks: four steps of six hours each, a million samples a step.
std::string Log() {
  std::string text;
  const char* kTimes[] = {"15T12", "15T18", "16T00", "16T06", "16T12"};
  for (int i = 0; i < 5; ++i) {
    text += R"({"format":"plimsoll-run/1","run":"a","experiment":"lm","gpus":8,"job":"7",)"
            R"("cluster":"hpc","at":"2026-11-)" +
            std::string(kTimes[i]) + ":00:00Z\",\"kind\":\"" + (i == 0 ? "start" : "step") +
            R"(","step":)" + std::to_string(i) + R"(,"samples":1000000})" + "\n";
  }
  return text;
}

std::string Requests() {
  std::string text = "request,arrival,model,ttft_ms,e2e_ms,input_tokens,output_tokens,status\n";
  for (const char* day : {"2026-11-10", "2026-11-17"}) {
    const bool is_late = std::string(day) == "2026-11-17";
    for (int i = 0; i < 4; ++i) {
      text += std::string(day) + std::to_string(i) + "," + day + "T10:00:00Z,llama," +
              (is_late && i < 3 ? "900" : "100") + ",1000,10,1000000,ok\n";
    }
  }
  return text;
}

class UnitWeekTest : public testing::Test {
 protected:
  UnitWeekTest() : io_("unit-week") {
    io_.Write("jobs.psv", kJobs);
    io_.Write("nodes.txt",
              "NodeName=n1 Arch=x86_64 CoresPerSocket=8 \n"
              "   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.00\n   Gres=gpu:a100:8\n"
              "   NodeAddr=n1 NodeHostName=n1 Version=24.11.5\n"
              "   RealMemory=65536 AllocMem=0 FreeMem=65536 Sockets=2 Boards=1\n"
              "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n   Partitions=gpu \n"
              "   BootTime=2026-10-31T20:51:00 SlurmdStartTime=2026-10-31T20:51:00\n");
    io_.Write("plimsoll.yaml", kConfig);
    io_.Write("a.jsonl", Log());
    io_.Write("requests.csv", Requests());
  }
  Json Report(const std::string& window) {
    const Ran ran =
        io_.Run({"report", "weekly", "--db", "f.duckdb", "--window", window, "--format", "json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }
  void Load(const std::vector<std::string>& what) {
    std::vector<std::string> args{"ingest"};
    args.insert(args.end(), what.begin(), what.end());
    args.insert(args.end(), {"--db", "f.duckdb"});
    const Ran ran = io_.Run(args);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  void LoadAll() {
    Load({"slurm", "jobs.psv", "nodes.txt", "--cluster", "hpc"});
    Load({"runs", "a.jsonl"});
    Load({"requests", "requests.csv", "--service", "chat"});
  }
  static Json Section(const Json& report, const std::string& key) {
    return report.value(Json::json_pointer("/dimensions/" + key), Json::object());
  }
  static Json Fact(const Json& section, const std::string& key) {
    return section.value(Json::json_pointer("/facts/" + key + "/value"), Json());
  }

  TestIo io_;
};

TEST_F(UnitWeekTest, ARunOverTheTurnOfTheWeekHasItsPartInEach) {
  LoadAll();
  const Json now = Section(Report("2026-11-16..2026-11-23"), "training");
  // Of 24 hours of eight GPUs, half lie in this week; so do two of the four steps.
  EXPECT_EQ(Fact(now, "gpu_hours_effective"), "96.000000000") << now.dump(1);
  const Json before = Section(Report("2026-11-09..2026-11-16"), "training");
  EXPECT_EQ(Fact(before, "gpu_hours_effective"), "96.000000000");
  const Json unit = Fact(now, "cost_per_million_samples");
  EXPECT_FALSE(unit.is_null());
  EXPECT_EQ(unit, Fact(before, "cost_per_million_samples"));
}

// The job's record goes back to the turn of the week only: what came before has no cost lines, and
// takes nothing of those there are.
TEST_F(UnitWeekTest, AWeekCostsWhatItsOwnLinesSay) {
  std::string jobs = kJobs;
  const std::string start = "2026-11-15T12:00:00|2026-11-16T12:00:00";
  jobs.replace(jobs.find(start), start.size(), "2026-11-16T00:00:00|2026-11-16T12:00:00");
  io_.Write("jobs.psv", jobs);
  LoadAll();
  const Json now = Section(Report("2026-11-16..2026-11-23"), "training");
  const Json runs = now["tables"]["run_economics"];
  ASSERT_EQ(runs.size(), 1U) << now.dump(1);
  EXPECT_EQ(runs[0]["gpu_hours"], "96.000000000");
  const Ran lines =
      io_.Run({"allocate", "--db", "f.duckdb", "--window", "2026-11-16..2026-11-23", "--by",
               "workload", "--filter", "workload:\"train\"", "--format", "json"});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_EQ(runs[0]["cost"], Json::parse(lines.out)[0]["cost"]);
  EXPECT_FALSE(now["tables"].contains("trend_million_samples")) << now.dump(1);
}

TEST_F(UnitWeekTest, ExperimentsAndFactorsAreInTheReport) {
  io_.Write("plimsoll.yaml",
            std::string(kConfig) + "targets:\n  - {experiment: lm, metric: loss, at_most: 2}\n");
  LoadAll();
  const Json report = Report("2026-11-16..2026-11-23");
  const Json experiments = Section(report, "training")["tables"]["experiments"];
  ASSERT_EQ(experiments.size(), 1U);
  EXPECT_EQ(experiments[0]["experiment"], "lm");
  EXPECT_EQ(experiments[0]["target"], "loss<=2");
  EXPECT_EQ(experiments[0]["runs"], 1);
  EXPECT_EQ(experiments[0]["reached"], 0);
  const Json factors = Section(report, "inference")["tables"]["service_factors"];
  ASSERT_EQ(factors.size(), 1U);
  EXPECT_EQ(factors[0]["slo"], "4.0000");  // one of four million tokens was good
}

TEST_F(UnitWeekTest, AServiceWhoseRequestsMissTheirSloIsAnAlert) {
  LoadAll();
  const Json report = Report("2026-11-16..2026-11-23");
  const Json inference = Section(report, "inference");
  // A GPU for a week is 336.00: once for four million good tokens, then for one.
  EXPECT_EQ(Fact(inference, "cost_per_million_tokens"), "336.000000000") << inference.dump(1);
  EXPECT_NE(report["summary"].dump().find("moved by +300.0 %"), std::string::npos)
      << report["summary"].dump(1);
}

TEST_F(UnitWeekTest, WithoutRunsAndRequestsTheReportSaysWhatToConnect) {
  Load({"slurm", "jobs.psv", "nodes.txt", "--cluster", "hpc"});
  const Json report = Report("2026-11-16..2026-11-23");
  EXPECT_FALSE(Section(report, "training")["connect"].empty());
  EXPECT_FALSE(Section(report, "inference")["connect"].empty());
}

}  // namespace
}  // namespace plimsoll
