#include "cli/training_runs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// 8 GPUs: 10 minutes of start-up, steps of 10 minutes, a checkpoint after the second, a failure
// in the fourth; again from step 2 after 20 minutes, to step 4.
std::string Log(const std::string& run, const char* head = R"("gpus":8)", double loss = 2.4) {
  std::string text;
  const auto line = [&](const char* attempt, const char* at, const std::string& rest) {
    text += R"({"run":")" + run + R"(","attempt":)" + attempt + R"(,"at":"2026-11-16T)" + at +
            R"(:00Z",)" + rest + "}\n";
  };
  const std::string more = R"(,"samples":250000,"tokens":1000000)";
  line("0", "00:00",
       R"("format":"plimsoll-run/1","kind":"start","experiment":"lm",)" + std::string(head));
  line("0", "00:20", R"("kind":"step","step":1)" + more);
  line("0", "00:30", R"("kind":"step","step":2)" + more);
  line("0", "00:30", R"("kind":"checkpoint_end","step":2)");
  line("0", "00:40", R"("kind":"step","step":3)" + more);
  line("0", "00:45", R"("kind":"failure","reason":"XID 79")");
  line("1", "01:00", R"("kind":"start",)" + std::string(head));
  line("1", "01:20", R"("kind":"resume","step":2)");
  line("1", "01:30", R"("kind":"step","step":3)" + more);
  line("1", "01:40", R"("kind":"step","step":4)" + more);
  line("1", "01:40", R"("kind":"metric","step":4,"name":"loss","value":)" + std::to_string(loss));
  line("1", "01:45", R"("kind":"stop","reason":"completed")");
  return text;
}

class TrainingRunsTest : public testing::Test {
 protected:
  TrainingRunsTest() : io_("unit-training") {}

  Json Training(std::vector<std::string> args) {
    args.insert(args.begin(), {"unit", "training"});
    args.insert(args.end(), {"--format", "json"});
    const Ran ran = io_.Run(args);
    EXPECT_EQ(ran.code, 0) << ran.err;
    err_ = ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }

  // Job 7 of eight GPUs at 40 an hour, from `start` to 2:00, and the logs that are given.
  void Load(const std::string& start, const std::vector<std::string>& logs) {
    io_.Write(
        "jobs.psv",
        "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|"
        "AllocTRES|NodeList|JobName\n"
        "7|7|hpc|bio|ann|2026-11-16T" +
            start + "|2026-11-16T" + start +
            "|2026-11-16T02:00:00|COMPLETED|1|4|8G|cpu=4,mem=8G,node=1,gres/gpu=8|n1|train\n");
    io_.Write("nodes.txt",
              "NodeName=n1 Arch=x86_64 CoresPerSocket=8 \n"
              "   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.00\n   Gres=gpu:a100:8\n"
              "   NodeAddr=n1 NodeHostName=n1 Version=24.11.5\n"
              "   RealMemory=65536 AllocMem=0 FreeMem=65536 Sockets=2 Boards=1\n"
              "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n   Partitions=gpu \n"
              "   BootTime=2026-10-31T20:51:00 SlurmdStartTime=2026-10-31T20:51:00\n");
    io_.Write("prices.yaml",
              "provider: on-prem\ncurrency: USD\nprices:\n  - {instance_type: n1, amount: 40}\n");
    for (const char* source : {"slurm:hpc=jobs.psv", "slurm:hpc=nodes.txt", "prices=prices.yaml"}) {
      std::string kind = source, file = kind.substr(kind.find('=') + 1);
      kind = kind.substr(0, kind.find_first_of(":="));
      std::vector<std::string> args{"ingest", kind, file, "--db", "f.duckdb"};
      if (kind == "slurm") args.insert(args.end(), {"--cluster", "hpc"});
      const Ran ran = io_.Run(args);
      ASSERT_EQ(ran.code, 0) << ran.err;
    }
    std::vector<std::string> args{"ingest", "runs", "--db", "f.duckdb"};
    args.insert(args.end(), logs.begin(), logs.end());
    const Ran ran = io_.Run(args);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }

  TestIo io_;
  std::string err_;
};

TEST_F(TrainingRunsTest, AFileAndAPriceGiveEveryFigure) {
  io_.Write("a.jsonl", Log("a"));
  const Json answer = Training({"--runs", "a.jsonl", "--gpu-price", "3", "--target", "loss<=2.5"});
  ASSERT_EQ(answer["runs"].size(), 1U);
  const Json run = answer["runs"][0];
  EXPECT_EQ(run["gpu_hours_allocated"], "12.000000000");  // 8 x 45 and 8 x 45 minutes
  EXPECT_EQ(run["gpu_hours_effective"], "5.333333333");   // four steps
  EXPECT_EQ(run["losses"]["startup"], "1.333333333");
  EXPECT_EQ(run["losses"]["recomputation"], "2.000000000");
  EXPECT_EQ(run["losses"]["restart"], "2.666666667");
  EXPECT_EQ(run["losses"]["unknown"], "0.666666667");
  EXPECT_EQ(run["losses"].size(), 7U);
  EXPECT_EQ(run["failures"], 1);
  EXPECT_EQ(run["cost"], "36.000000000");
  EXPECT_EQ(run["failure_loss"], "14.000000000");  // 8 x (15 + 20) minutes
  EXPECT_EQ(run["cost_per_million_samples"], "36.000000000");
  EXPECT_EQ(run["cost_per_billion_tokens"], "9000.000000000");
  EXPECT_EQ(run["samples"], 1'000'000);
  EXPECT_EQ(run["samples_repeated"], 250'000);
  EXPECT_EQ(run["cost_to_target"], "34.000000000");  // the last 5 minutes were after it
  EXPECT_EQ(run["quality"], 2.4);
  EXPECT_EQ(run["rank"], 1);
  EXPECT_EQ(run["pareto"], "front");
  EXPECT_EQ(run["ettr"], 0.444444444);
  EXPECT_NEAR(run["ettr_expected"].get<double>(), 0.4945, 0.0005);
  EXPECT_EQ(answer["failures"][0]["reason"], "XID 79");
  EXPECT_EQ(answer["failures"][0]["loss"], "14.000000000");
}

TEST_F(TrainingRunsTest, WithoutAPriceOrGpusFiguresAreNullNotZero) {
  io_.Write("a.jsonl", Log("a"));
  io_.Write("b.jsonl", Log("b", R"("name":"b")"));
  const Json runs = Training({"--runs", "a.jsonl", "--runs", "b.jsonl"})["runs"];
  EXPECT_TRUE(runs[0]["cost"].is_null());
  EXPECT_TRUE(runs[0]["cost_per_million_samples"].is_null());
  EXPECT_EQ(runs[0]["gpu_hours_allocated"], "12.000000000");
  EXPECT_TRUE(runs[1]["gpu_hours_allocated"].is_null());
  EXPECT_EQ(runs[1]["marks"], Json::array({"no_gpus"}));
  const Json told = Training({"b.jsonl", "--gpus", "4", "--gpu-price", "3"})["runs"];
  EXPECT_EQ(told[0]["cost"], "18.000000000");
}

TEST_F(TrainingRunsTest, RunsAreRankedAtTheTargetOfTheirExperiment) {
  io_.Write("plimsoll.yaml",
            "targets:\n  - {experiment: lm, metric: loss, at_most: 2.5}\n"
            "  - {metric: loss, at_most: 0.1}\n");
  io_.Write("a.jsonl", Log("a", R"("gpus":8)", 2.4));
  io_.Write("b.jsonl", Log("b", R"("gpus":4)", 2.5));
  io_.Write("c.jsonl", Log("c", R"("gpus":1)", 2.6));
  io_.Write("d.jsonl", Log("d", R"("gpus":8)", 2.45));
  const Json runs = Training({"--runs", ".", "--gpu-price", "3"})["runs"];
  ASSERT_EQ(runs.size(), 4U);
  std::string order;
  for (const Json& run : runs) {
    order += run["run"].get<std::string>() + run["rank"].dump() +
             run["pareto"].get<std::string>().substr(0, 1) + " ";
  }
  EXPECT_EQ(order, "b1f a2f d2d c4f ");  // c never reached it, whatever it cost
  EXPECT_EQ(runs[0]["target"], "loss<=2.5");
}

TEST_F(TrainingRunsTest, OtherExperimentsAreLeftOut) {
  io_.Write("a.jsonl", Log("a"));
  EXPECT_EQ(Training({"--runs", "a.jsonl", "--experiment", "lm"})["runs"].size(), 1U);
  EXPECT_EQ(Training({"--runs", "a.jsonl", "--experiment", "vision"})["runs"].size(), 0U);
  EXPECT_NE(err_.find("no run is of experiment 'vision'"), std::string::npos);
}

TEST_F(TrainingRunsTest, RunsThatAreLoadedCostWhatTheirLinesSay) {
  io_.Write("a.jsonl", Log("a", R"("gpus":8,"job":"7","cluster":"hpc")"));
  io_.Write("b.jsonl", Log("b"));
  Load("00:00:00", {"a.jsonl", "b.jsonl"});
  const Json runs = Training({"--db", "f.duckdb"})["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]["cost_source"], "ledger");
  EXPECT_EQ(runs[0]["currency"], "USD");
  // The job held eight GPUs from 0:00 to 2:00; the run's first attempt is in it from its begin, its
  // second one to its end, and between them the job held on.
  EXPECT_EQ(runs[0]["gpu_hours_allocated"], "16.000000000");
  EXPECT_EQ(runs[0]["gpu_hours_joined"], "16.000000000");
  EXPECT_EQ(runs[0]["losses"]["restart"], "4.666666667");  // 15 minutes more
  const Ran allocated = io_.Run({"allocate", "--db", "f.duckdb", "--by", "workload", "--filter",
                                 "workload:\"train\"", "--format", "json"});
  ASSERT_EQ(allocated.code, 0) << allocated.err;
  EXPECT_EQ(runs[0]["cost"], Json::parse(allocated.out)[0]["cost"]);
  EXPECT_TRUE(runs[1]["cost"].is_null());
  EXPECT_EQ(runs[1]["marks"], Json::array({"no_cost_lines"}));
  const Json priced = Training({"--db", "f.duckdb", "--gpu-price", "3"})["runs"];
  EXPECT_EQ(priced[0]["cost_source"], "ledger");
  EXPECT_EQ(priced[1]["cost_source"], "gpu-price");
  EXPECT_EQ(priced[1]["cost"], "36.000000000");
}

// Accounting goes back to 1:00; the first attempt, of 0:00 to 0:45, cost something else too.
TEST_F(TrainingRunsTest, ACostOfAPartIsNotComparedWithWholeOnes) {
  io_.Write("a.jsonl", Log("a", R"("gpus":8,"job":"7","cluster":"hpc")"));
  Load("01:00:00", {"a.jsonl"});
  const Json run = Training({"--db", "f.duckdb", "--target", "loss<=2.5"})["runs"][0];
  EXPECT_EQ(run["gpu_hours_allocated"], "14.000000000");
  EXPECT_EQ(run["gpu_hours_joined"], "8.000000000");
  EXPECT_FALSE(run["cost"].is_null());
  EXPECT_TRUE(run["cost_per_million_samples"].is_null());
  EXPECT_TRUE(run["cost_to_target"].is_null());
  EXPECT_TRUE(run["rank"].is_null());
  EXPECT_EQ(run["quality"], 2.4);
  EXPECT_EQ(run["marks"], Json::array({"part_joined"}));
}

TEST_F(TrainingRunsTest, WrongOptionsSayHowToWriteThem) {
  io_.Write("a.jsonl", Log("a"));
  const auto error = [&](std::vector<std::string> more) {
    std::vector<std::string> args{"unit", "training", "--runs", "a.jsonl"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = io_.Run(args);
    EXPECT_EQ(ran.code, 2) << ran.out;
    return ran.err;
  };
  EXPECT_NE(error({"--gpu-price", "cheap"}).find("such as 2.50"), std::string::npos);
  EXPECT_NE(error({"--gpu-price", "-1"}).find("such as 2.50"), std::string::npos);
  EXPECT_NE(error({"--target", "loss"}).find("write it as loss<=2.5"), std::string::npos);
  EXPECT_NE(error({"--hang-factor", "0"}).find("--hang-factor"), std::string::npos);
  EXPECT_NE(error({"--gpus", "-8"}).find("--gpus"), std::string::npos);
}

TEST_F(TrainingRunsTest, PeopleGetTablesAndProgramsCsv) {
  io_.Write("a.jsonl", Log("a"));
  const Ran text = io_.Run({"unit", "training", "--runs", "a.jsonl", "--gpu-price", "3"});
  EXPECT_NE(text.out.find("What came out, and what it cost"), std::string::npos) << text.out;
  const Ran csv =
      io_.Run({"unit", "training", "--runs", "a.jsonl", "--gpu-price", "3", "--format", "csv"});
  EXPECT_TRUE(csv.out.starts_with("run,source,experiment,name,model,gpu_hours_allocated,"))
      << csv.out;
}

}  // namespace
}  // namespace plimsoll
