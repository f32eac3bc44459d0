#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

TEST(JobsFileTest, EveryColumnIsRead) {
  const auto reading = ReadJobs(
      "name,user,queue,submit,pods,pods_min,gpus,gpu_milli,cpu,memory,flavors,priority,run,"
      "time_limit,deadline,preemptible,topology,slice_pods,slice_level,checkpoint_interval,"
      "checkpoint_write,restart,warm_up,started,ended,end\n"
      "pre,ann,research,2026-11-02T08:00:00Z,8,4,8,,96,1Ti,H100|A100,50,72h,4d,2026-11-09,no,"
      "required:block,4,rack,1h,45s,5m,10m,2026-11-02T09:00:00Z,,\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.name, "pre");
  EXPECT_EQ(job.pods, 8);
  EXPECT_EQ(job.pods_min, 4);
  EXPECT_EQ(job.shape.gpus, 8);
  EXPECT_EQ(job.shape.cpu_milli, 96'000);
  EXPECT_EQ(job.shape.memory_mib, 1'048'576);
  EXPECT_EQ(job.shape.flavors, FlavorSet{3});
  EXPECT_EQ(job.flavor_order, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(job.priority, 50);
  EXPECT_EQ(job.run, Hours(72));
  EXPECT_EQ(job.time_limit, Days(4));
  EXPECT_EQ(job.deadline, At("2026-11-09T00:00:00Z"));
  EXPECT_FALSE(job.preemptible);
  EXPECT_EQ(job.topology.mode, TopologyMode::kRequired);
  EXPECT_EQ(reading.levels, (std::vector<std::string>{"block", "rack"}));
  EXPECT_EQ(job.topology.slice_pods, 4);
  EXPECT_EQ(job.topology.slice_level, 1U);
  EXPECT_EQ(job.checkpoint.interval, Hours(1));
  EXPECT_EQ(job.checkpoint.write, Seconds(45));
  EXPECT_EQ(job.checkpoint.restart, Minutes(5));
  EXPECT_EQ(job.checkpoint.warm_up, Minutes(10));
  EXPECT_EQ(job.started, At("2026-11-02T09:00:00Z"));
}

TEST(JobsFileTest, AFewColumnsAreEnough) {
  const auto reading = ReadJobs("submit,gpus,run\n0,1,60\n# a remark\n30.5,0,1h\n");
  ASSERT_EQ(reading.workload.jobs.size(), 2U);
  EXPECT_EQ(reading.workload.queues, std::vector<std::string>{"default"});
  EXPECT_EQ(reading.workload.jobs[1].submitted, AtMillis(30'500));
  EXPECT_TRUE(reading.workload.jobs[1].preemptible);
}

TEST(JobsFileTest, JsonSaysTheSame) {
  const std::string csv = "name,submit,pods,gpus,flavors,run\na,0,2,8,H100|A100,1h\n";
  const std::string json =
      R"({"jobs": [{"name": "a", "submit": 0, "pods": 2, "gpus": 8,
                    "flavors": ["H100", "A100"], "run": "1h"}]})";
  const auto one = ReadJobs(csv), two = ReadJobs(json);
  ASSERT_EQ(two.workload.jobs.size(), 1U);
  EXPECT_EQ(one.workload.jobs[0].shape, two.workload.jobs[0].shape);
  EXPECT_EQ(one.workload.jobs[0].run, two.workload.jobs[0].run);
  EXPECT_EQ(one.flavors, two.flavors);
}

TEST(JobsFileTest, WrongFieldsAreRefusedByName) {
  const std::pair<const char*, const char*> rows[] = {
      {"0,9999,60,,,,,", "gpus"},      {"0,1,,,,,,", "run"},
      {"soon,1,60,,,,,", "submit"},    {"0,1,60,500,2,,,", ""},
      {"0,2,60,500,,,,", "gpu_milli"}, {"0,1,60,,,rack,,", "topology"},
      {"0,1,60,,,,3,", "slice_level"}, {"100,1,60,,,,,50", "deadline"},
  };
  for (const auto& [row, field] : rows) {
    const auto reading =
        ReadJobs("submit,gpus,run,gpu_milli,pods,topology,slice_pods,deadline\n0,1,60,,,,,\n" +
                 std::string(row) + "\n");
    if (*field == '\0') {
      EXPECT_TRUE(reading.refused.empty()) << row;
      continue;
    }
    ASSERT_EQ(reading.refused.size(), 1U) << row;
    EXPECT_EQ(reading.refused[0].line, 3);
    EXPECT_TRUE(reading.refused[0].field == field ||
                (std::string(field) == "slice_level" && reading.refused[0].field == "slice_pods"))
        << row << ": " << reading.refused[0].field;
  }
}

TEST(JobsFileTest, AnUnknownColumnIsAnError) {
  EXPECT_TRUE(Says(JobsErrorOf("submit,gpus,run,prio\n0,1,60,1\n"), "no column is called 'prio'"));
  const auto reading = ReadJobs(
      R"([{"submit": 0, "gpus": 1, "run": 60},
                   {"submit": 0, "gpus": 1, "run": 60, "prio": 1}, 7])");
  ASSERT_EQ(reading.refused.size(), 2U);
  EXPECT_EQ(reading.refused[0].field, "jobs[1]");
  EXPECT_TRUE(Says(reading.refused[0].reason, "'prio'"));
}

TEST(JobsFileTest, JsonThatIsNoListIsAnError) {
  EXPECT_TRUE(Says(JobsErrorOf(R"({"submit": 1, "run": 2})"), "must be a list of jobs"));
  WorkloadSource source{"j.json", R"([{"submit": 1, "run": )"};
  EXPECT_TRUE(Says(SourceErrorOf(source), "is no JSON"));
}

}  // namespace
}  // namespace plimsoll
