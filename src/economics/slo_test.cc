#include "economics/slo.h"

#include <gtest/gtest.h>

#include "economics/test_requests.h"

namespace plimsoll {
namespace {

Outcome Judged(const std::string& slo, const TestRequest& request) {
  RequestBatch batch;
  Append(batch, request);
  return SloJudge(slo.empty() ? Slo{} : *ParseSlo(slo)).Judge(batch, 0);
}

TEST(SloJudgeTest, LimitsAreMetAtEquality) {
  EXPECT_EQ(Judged("ttft=100ms,e2e=1s,tpot=100ms", {}), Outcome::kGood);
  EXPECT_EQ(Judged("ttft=99999999ns", {}), Outcome::kMissed);
  EXPECT_EQ(Judged("e2e=999999999ns", {}), Outcome::kMissed);
  // (1000 - 100) ms over 9 tokens is 100 ms each.
  EXPECT_EQ(Judged("tpot=99999999ns", {}), Outcome::kMissed);
}

// T24: the same run gives two verdicts by latency/output or by (latency - ttft)/(output - 1).
TEST(SloJudgeTest, TimePerTokenLeavesOutTheFirstToken) {
  const TestRequest request{.ttft_ms = 500, .e2e_ms = 1'000, .output = 11};
  EXPECT_EQ(Judged("tpot=50ms", request), Outcome::kGood);    // 50 ms by the definition
  EXPECT_EQ(Judged("tpot=49ms", request), Outcome::kMissed);  // though 1000/11 is 91 ms
}

TEST(SloJudgeTest, OneTokenOrNoneHasNoTimePerToken) {
  for (const std::int64_t output : {0, 1}) {
    EXPECT_EQ(Judged("tpot=1ns", {.output = output}), Outcome::kGood) << output;
    EXPECT_EQ(Judged("tpot=1ns", {.ttft_ms = std::nullopt, .output = output}), Outcome::kGood);
  }
}

TEST(SloJudgeTest, WhatIsNeededAndMissingIsUnmeasuredNotGood) {
  EXPECT_EQ(Judged("ttft=1s", {.ttft_ms = std::nullopt}), Outcome::kUnmeasured);
  EXPECT_EQ(Judged("e2e=1s", {.e2e_ms = std::nullopt}), Outcome::kUnmeasured);
  EXPECT_EQ(Judged("tpot=1s", {.output = std::nullopt}), Outcome::kUnmeasured);
  EXPECT_EQ(Judged("e2e=1s", {.ttft_ms = std::nullopt}), Outcome::kGood);
  // A limit that is shown to be missed is missed, whatever else is not told.
  EXPECT_EQ(Judged("ttft=1s,e2e=1ms", {.ttft_ms = std::nullopt}), Outcome::kMissed);
}

// T5: gaps between chunks are no times per token; the source's own measure only fills a hole.
TEST(SloJudgeTest, SourcesOwnTimePerTokenCountsOnlyWhereNothingElseTells) {
  EXPECT_EQ(Judged("tpot=100ms", {.tpot_ns = 900'000'000}), Outcome::kGood);
  EXPECT_EQ(Judged("tpot=100ms", {.ttft_ms = std::nullopt, .tpot_ns = 900'000'000}),
            Outcome::kMissed);
  EXPECT_EQ(Judged("tpot=100ms", {.tpot_ns = 100'000'000, .output = std::nullopt}), Outcome::kGood);
}

// T3, T4: failures are never good, however fast they were.
TEST(SloJudgeTest, FailuresAreNeverGood) {
  EXPECT_EQ(Judged("", {.status = "error"}), Outcome::kError);
  EXPECT_EQ(Judged("ttft=1h", {.status = "timeout"}), Outcome::kTimeout);
  EXPECT_EQ(Judged("ttft=1h", {.status = "cancelled"}), Outcome::kCancelled);
  EXPECT_EQ(Judged("", {.status = "?"}), Outcome::kError);
  EXPECT_EQ(Judged("", {}), Outcome::kGood);
}

TEST(SloJudgeTest, LargeOutputsDoNotOverflow) {
  EXPECT_EQ(Judged("tpot=24h", {.output = 1'000'000'000}), Outcome::kGood);
}

}  // namespace
}  // namespace plimsoll
