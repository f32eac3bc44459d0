#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

constexpr const char* kThroughputs =
    R"json({"v100": {"('A3C', 1)": {"null": 5.0, "('A3C', 1)": [2.0, 2.0]},
                      "('LM (batch size 5)', 2)": {"null": 8}},
        "k80": {"('A3C', 1)": {"null": 2.5}}})json";

WorkloadSource Gavel(std::string_view text) {
  WorkloadSource source{"g.tsv", text};
  source.throughputs = kThroughputs;
  return source;
}

TEST(GavelTraceTest, StepsAtAThroughputAreTime) {
  const std::string text =
      "A3C\t--max-steps\t1000\t6.5\t1\nLM (batch size 5)\t--steps\t80\t0.0\t2\n";
  const auto reading = ReadSource(Gavel(text));
  ASSERT_EQ(reading.workload.jobs.size(), 2U);
  EXPECT_EQ(reading.workload.jobs[0].run, Seconds(10));
  EXPECT_EQ(reading.workload.jobs[0].shape.gpus, 2);
  EXPECT_EQ(reading.workload.jobs[1].run, Seconds(200));
  EXPECT_EQ(reading.workload.jobs[1].submitted, AtMillis(6'500));
  WorkloadSource slower = Gavel(text);
  slower.gpu_type = "k80";
  EXPECT_EQ(ReadSource(slower).workload.jobs[0].run, Seconds(400));
}

TEST(GavelTraceTest, TenFieldsAreReadToo) {
  const std::string text = "A3C\tpython3 main.py\tdir\t--max-steps\t0\t1000\t1\t1.0\t-1\t3.0\n";
  const auto reading = ReadSource(Gavel(text));
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.workload.jobs[0].submitted, AtSeconds(3));
}

TEST(GavelTraceTest, AScaleWithoutThroughputIsRefused) {
  const std::string text = "A3C\t-n\t10\t0\t1\nA3C\t-n\t10\t0\t16\nA3C\t-n\t10\n";
  const auto reading = ReadSource(Gavel(text));
  ASSERT_EQ(reading.refused.size(), 2U);
  EXPECT_TRUE(Says(reading.refused[0].reason, "no throughput on 16 v100"));
  EXPECT_TRUE(Says(reading.refused[1].reason, "3 tab-separated fields"));
}

TEST(GavelTraceTest, WithoutThroughputsTheRemedyIsNamed) {
  EXPECT_TRUE(Says(SourceErrorOf({"g.tsv", "A3C\t-n\t10\t0\t1\n"}), "--throughputs"));
  WorkloadSource source = Gavel("A3C\t-n\t10\t0\t1\n");
  source.gpu_type = "h100";
  EXPECT_TRUE(Says(SourceErrorOf(source), "no GPU type 'h100'"));
}

}  // namespace
}  // namespace plimsoll
