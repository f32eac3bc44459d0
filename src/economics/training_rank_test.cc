#include "economics/training_rank.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

RunToRank ARun(std::int64_t cost, std::optional<std::int64_t> to_target, const char* loss) {
  RunToRank run{"e", true, true, Money::Units(cost), std::nullopt, std::nullopt};
  if (to_target) run.cost_to_target = Money::Units(*to_target);
  if (*loss != '\0') run.quality = *ExactDecimal::Parse(loss);
  return run;
}

// "1 front, 2 -": the rank, and if it is on the front.
std::string Ranks(const std::vector<RunToRank>& runs) {
  std::string text;
  for (const RunRank& rank : RankRuns(runs)) {
    text += (text.empty() ? "" : ", ") + (rank.rank ? std::to_string(*rank.rank) : "?") +
            (!rank.pareto   ? " ?"
             : *rank.pareto ? " front"
                            : " -");
  }
  return text;
}

TEST(TrainingRankTest, WhoReachesTheTargetForLessGoesFirst) {
  EXPECT_EQ(Ranks({ARun(30, 20, "2.0"), ARun(50, 10, "1.9"), ARun(90, 20, "1.8")}),
            "2 front, 1 front, 2 front");
}

TEST(TrainingRankTest, WhoNeverReachesItSharesTheLastRankWhateverItCost) {
  EXPECT_EQ(Ranks({ARun(1, std::nullopt, "3"), ARun(90, 80, "2"), ARun(5, std::nullopt, "")}),
            "2 front, 1 front, 2 ?");
}

TEST(TrainingRankTest, ARunIsDominatedByOneAsCheapAndAsGoodAndBetterInOne) {
  EXPECT_EQ(Ranks({ARun(10, 10, "2.5"), ARun(20, 20, "2.5")}), "1 front, 2 -");
  EXPECT_EQ(Ranks({ARun(10, 10, "2.5"), ARun(10, 10, "2.4")}), "1 -, 1 front");
  EXPECT_EQ(Ranks({ARun(10, 10, "2.5"), ARun(10, 10, "2.5")}), "1 front, 1 front");
}

TEST(TrainingRankTest, LargerQualityIsBetterIfTheTargetSaysSo) {
  std::vector<RunToRank> runs{ARun(10, 10, "0.9"), ARun(20, 20, "0.95"), ARun(30, 30, "0.94")};
  for (RunToRank& run : runs) run.at_most = false;
  EXPECT_EQ(Ranks(runs), "1 front, 2 front, 3 -");
}

TEST(TrainingRankTest, GroupsAndRunsWithoutACostAreNotCompared) {
  RunToRank other = ARun(1, 1, "1");
  other.group = "f";
  RunToRank unpriced = ARun(1, std::nullopt, "1");
  unpriced.cost.reset();
  RunToRank no_target = ARun(2, std::nullopt, "");
  no_target.has_target = false;
  EXPECT_EQ(Ranks({ARun(10, 10, "2"), other, unpriced, no_target}), "1 front, 1 front, ? ?, ? ?");
}

}  // namespace
}  // namespace plimsoll
