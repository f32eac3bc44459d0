#include "purchase/spot/checkpoint_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

// Minutes: C, M (in hours), intervals of Young, Daly and the optimum, E / T at each; R = 10 min,
// D = 0. Computed and checked by Monte Carlo apart from this program.
struct Golden {
  double save, mtbf_hours, young, daly, optimal, at_young, at_daly, at_optimal;
};
constexpr Golden kTable[] = {{1, 1, 10.954, 10.298, 10.298, 1.426606, 1.426137, 1.426137},
                             {1, 4, 21.909, 21.247, 21.247, 1.143857, 1.143809, 1.143809},
                             {5, 1, 24.495, 21.275, 21.281, 1.837229, 1.830681, 1.830681},
                             {5, 4, 48.990, 45.713, 45.715, 1.288445, 1.287855, 1.287855},
                             {5, 24, 120.000, 116.690, 116.690, 1.095798, 1.095764, 1.095764},
                             {10, 2, 48.990, 42.550, 42.563, 1.690332, 1.684308, 1.684308},
                             {30, 2, 84.853, 66.031, 66.146, 2.465764, 2.421899, 2.421897},
                             {30, 24, 293.939, 274.279, 274.288, 1.244475, 1.243905, 1.243905},
                             {120, 1, 120.000, 60.000, 56.852, 31.659, 22.547, 22.515}};

TEST(CheckpointIntervalTest, IntervalsAndSlowdownsAreThoseOfTheTable) {
  for (const Golden& row : kTable) {
    SCOPED_TRACE(std::to_string(row.save) + " min, " + std::to_string(row.mtbf_hours) + " h");
    const CheckpointModel model{row.mtbf_hours * 60, row.save, 10, 0};
    const double young = YoungInterval(model.save, model.mtbf);
    const double daly = DalyInterval(model.save, model.mtbf);
    const double optimal = OptimalInterval(model.save, model.mtbf);
    EXPECT_NEAR(young, row.young, 5e-4);
    EXPECT_NEAR(daly, row.daly, 5e-4);
    EXPECT_NEAR(optimal, row.optimal, 5e-4);
    const double unit = row.at_young > 10 ? 5e-4 : 5e-7;
    EXPECT_NEAR(EvenExpectedTime(model, 1, young), row.at_young, unit);
    EXPECT_NEAR(EvenExpectedTime(model, 1, daly), row.at_daly, unit);
    EXPECT_NEAR(EvenExpectedTime(model, 1, optimal), row.at_optimal, unit);
  }
}

// T = 100 h, C = 5 min, R = 10 min, D = 30 min, M = 4 h, in hours. All segments of the same length,
// each with its save, is the variant of the published values.
const CheckpointModel kHundred{4, 5.0 / 60, 10.0 / 60, 0.5};

TEST(CheckpointIntervalTest, AHundredHoursTakeThePublishedTime) {
  const double best = OptimalInterval(kHundred.save, kHundred.mtbf);
  EXPECT_NEAR(best, 0.761912, 5e-7);
  EXPECT_NEAR(EvenExpectedTime(kHundred, 100, best), 144.883684, 5e-7);
  EXPECT_NEAR(EvenExpectedTime(kHundred, 100, 1), 145.930966, 5e-7);
  const double young = YoungInterval(kHundred.save, kHundred.mtbf);
  EXPECT_NEAR(young, 0.816497, 5e-7);
  EXPECT_NEAR(EvenExpectedTime(kHundred, 100, young), 144.950072, 5e-7);
}

TEST(CheckpointIntervalTest, TheExactTimeHasAShorterLastSegment) {
  // Equal where the interval divides the work; then 99 segments with a save and one without.
  EXPECT_NEAR(ExpectedTime(kHundred, 100, 1, true), 145.930966, 5e-7);
  EXPECT_NEAR(ExpectedTime(kHundred, 100, 1, false),
              99 * SegmentTime(kHundred, 1 + kHundred.save) + SegmentTime(kHundred, 1), 1e-9);
  EXPECT_NEAR(
      ExpectedTime(kHundred, 2.5, 1, true),
      2 * SegmentTime(kHundred, 1 + kHundred.save) + SegmentTime(kHundred, 0.5 + kHundred.save),
      1e-9);
  EXPECT_NEAR(ExpectedTime(kHundred, 0.5, 1, false), SegmentTime(kHundred, 0.5), 1e-12);
}

TEST(CheckpointIntervalTest, TheOptimumSolvesLambertsEquation) {
  for (const double ratio : {1e-8, 1e-4, 0.01, 0.3, 1.0, 2.0, 20.0}) {
    const double w = OptimalInterval(ratio * 7, 7) / 7 - 1;  // W0(-e^(-1 - c))
    EXPECT_GT(w, -1) << ratio;
    EXPECT_NEAR(w * std::exp(w) / -std::exp(-1 - ratio), 1, 1e-12 - 1e-15 / w) << ratio;
  }
  EXPECT_EQ(OptimalInterval(1e4, 1), 1);
  EXPECT_NEAR(OptimalInterval(1e-8, 1) / YoungInterval(1e-8, 1), 1, 1e-4);
}

TEST(CheckpointIntervalTest, NoOtherIntervalIsBetterThanTheOptimum) {
  for (const double mtbf : {0.2, 1.0, 4.0, 100.0}) {
    CheckpointModel model = kHundred;
    model.mtbf = mtbf;
    const double best = OptimalInterval(model.save, mtbf);
    const double least = EvenExpectedTime(model, 1, best);
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
      EXPECT_GE(EvenExpectedTime(model, 1, best * factor), least) << mtbf << " " << factor;
    }
  }
}

TEST(CheckpointIntervalTest, SpotPaysFromThePublishedMtbf) {
  // C = 5 min, R = 10 min, D = 0, best interval: discount and MTBF in hours.
  const std::pair<double, double> table[] = {
      {0.3, 2.2753}, {0.5, 0.8157}, {0.6, 0.5438}, {0.7, 0.3708}, {0.9, 0.1571}};
  const CheckpointModel model{0, 5.0 / 60, 10.0 / 60, 0};
  for (const auto& [discount, mtbf] : table) {
    const auto found = BreakEvenMtbf(model, 0, 1 - discount);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, mtbf, 5e-5) << discount;
    CheckpointModel there = model;
    there.mtbf = *found;
    EXPECT_NEAR(BilledSlowdown(there, 0), 1 / (1 - discount), 1e-9);
  }
  EXPECT_FALSE(BreakEvenMtbf(model, 0, 1));
  EXPECT_FALSE(BreakEvenMtbf(model, 0, 1.62));  // spot dearer than on demand: p5 in ca-central-1
}

TEST(CheckpointIntervalTest, WaitingIsPaidForByTheNodesOfAGangThatStay) {
  EXPECT_DOUBLE_EQ(BilledSlowdown(kHundred, 0), BilledSlowdown({4, 5.0 / 60, 10.0 / 60, 0}, 0.75));
  EXPECT_GT(BilledSlowdown(kHundred, 0.75), BilledSlowdown(kHundred, 0));
  const auto one = BreakEvenMtbf(kHundred, 0, 0.35), gang = BreakEvenMtbf(kHundred, 0.75, 0.35);
  EXPECT_GT(*gang, *one);
}

TEST(CheckpointIntervalTest, FirstOrderWasteOfALargeRun) {
  // Llama 3 on 16,384 GPUs: 419 interruptions in 54 days, a minute a checkpoint, 18.6 minutes
  // between them: 10.4 % lost.
  const double mtbf = 54 * 24 / 419.0, save = 1.0 / 60;
  EXPECT_NEAR(OptimalInterval(save, mtbf) * 60, 18.60, 5e-3);
  const double waste = FirstOrderWaste({mtbf, save, 0, 0}, YoungInterval(save, mtbf));
  EXPECT_NEAR(waste, 0.104, 5e-4);
  EXPECT_NEAR(FirstOrderWaste({mtbf, save, 1, 0.5}, YoungInterval(save, mtbf)),
              std::sqrt(2 * save / mtbf) + 1.5 / mtbf, 1e-12);
}

TEST(CheckpointIntervalTest, OfAConstantHazardTheAgeDoesNotMatter) {
  EXPECT_DOUBLE_EQ(AgeAwareInterval(0.1, 1.0 / 4), YoungInterval(0.1, 4));
}

}  // namespace
}  // namespace plimsoll
