#include "ingest/slurm/sacct_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ingest/slurm/sacct_table.h"

namespace plimsoll {
namespace {

using nlohmann::json;

json Number(std::int64_t number) {
  return {{"set", true}, {"infinite", false}, {"number", number}};
}

std::string FieldOf(const json& job, SacctField field) {
  return SacctFieldsOfJob(job)[static_cast<std::size_t>(field)];
}

TEST(SacctJsonTest, NumbersArePlainOrWrapped) {
  EXPECT_EQ(SlurmJsonText(7), "7");
  EXPECT_EQ(SlurmJsonText(Number(7)), "7");
  EXPECT_EQ(SlurmJsonText({{"set", false}, {"infinite", false}, {"number", 0}}), "");
  EXPECT_EQ(SlurmJsonText({{"set", false}, {"infinite", true}, {"number", 0}}), "");
  EXPECT_EQ(SlurmJsonText(nullptr), "");
  EXPECT_EQ(SlurmJsonText("x"), "x");
  EXPECT_EQ(SlurmJsonText(json::array()), "");
}

TEST(SacctJsonTest, ValuesThatMeanNoneAreNone) {
  EXPECT_EQ(SlurmJsonText(18446744073709551614U), "") << "energy that was not gathered";
  EXPECT_EQ(SlurmJsonText(4294967294U), "");
  EXPECT_EQ(SlurmJsonText(4294967293U), "4294967293");
}

TEST(SacctJsonTest, JobIdIsWhatSacctPrints) {
  EXPECT_EQ(FieldOf({{"job_id", 7}}, SacctField::kJobId), "7");
  json task = {{"job_id", 9}, {"array", {{"job_id", 8}, {"task_id", Number(0)}, {"task", ""}}}};
  EXPECT_EQ(FieldOf(task, SacctField::kJobId), "8_0");
  task["array"]["task_id"] = 3;
  EXPECT_EQ(FieldOf(task, SacctField::kJobId), "8_3");
  json waiting = {{"job_id", 8},
                  {"array",
                   {{"job_id", 8},
                    {"task_id", nullptr},
                    {"task", "0x3f8"},
                    {"limits", {{"max", {{"running", {{"tasks", 2}}}}}}}}}};
  EXPECT_EQ(FieldOf(waiting, SacctField::kJobId), "8_[3-9%2]");
  waiting["array"]["task"] = "3-9%2";
  EXPECT_EQ(FieldOf(waiting, SacctField::kJobId), "8_[3-9%2]");
  const json first = {{"job_id", 5}, {"het", {{"job_id", 5}, {"job_offset", Number(0)}}}};
  EXPECT_EQ(FieldOf(first, SacctField::kJobId), "5+0");
  const json old = {{"job_id", 6}, {"het", {{"job_id", 5}, {"job_offset", 1}}}};
  EXPECT_EQ(FieldOf(old, SacctField::kJobId), "5+1");
  const json none = {{"job_id", 6}, {"het", {{"job_id", 0}, {"job_offset", nullptr}}}};
  EXPECT_EQ(FieldOf(none, SacctField::kJobId), "6");
}

TEST(SacctJsonTest, TresAreTheTextOfTres) {
  const json job = {{"tres",
                     {{"allocated",
                       {{{"type", "cpu"}, {"name", ""}, {"count", 4}},
                        {{"type", "mem"}, {"name", nullptr}, {"count", 65536}},
                        {{"type", "energy"}, {"name", ""}, {"count", 18446744073709551614U}},
                        {{"type", "gres"}, {"name", "gpu:h100"}, {"count", 2}},
                        {{"type", "gres"}, {"name", "gpu"}, {"count", 2}}}}}}};
  EXPECT_EQ(FieldOf(job, SacctField::kAllocTres), "cpu=4,mem=65536M,gres/gpu:h100=2,gres/gpu=2");
  EXPECT_EQ(FieldOf(job, SacctField::kReqTres), "");
}

TEST(SacctJsonTest, StateIsATextOrAList) {
  const auto state = [](const json& current) {
    return FieldOf({{"state", {{"current", current}}}}, SacctField::kState);
  };
  EXPECT_EQ(state("COMPLETED"), "COMPLETED");
  EXPECT_EQ(state({"NODE_FAIL", "REQUEUED"}), "NODE_FAIL,REQUEUED");
}

TEST(SacctJsonTest, StepTakesTheJobsIdWhateverItCallsItself) {
  const auto job = SacctFieldsOfJob({{"job_id", 7}, {"cluster", "hpc"}});
  for (const char* id : {"batch", "7.batch"}) {
    const auto step = SacctFieldsOfStep(
        {{"step", {{"id", id}}},
         {"tasks", {{"count", 2}}},
         {"tres",
          {{"requested",
            {{"average", {{{"type", "gres"}, {"name", "gpuutil"}, {"count", 97}}}}}}}}},
        job);
    EXPECT_EQ(step[static_cast<std::size_t>(SacctField::kJobId)], "7.batch");
    EXPECT_EQ(step[static_cast<std::size_t>(SacctField::kCluster)], "hpc");
    EXPECT_EQ(step[static_cast<std::size_t>(SacctField::kUsageAve)], "gres/gpuutil=97");
    EXPECT_EQ(step[static_cast<std::size_t>(SacctField::kTasks)], "2");
  }
}

TEST(SacctJsonTest, MemoryThatWasAskedForIsTheJobsOrByNodeOrByCpu) {
  const auto memory = [](const json& job) { return FieldOf(job, SacctField::kReqMem); };
  EXPECT_EQ(memory({{"required", {{"memory_per_node", Number(4)}}}}), "4Mn");
  EXPECT_EQ(memory({{"required", {{"memory_per_cpu", Number(4)}}}}), "4Mc");
  EXPECT_EQ(memory({{"required", {{"memory_per_cpu", Number(4)}}},
                    {"tres", {{"requested", {{{"type", "mem"}, {"count", 64}}}}}}}),
            "64M");
  EXPECT_EQ(memory({{"required", {{"CPUs", 4}}}}), "");
}

TEST(SacctJsonTest, BrokenShapesAreNoValues) {
  const json broken = {{"time", 7}, {"tres", "x"}, {"state", nullptr}, {"array", {{"job_id", {}}}}};
  for (const std::string& field : SacctFieldsOfJob(broken)) EXPECT_EQ(field, "");
  EXPECT_EQ(SacctFieldsOfJob(json::array()).size(), kSacctFieldCount);
}

TEST(ArrayTasksTextTest, BitmapsAreListsAsSacctPrintsThem) {
  EXPECT_EQ(ArrayTasksText("0x7"), "0-2");
  EXPECT_EQ(ArrayTasksText("0x3F8"), "3-9");
  EXPECT_EQ(ArrayTasksText("0x25"), "0,2,5");
  EXPECT_EQ(ArrayTasksText("0x10842"), "1-16:5");
  EXPECT_EQ(ArrayTasksText("0x15"), "0,2,4") << "a step over fewer than eleven is a list";
  EXPECT_EQ(ArrayTasksText("0xfff"), "0-11") << "neighbours are no step";
  EXPECT_EQ(ArrayTasksText("1-5"), "1-5");
  EXPECT_EQ(ArrayTasksText("0xzz"), "0xzz");
  EXPECT_EQ(ArrayTasksText("0x0"), "0x0");
}

}  // namespace
}  // namespace plimsoll
