#include "purchase/mix/mix_reason.h"

#include <gtest/gtest.h>

#include "purchase/mix/test_mix.h"

namespace plimsoll {
namespace {

std::string Reason(MixWorkload workload, MixFlavor flavor, std::int64_t in_force) {
  MixQuestion question;
  question.workloads = {std::move(workload)};
  question.flavors = {std::move(flavor)};
  question.options.spot = Rules();
  if (in_force > 0) {
    question.existing = {{"old", "node", in_force, Of("1"), AtSeconds(4'000'000'000)}};
  }
  const auto plan = PlanMix(question);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan->decisions[0].reason;
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MixReasonTest, TheRuleThatForbidsSpotIsTheReason) {
  const std::string reason =
      Reason(Load("chat", WorkloadKind::kInference, 4), Flavor("10", "3"), 3);
  EXPECT_TRUE(Holds(reason, "latency-critical")) << reason;
  EXPECT_TRUE(Holds(reason, "cover 75 % of its hours")) << reason;
}

TEST(MixReasonTest, ARunOnSpotTellsItsTimeAndOdds) {
  const std::string reason =
      Reason(TrainRun("llm", Hours(20), Hours(60)), Flavor("10", "3", Hours(30)), 0);
  EXPECT_TRUE(Holds(reason, "217.26 on demand") || Holds(reason, "217 on demand")) << reason;
  EXPECT_TRUE(Holds(reason, "% of runs")) << reason;
}

TEST(MixReasonTest, LoadOnSpotTellsWhatAUsefulHourCosts) {
  const std::string reason = Reason(Load("queue", WorkloadKind::kBatch, 4), Flavor("10", "3"), 2);
  EXPECT_TRUE(Holds(reason, "takes what commitments have left")) << reason;
  EXPECT_TRUE(Holds(reason, "a useful hour on spot is 3.00")) << reason;
}

TEST(MixReasonTest, ARunThatFitsACommitmentSaysSo) {
  const std::string reason =
      Reason(TrainRun("llm", Hours(20), Hours(60)), Flavor("10", "3", Hours(30)), 1);
  EXPECT_TRUE(Holds(reason, "commitments have room for it")) << reason;
}

TEST(MixReasonTest, WaysAreNamedByUse) {
  MixDecision decision;
  EXPECT_EQ(WaysOf(decision), "nothing");
  decision.use = {1, 1, 1};
  decision.policy = SpotPolicy::kFallback;
  EXPECT_EQ(WaysOf(decision), "reserved + on demand + spot + fallback");
}

}  // namespace
}  // namespace plimsoll
