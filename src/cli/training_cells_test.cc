#include "cli/training_cells.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TrainingCellsTest, WaitsAreReadAtAGlance) {
  EXPECT_EQ(WaitText(Duration()), "0");
  EXPECT_EQ(WaitText(Millis(340)), "340ms");
  EXPECT_EQ(WaitText(Millis(59'499)), "59s");
  EXPECT_EQ(WaitText(Millis(754'321)), "12m34s");
  EXPECT_EQ(WaitText(Hours(5) + Seconds(95)), "5h2m");
  EXPECT_EQ(WaitText(Days(3) + Minutes(40)), "3d1h");
}

TEST(TrainingCellsTest, ProgramsGetHoursAndPeopleText) {
  EXPECT_EQ(WaitCell(Minutes(90), false), "1.500000000");
  EXPECT_EQ(WaitCell(Minutes(90), true), "1h30m");
  EXPECT_EQ(WaitCell(std::nullopt, false), std::nullopt);
  EXPECT_EQ(WaitCell(std::nullopt, true), "never");
}

TEST(TrainingCellsTest, SharesAreExactForProgramsAndRoundForPeople) {
  ShareEstimate share;
  EXPECT_EQ(ShareCells(share)[0], std::nullopt);  // of nothing there is no share
  share = {0.25, {0.1234, 0.5}, 1, 4, 2, 4};
  EXPECT_EQ(ShareCells(share), (std::vector<Cell>{"0.250000000", "0.123400000", "0.500000000"}));
  EXPECT_EQ(RangeText(share.interval), "12.3-50.0 %");
  EXPECT_EQ(PercentOf(912'345'678), "91.2 %");
  EXPECT_EQ(PercentOf(std::nullopt), "-");
}

TEST(TrainingCellsTest, TargetsAreNamedAsTheFileDoes) {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].name = "small";
  targets.gangs.resize(1);
  targets.gangs[0].name = "32 GPUs";
  EXPECT_EQ(TargetName(targets, {TargetKind::kClass, 0}), "small");
  EXPECT_EQ(TargetName(targets, {TargetKind::kGang, 0}), "32 GPUs");
  EXPECT_EQ(TargetName(targets, {TargetKind::kDeadlines, 0}), "deadlines");
  EXPECT_EQ(TargetKindName(TargetKind::kGang), std::string("gang"));
}

TEST(TrainingCellsTest, EveryAnswerSaysHowItWasMade) {
  SizingTargets targets;
  TrainingScope scope{&targets, 30, 7, "ab", "USD", false};
  Answer answer;
  AddScopeFacts(scope, answer);
  ASSERT_EQ(answer.facts.size(), 4U);
  EXPECT_EQ(answer.facts[2].value, "0.950000000");
  EXPECT_EQ(ScopeText(scope), "30 replications; intervals at 95 %");
}

}  // namespace
}  // namespace plimsoll
