#include "cli/capacity_week.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"
#include "cli/test_week.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

TEST(CapacityWeekTest, CausesAddUpToWhatJobsOfAllSizesWaited) {
  OccupancyFacts facts;
  AddNode(facts, "n1");
  AddNode(facts, "n2");
  AddPod(facts, {"a", "n1", 8, -3, 1, 20});
  AddPod(facts, {"b", "n2", 5, 0, 2, 90});
  AddPod(facts, {"c", "n1", 4, 3, 21, {}});
  AddPending(facts, "d", 16, 8, 30);
  const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  const CapacityWeek week = CapacityWeekOf(facts, catalog, kTestWeek);
  GpuHours by_size, by_queue, by_cause;
  for (const WaitsOfJobs& jobs : week.by_size) by_size += jobs.waited;
  for (const WaitsOfJobs& jobs : week.by_queue) by_queue += jobs.waited;
  for (const CausesOfCluster& of : week.causes) {
    for (const GpuHours part : of.waited) by_cause += part;
  }
  EXPECT_EQ(by_size, WholeGpuHours(8 + 10 + 72 + 16 * 138));
  EXPECT_EQ(by_queue, by_size);
  EXPECT_EQ(by_cause, by_size);
}

TEST(CapacityWeekTest, TheReportShowsWaitsFromTheTimeTheJobWasEligible) {
  TestIo io("capacity-week");
  io.Write("jobs.psv",
           "JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|Elapsed|State|ReqTRES|"
           "AllocTRES|NodeList|Reason\n"
           "7|hpc|gpu|bio|ann|2026-11-16T08:00:00|2026-11-16T11:00:00|2026-11-16T12:00:00|"
           "2026-11-17T12:00:00|1-00:00:00|COMPLETED|gres/gpu=8,node=1|gres/gpu=8,node=1|n1|None\n"
           "8|hpc|gpu|bio|ann|2026-11-17T13:00:00|2026-11-17T13:00:00|2026-11-17T14:00:00|"
           "Unknown|5-10:00:00|RUNNING|gres/gpu=1,node=1|gres/gpu=1,node=1|n1|None\n"
           "9|hpc|gpu|bio|ann|2026-11-22T23:00:00|2026-11-22T23:00:00|Unknown|Unknown|00:00:00|"
           "PENDING|gres/gpu=16,node=2||None assigned|Resources\n");
  io.Write("plimsoll.yaml",
           "prices:\n  - {provider: on-prem, instance_type: n1, amount: 40}\n"
           "  - {provider: on-prem, instance_type: n2, amount: 40}\n");
  const std::string node =
      " Arch=x86_64 CoresPerSocket=8 \n"
      "   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.00\n   Gres=gpu:a100:8\n"
      "   RealMemory=65536 AllocMem=0 FreeMem=65536 Sockets=2 Boards=1\n"
      "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n   Partitions=gpu \n"
      "   BootTime=2026-10-31T20:51:00 SlurmdStartTime=2026-10-31T20:51:00\n";
  io.Write("nodes.txt", "NodeName=n1" + node + "\nNodeName=n2" + node);
  const Ran loaded = io.Run({"ingest", "slurm", "jobs.psv", "nodes.txt", "--cluster", "hpc", "--at",
                             "2026-11-23T00:00:00Z", "--db", "f.duckdb"});
  ASSERT_EQ(loaded.code, 0) << loaded.err;
  const Ran ran = io.Run({"report", "weekly", "--db", "f.duckdb", "--window",
                          "2026-11-16..2026-11-23", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json report = Json::parse(ran.out);
  const Json& capacity = report["dimensions"]["capacity"];
  const Json& sizes = capacity["tables"]["waits_by_size"];
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[1]["gpus"], "8");
  EXPECT_EQ(sizes[1]["wait_p50"], 3'600);
  EXPECT_EQ(sizes[1]["gpu_hours_waited"], "8.000000000");
  EXPECT_EQ(sizes[2]["waiting"], 1);
  EXPECT_EQ(capacity["tables"]["wait_reasons"][0]["reason"], "Resources");
  // Fifteen GPUs are idle, and the job that waits needs sixteen.
  EXPECT_EQ(capacity["facts"]["gpus_idle"]["value"], "15.0");
  // The nodes are known from Monday 12:00 on, as in the ledger: 156 of 168 hours, less what ran.
  EXPECT_EQ(capacity["facts"]["gpus_idle_mean"]["value"], "12.9");
  EXPECT_FALSE(capacity["tables"].contains("unfit_jobs"));
  EXPECT_EQ(capacity["tables"]["wait_causes"][0]["cause"], "too_few_idle");
}

}  // namespace
}  // namespace plimsoll
