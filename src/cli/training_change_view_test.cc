#include "cli/training_change_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

PairedDifference Paired(double before, double after, double half) {
  PairedDifference paired;
  paired.before = before;
  paired.after = after;
  paired.difference = after - before;
  paired.interval = Interval{paired.difference - half, paired.difference + half};
  paired.replications = 30;
  return paired;
}

Answer View(bool for_people) {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].name = "large";
  TrainingChange change;
  change.scope = {&targets, 30, 1, "ab", "USD", for_people};
  change.what = "h100=12";
  const TargetId large{TargetKind::kClass, 0};
  change.differences = {
      {Measure::kMeanWait, large, Paired(7'200'000, 3'600'000, 360'000), false},
      {Measure::kWaitP95, large, {}, true},
      {Measure::kShareWithin, large, Paired(0.9, 0.91, 0.02), false},
      {Measure::kInterruptions, std::nullopt, Paired(4, 5.5, 1), false},
  };
  change.differences[2].paired.left_out = 2;
  change.cost_before = Money::Units(100);
  change.cost_after = Money::Units(160);
  const Answer answer = ChangeAnswer(change);
  return answer;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TrainingChangeViewTest, PeopleSeeWhatIsMoreThanChance) {
  const std::string text = RenderText(View(true), {80, false});
  EXPECT_TRUE(Has(text, "With h100=12, under the same jobs")) << text;
  EXPECT_TRUE(Has(text, "Cost a month: 100.00 -> 160.00 USD (+60.00)")) << text;
  EXPECT_TRUE(Has(text, "-1h *")) << text;
  EXPECT_TRUE(Has(text, "-1h6m to -54m")) << text;
  EXPECT_FALSE(Has(text, "1.0 % *")) << text;
  EXPECT_TRUE(Has(text, "1.5 *")) << text;
  EXPECT_TRUE(Has(text, "-: no mean or percentile")) << text;
  const std::size_t p95 = text.find("p95 wait");
  ASSERT_NE(p95, std::string::npos) << text;
  EXPECT_EQ(text.substr(p95, text.find('\n', p95) - p95).find_first_of("0123456789*", 3),
            std::string::npos)
      << text;
}

TEST(TrainingChangeViewTest, ProgramsSeeUnitsAndFigures) {
  const std::string json = RenderJson(View(false));
  EXPECT_TRUE(Has(json, "\"unit\": \"hours\"")) << json;
  EXPECT_TRUE(Has(json, "\"before\": 2.000000000")) << json;
  EXPECT_TRUE(Has(json, "\"differs\": false")) << json;
  EXPECT_TRUE(Has(json, "\"left_out\": 2")) << json;
  EXPECT_TRUE(Has(json, "\"before\": null")) << json;
}

}  // namespace
}  // namespace plimsoll
