#include "ingest/slurm/slurm_state.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(SlurmStateTest, ReadsLongShortAndAppendedForms) {
  EXPECT_EQ(ParseSlurmState("CANCELLED by 1002")->end_reason, "Cancelled");
  EXPECT_EQ(ParseSlurmState("CA")->end_reason, "Cancelled");
  EXPECT_EQ(ParseSlurmState("CANCELLED+")->end_reason, "Cancelled");
  EXPECT_EQ(ParseSlurmState("OUT_OF_MEMORY")->end_reason, "OutOfMemory");
  EXPECT_EQ(ParseSlurmState("NODE_FAIL")->end_reason, "NodeLost");
  EXPECT_EQ(ParseSlurmState("PREEMPTED")->end_reason, "Preempted");
}

TEST(SlurmStateTest, WaitingHoldsNothingAndRunningHasNoEnd) {
  EXPECT_EQ(ParseSlurmState("PENDING")->phase, SlurmPhase::kWaiting);
  EXPECT_EQ(ParseSlurmState("RUNNING")->phase, SlurmPhase::kHeld);
  EXPECT_EQ(ParseSlurmState("SUSPENDED")->phase, SlurmPhase::kHeld);
  EXPECT_EQ(ParseSlurmState("RUNNING")->end_reason, "");
}

TEST(SlurmStateTest, OtherWordsAreNoState) {
  EXPECT_FALSE(ParseSlurmState(""));
  EXPECT_FALSE(ParseSlurmState("running"));
  EXPECT_FALSE(ParseSlurmState("DANCING"));
}

}  // namespace
}  // namespace plimsoll
