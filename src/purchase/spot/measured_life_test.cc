#include "purchase/spot/measured_life.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// Freireich et al. 1963, remission in weeks of 21 patients with 6-MP: the example of most textbooks
// on survival. Survival at 6, 7, 10, 13, 16, 22 and 23 weeks.
std::vector<ObservedLife> Freireich() {
  return {{Millis(6), true},   {Millis(6), true},   {Millis(6), true},   {Millis(6), false},
          {Millis(7), true},   {Millis(9), false},  {Millis(10), true},  {Millis(10), false},
          {Millis(11), false}, {Millis(13), true},  {Millis(16), true},  {Millis(17), false},
          {Millis(19), false}, {Millis(20), false}, {Millis(22), true},  {Millis(23), true},
          {Millis(25), false}, {Millis(32), false}, {Millis(32), false}, {Millis(34), false},
          {Millis(35), false}};
}

TEST(MeasuredLifeTest, SurvivalIsThatOfTheTextbook) {
  const MeasuredLife life = *MeasuredLife::Of(Freireich());
  const std::pair<double, double> table[] = {{6, 0.857},  {7, 0.807},  {10, 0.753}, {13, 0.690},
                                             {16, 0.627}, {22, 0.538}, {23, 0.448}};
  EXPECT_EQ(life.Survival(5.9), 1);
  for (const auto& [week, survival] : table) EXPECT_NEAR(life.Survival(week), survival, 5e-4);
  EXPECT_NEAR(life.Survival(34.9), 0.448, 5e-4);
  EXPECT_EQ(life.Survival(35), 0);  // nothing is known of later
  EXPECT_TRUE(life.ends_alive());
  EXPECT_EQ(life.evictions(), 9);
  EXPECT_EQ(life.lives(), 21);
  // One bin: nine evictions in 359 weeks.
  EXPECT_NEAR(life.Hazard(3), 9.0 / 359, 1e-12);
}

TEST(MeasuredLifeTest, WithoutSurvivorsItIsTheSample) {
  const MeasuredLife life = *MeasuredLife::Of(
      {{Millis(3), true}, {Millis(1), true}, {Millis(3), true}, {Millis(5), true}});
  EXPECT_EQ(life.mean(), 3);
  EXPECT_FALSE(life.ends_alive());
  EXPECT_EQ(life.Survival(1), 0.75);
  EXPECT_EQ(life.SurvivalIntegral(2, 4), 0.75 + 0.25);
  EXPECT_EQ(life.SurvivalIntegral(4, 100), 0.25);
  // The parts of (0, 1] that fall to each length, the greatest number the shortest life.
  EXPECT_EQ(life.Draw(1.0, 0), 1);
  EXPECT_EQ(life.Draw(0.76, 0), 1);
  EXPECT_EQ(life.Draw(0.74, 0), 3);
  EXPECT_EQ(life.Draw(0.26, 0), 3);
  EXPECT_EQ(life.Draw(0.24, 0), 5);
  EXPECT_EQ(life.Draw(0.5, 1), 2);  // of age 1 two of three go on to 3
  EXPECT_EQ(life.Draw(0.5, 9), 0);
}

TEST(MeasuredLifeTest, HazardFallsWhereTheYoungAreTaken) {
  std::vector<ObservedLife> lives;
  for (int i = 1; i <= 200; ++i) lives.push_back({Seconds(i <= 100 ? i : 100 * i), true});
  const MeasuredLife life = *MeasuredLife::Of(lives);
  EXPECT_GT(life.Hazard(5e4), 20 * life.Hazard(5e6));
  EXPECT_GT(life.Hazard(1e9), 0);
  // The integral of the rate, in steps.
  double sum = 0;
  for (double age = 500; age < 3e7; age += 1'000) sum += 1'000 * life.Hazard(age);
  EXPECT_NEAR(life.CumulativeHazard(0, 3e7) / sum, 1, 1e-3);
  EXPECT_NEAR(life.CumulativeHazard(5e4, 3e7) + life.CumulativeHazard(0, 5e4),
              life.CumulativeHazard(0, 3e7), 1e-9);
}

TEST(MeasuredLifeTest, TooFewEvictionsSayNothing) {
  for (const auto& lives : {std::vector<ObservedLife>{},
                            {{Millis(1), true}},
                            {{Millis(1), false}, {Millis(2), false}, {Millis(3), true}}}) {
    const auto life = MeasuredLife::Of(lives);
    ASSERT_FALSE(life);
    EXPECT_NE(life.error().message.find("two at least"), std::string::npos);
  }
  EXPECT_FALSE(MeasuredLife::Of({{Millis(0), true}, {Millis(1), true}}));
}

}  // namespace
}  // namespace plimsoll
