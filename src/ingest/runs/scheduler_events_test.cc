#include "ingest/runs/scheduler_events.h"

#include <gtest/gtest.h>

#include "ingest/runs/run_facts.h"
#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

struct Held {
  std::string source, ns, name, workload, end_reason;
  std::int64_t begin = 0;
  std::optional<std::int64_t> until;
  std::int64_t devices = 8, share_num = 1, share_den = 1;
  std::string labels = "{}", cluster = "c";
};

HoldingBatch Holdings(const std::vector<Held>& rows) {
  HoldingBatch batch;
  for (const Held& held : rows) {
    batch.snapshot_id.push_back(0);
    batch.cluster.emplace_back(held.cluster);
    batch.node.emplace_back("n" + std::to_string(RowsOf(batch)));
    batch.source.emplace_back(held.source);
    batch.ns.emplace_back(held.ns);
    batch.name.push_back(held.name);
    batch.uid.push_back(held.name + "@" + std::to_string(held.begin));
    batch.workload_kind.emplace_back("Job");
    batch.workload.push_back(held.workload);
    for (auto* column : {&batch.account, &batch.user_name, &batch.queue}) column->emplace_back();
    batch.labels.push_back(held.labels);
    batch.devices.push_back(held.devices);
    batch.device_kind.emplace_back("gpu");
    batch.share_num.push_back(held.share_num);
    batch.share_den.push_back(held.share_den);
    batch.cpu_milli.push_back(0);
    batch.memory_bytes.push_back(0);
    batch.queued.emplace_back();
    batch.begin.push_back(AtSeconds(held.begin));
    batch.ready.emplace_back();
    batch.until.push_back(held.until ? std::optional(AtSeconds(*held.until)) : std::nullopt);
    batch.end_reason.push_back(held.end_reason);
    batch.role.emplace_back("");
    batch.used_ppm.emplace_back();
    batch.used_signal.emplace_back("");
  }
  return batch;
}

// "slurm x#0 0 start 16g": source, run, attempt, second, kind...
Texts Events(const RunRow& run, const std::vector<Held>& rows) {
  RunBatch runs;
  Append(runs, run);
  const RunEventBatch events = SchedulerEvents(runs, Holdings(rows));
  Texts texts;
  for (std::size_t row = 0; row < RowsOf(events); ++row) {
    texts.push_back(events.source[row] + " " + events.run[row] + "#" +
                    std::to_string(events.attempt[row]) + " " +
                    std::to_string(events.at[row].base() / 1000) + " " + events.kind[row].text() +
                    (events.gpus[row] ? " " + std::to_string(*events.gpus[row]) + "g" : "") +
                    (events.name[row].empty() ? "" : " " + events.name[row]));
  }
  return texts;
}

RunRow OfJob(const std::string& job) {
  RunRow run;
  run.run = "x";
  run.source = "log";
  run.job = job;
  return run;
}

RunRow OfWorkload(const std::string& workload) {
  RunRow run;
  run.run = "x";
  run.source = "log";
  run.workload = workload;
  return run;
}

TEST(SchedulerEventsTest, ARequeuedJobIsAnAttemptEachOverAllItsNodes) {
  EXPECT_EQ(Events(OfJob("12"), {{"slurm", "", "12", "t", "NodeLost", 0, 100},
                                 {"slurm", "", "12", "t", "NodeLost", 0, 100},
                                 {"slurm", "", "12", "t", "Completed", 130, 300},
                                 {"slurm", "", "12", "t", "Completed", 130, 300},
                                 {"slurm", "", "13", "t", "Failed", 0, 10}}),
            (Texts{"slurm x#0 0 start 16g", "slurm x#0 100 failure NodeLost",
                   "slurm x#1 130 start 16g", "slurm x#1 300 stop completed"}));
}

TEST(SchedulerEventsTest, EveryEndThatIsNoSuccessIsAFailure) {
  for (const char* reason : {"NodeLost", "Preempted", "Evicted", "Requeued", "OutOfMemory",
                             "Failed", "OOMKilled", "Error"}) {
    EXPECT_EQ(Events(OfJob("12"), {{"slurm", "", "12", "t", reason, 0, 9}}).back(),
              "slurm x#0 9 failure " + std::string(reason));
  }
  for (const auto& [reason, name] :
       {std::pair("Completed", "completed"), std::pair("Cancelled", "cancelled"),
        std::pair("Timeout", "timeout"), std::pair("", "completed")}) {
    EXPECT_EQ(Events(OfJob("12"), {{"slurm", "", "12", "t", reason, 0, 9}}).back(),
              "slurm x#0 9 stop " + std::string(name));
  }
  EXPECT_EQ(Events(OfJob("12"), {{"slurm", "", "12", "t", "", 0, std::nullopt}}),
            Texts{"slurm x#0 0 start 8g"});
}

TEST(SchedulerEventsTest, HetComponentsAndArrayTasksAreTheirJobs) {
  EXPECT_EQ(Events(OfJob("900"), {{"slurm", "", "900+0", "t", "", 0, std::nullopt},
                                  {"slurm", "", "900+1", "t", "", 0, std::nullopt}}),
            Texts{"slurm x#0 0 start 16g"});
  EXPECT_EQ(Events(OfJob("900_5"), {{"slurm", "", "900_5", "t", "", 0, std::nullopt},
                                    {"slurm", "", "900_6", "t", "", 0, std::nullopt}}),
            Texts{"slurm x#0 0 start 8g"});
}

TEST(SchedulerEventsTest, OneFailedPodEndsTheGangsAttemptOnce) {
  // Pod b fails at 50; a is torn down at 55, and both come back.
  EXPECT_EQ(
      Events(OfWorkload("train"), {{"kubernetes", "ns", "a-0", "train", "Failed", 0, 55},
                                   {"kubernetes", "ns", "b-0", "train", "OutOfMemory", 0, 50},
                                   {"kubernetes", "ns", "a-1", "train", "", 60, std::nullopt},
                                   {"kubernetes", "ns", "b-1", "train", "", 52, std::nullopt}}),
      (Texts{"kubernetes x#0 0 start 16g", "kubernetes x#0 50 failure OutOfMemory",
             "kubernetes x#1 52 start 16g"}));
}

TEST(SchedulerEventsTest, WhatBeginsAfterAllEndedIsTheNextAttempt) {
  EXPECT_EQ(Events(OfWorkload("train"), {{"kubernetes", "ns", "a", "train", "Completed", 0, 50},
                                         {"kubernetes", "ns", "b", "train", "Completed", 50, 70},
                                         {"kubernetes", "ns", "c", "train", "Completed", 80, 90}}),
            (Texts{"kubernetes x#0 0 start 16g", "kubernetes x#0 70 stop completed",
                   "kubernetes x#1 80 start 8g", "kubernetes x#1 90 stop completed"}));
}

TEST(SchedulerEventsTest, ClustersAndNamespacesMustAgreeWhereBothAreKnown) {
  RunRow run = OfWorkload("train");
  const std::vector<Held> rows{{"kubernetes", "ns", "a", "train", "", 0, std::nullopt}};
  EXPECT_EQ(Events(run, rows).size(), 1U);
  run.cluster = "c";
  run.ns = "ns";
  EXPECT_EQ(Events(run, rows).size(), 1U);
  run.ns = "other";
  EXPECT_TRUE(Events(run, rows).empty());
  run.ns = "";
  run.cluster = "other";
  EXPECT_TRUE(Events(run, rows).empty());
}

TEST(SchedulerEventsTest, ALabelThatNamesTheRunBeatsItsNames) {
  RunRow run = OfWorkload("train");
  run.pod = "a";
  const Held labelled{
      "kubernetes", "ns", "z", "other", "", 5, std::nullopt, 4, 1, 1, R"({"plimsoll.io/run":"x"})"};
  const Held named{"kubernetes", "ns", "a", "train", "", 0, std::nullopt};
  EXPECT_EQ(Events(run, {named, labelled}), Texts{"kubernetes x#0 5 start 4g"});
  EXPECT_EQ(Events(run, {named}), Texts{"kubernetes x#0 0 start 8g"});
  run.workload = "";
  EXPECT_EQ(Events(run, {named}), Texts{"kubernetes x#0 0 start 8g"});
  run.pod = "";
  EXPECT_TRUE(Events(run, {named}).empty());
}

TEST(SchedulerEventsTest, SlicesCountWhereTheyAddUpToWholeGpus) {
  const auto slices = [](std::int64_t devices) {
    return std::vector<Held>{
        {"kubernetes", "ns", "a", "train", "", 0, std::nullopt, devices, 3, 7}};
  };
  EXPECT_EQ(Events(OfWorkload("train"), slices(7)), Texts{"kubernetes x#0 0 start 3g"});
  EXPECT_EQ(Events(OfWorkload("train"), slices(2)), Texts{"kubernetes x#0 0 start"});
}

TEST(SchedulerEventsTest, ARunOfTwoSourcesIsToldOnce) {
  RunBatch runs;
  RunRow run = OfJob("12");
  Append(runs, run);
  run.source = "mlflow";
  Append(runs, run);
  EXPECT_EQ(RowsOf(SchedulerEvents(runs, Holdings({{"slurm", "", "12", "t", "", 0, 9}}))), 2U);
}

}  // namespace
}  // namespace plimsoll
