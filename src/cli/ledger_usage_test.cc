#include "cli/ledger_usage.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// A node of four GPUs, of which one or two are held for three hours of the day.
constexpr const char* kJobs =
    "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|AllocTRES|"
    "NodeList|JobName\n"
    "1|1|hpc|bio|ann|2026-11-16T00:00:00|2026-11-16T00:00:00|2026-11-16T02:00:00|COMPLETED|1|4|"
    "8G|cpu=4,mem=8G,node=1,gres/gpu=1|n1|fold\n"
    "2|2|hpc|geo|bob|2026-11-16T01:00:00|2026-11-16T01:00:00|2026-11-16T03:00:00|COMPLETED|1|4|"
    "8G|cpu=4,mem=8G,node=1,gres/gpu=2|n1|map\n";
constexpr const char* kNodes =
    "NodeName=n1 Arch=x86_64 CoresPerSocket=8 \n"
    "   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.00\n"
    "   Gres=gpu:a100:4\n"
    "   NodeAddr=n1 NodeHostName=n1 Version=24.11.5\n"
    "   RealMemory=65536 AllocMem=0 FreeMem=65536 Sockets=2 Boards=1\n"
    "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n"
    "   Partitions=gpu \n"
    "   BootTime=2026-10-31T20:51:00 SlurmdStartTime=2026-10-31T20:51:00\n";

class LedgerUsageTest : public testing::Test {
 protected:
  LedgerUsageTest() : io_("ledger-usage") {
    io_.Write("jobs.psv", kJobs);
    io_.Write("nodes.txt", kNodes);
    io_.Write("prices.yaml",
              "provider: on-prem\ncurrency: USD\nprices:\n  - {instance_type: n1, amount: 12}\n");
  }
  Ran Plan(std::vector<std::string> more) {
    std::vector<std::string> args{"plan",   more.front(),          "--from", "slurm:hpc=jobs.psv",
                                  "--from", "slurm:hpc=nodes.txt", "--from", "prices=prices.yaml"};
    args.insert(args.end(), more.begin() + 1, more.end());
    return io_.Run(args);
  }
  TestIo io_;
};

// Commitments are for what is paid for: the node's four GPUs in every hour, held or not.
TEST_F(LedgerUsageTest, PaidGpusOfTheLedgerAreUse) {
  const Ran ran = Plan({"commit", "--window", "2026-11-16T00:00Z/2026-11-16T03:00Z", "--on-demand",
                        "3", "--committed", "2", "--by", "node", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json answer = Json::parse(ran.out);
  EXPECT_EQ(answer["flavor"], "n1");
  EXPECT_EQ(answer["hours"], 3);
  EXPECT_EQ(answer["p5_baseline"], 4);
  EXPECT_EQ(answer["quantity"], 4);
  EXPECT_EQ(answer["cost_on_demand"], "36.000000000");
  EXPECT_EQ(answer["cost"], "24.000000000");
}

TEST_F(LedgerUsageTest, FlavorIsTheGpuModel) {
  const Ran ran = Plan({"commit", "--window", "2026-11-16T00:00Z/2026-11-16T03:00Z", "--on-demand",
                        "3", "--committed", "2", "--by", "flavor", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["quantity"], 4);
}

TEST_F(LedgerUsageTest, NothingInTheWindowIsAnError) {
  const Ran ran = Plan({"commit", "--window", "2026-11-16T00:00Z/2026-11-16T03:00Z", "--on-demand",
                        "3", "--committed", "2", "--filter", "node:\"nope\""});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("no GPU time"), std::string::npos);
}

// Hours without a usage signal count as worked in, and are told.
TEST_F(LedgerUsageTest, NodesWithoutASignalAreNeverIdle) {
  const Ran ran = Plan({"schedule", "--window", "2026-11-16T00:00Z/2026-11-16T03:00Z", "--price",
                        "12", "--controls", "idle", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json answer = Json::parse(ran.out);
  EXPECT_EQ(answer["instances"], 1);
  EXPECT_EQ(answer["hours"], "3.000000000");
  EXPECT_EQ(answer["saving"], "0.000000000");
}

}  // namespace
}  // namespace plimsoll
