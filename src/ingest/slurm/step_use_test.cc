#include "ingest/slurm/step_use.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const Instant kTen = AtSeconds(1'767'607'200);  // 2026-01-05T10:00:00Z

class StepUseTest : public testing::Test {
 protected:
  void AddRun(std::int64_t gpus, Instant begin, Duration elapsed, const std::string& node = "g01") {
    held_.snapshot_id.push_back(0);
    held_.cluster.emplace_back("hpc");
    held_.name.emplace_back("7");
    held_.node.emplace_back(node);
    held_.device_kind.emplace_back("gpu");
    held_.devices.push_back(gpus);
    held_.begin.push_back(begin);
    held_.until.emplace_back(begin + elapsed);
    held_.used_ppm.emplace_back();
    held_.used_signal.emplace_back();
  }
  void AddStep(const std::string& step, Duration elapsed, std::int64_t gpus,
               std::optional<std::int64_t> percent, Instant start = kTen) {
    uses_.Add("hpc", "7", step, {start, elapsed, gpus, percent});
  }
  std::optional<std::int64_t> Used(std::size_t row = 0) {
    uses_.ApplyTo("hpc", held_);
    return held_.used_ppm[row];
  }

  StepUses uses_;
  HoldingBatch held_;
};

TEST_F(StepUseTest, WaitingBatchAndExternDoNotDiluteTheStepThatWorks) {
  AddRun(8, kTen, Hours(2));
  AddStep("batch", Hours(2), 8, 0);
  AddStep("extern", Hours(2), 8, 0);
  AddStep("0", Hours(2), 8, 90);
  EXPECT_EQ(Used(), 900'000);
  EXPECT_EQ(held_.used_signal[0], "gres/gpuutil");
}

TEST_F(StepUseTest, StepsWeighByTheirTimeAndGpusOverAllThatTheRunHeld) {
  AddRun(4, kTen, Hours(4));
  AddStep("0", Hours(1), 4, 100);
  AddStep("1", Hours(2), 2, 50, kTen + Hours(1));
  // (4 x 1 h x 100 % + 2 x 2 h x 50 %) / (4 x 4 h) = 6 / 16
  EXPECT_EQ(Used(), 375'000);
}

TEST_F(StepUseTest, NodesOfARunShareItsMean) {
  AddRun(4, kTen, Hours(1), "g01");
  AddRun(4, kTen, Hours(1), "g02");
  AddStep("0", Hours(1), 8, 97);
  EXPECT_EQ(Used(0), 970'000);
  EXPECT_EQ(Used(1), 970'000);
}

TEST_F(StepUseTest, RepeatedRowsAndStepsChangeNothing) {
  AddRun(1, kTen, Hours(1));
  AddRun(1, kTen, Hours(1));
  AddStep("0", Hours(1), 1, 54);
  AddStep("0", Hours(1), 1, 54);
  EXPECT_EQ(Used(0), 540'000);
  EXPECT_EQ(Used(1), 540'000);
}

TEST_F(StepUseTest, StepsOfARequeuedJobBelongToTheRunThatHadBegun) {
  AddRun(1, kTen, Hours(1));
  AddRun(1, kTen + Hours(2), Hours(1));
  AddStep("batch", Hours(1), 1, 20);
  AddStep("batch", Hours(1), 1, 80, kTen + Hours(2));
  EXPECT_EQ(Used(0), 200'000);
  EXPECT_EQ(Used(1), 800'000);
}

TEST_F(StepUseTest, WhatIsNotWhollyKnownIsNotGuessed) {
  const auto used_of = [&](std::int64_t gpus, std::optional<std::int64_t> percent) {
    uses_ = {};
    held_ = {};
    AddRun(2, kTen, Hours(1));
    AddStep("batch", Hours(1), 2, 30);
    AddStep("0", Hours(1), gpus, percent);
    return Used();
  };
  EXPECT_EQ(used_of(2, 40), 700'000);
  EXPECT_EQ(used_of(2, std::nullopt), std::nullopt) << "a step was not measured";
  EXPECT_EQ(used_of(0, 40), std::nullopt) << "a step used GPUs that it does not list";
  EXPECT_EQ(used_of(2, 101), std::nullopt) << "no percent of one GPU";
  EXPECT_EQ(used_of(0, std::nullopt), 300'000) << "a step without GPUs does not matter";
  EXPECT_EQ(used_of(2, 100), 1'000'000) << "never more than all";
}

TEST_F(StepUseTest, UseThatIsKnownOtherwiseIsKept) {
  AddRun(1, kTen, Hours(1));
  held_.used_ppm[0] = 123;
  AddStep("0", Hours(1), 1, 54);
  EXPECT_EQ(Used(), 123);
}

}  // namespace
}  // namespace plimsoll
