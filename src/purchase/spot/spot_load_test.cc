#include "purchase/spot/spot_load.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

Money Of(const char* text) { return *Money::Parse(text); }

SpotLoadModel Model(Duration mtbf) {
  return {*Lifetime::Exponential(static_cast<double>(mtbf.base())), {}, {}, {}, {}};
}

TEST(SpotLoadTest, WithoutEvictionCostsTheSpotPrice) {
  SpotLoadModel model = Model(Hours(1'000'000));
  const auto cost = PriceSpotLoad(model, {Of("2.712"), Of("1.56"), true, {}});
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->total(), Of("1.56"));
  EXPECT_EQ(cost->slowdown_ppb, 1'000'000'000);
}

TEST(SpotLoadTest, ARestartIsPaidButNotUseful) {
  SpotLoadModel model = Model(Hours(4));
  model.restart = Minutes(10);
  const auto cost = PriceSpotLoad(model, {Of("10"), Of("4"), true, {}});
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->slowdown_ppb, std::llround(std::exp(1.0 / 24) * 1e9));
  EXPECT_GT(cost->interruptions, Money());
}

TEST(SpotLoadTest, AnItemNotSavedIsDoneAgain) {
  SpotLoadModel model = Model(Hours(4));
  model.item = Hours(2);
  const auto lost = PriceSpotLoad(model, {Of("10"), Of("4"), true, {}});
  ASSERT_TRUE(lost);
  // M (e^(L / M) - 1) / L for M = 4, L = 2.
  EXPECT_EQ(lost->slowdown_ppb, std::llround(2 * (std::exp(0.5) - 1) * 1e9));
  model.save = Minutes(1);
  EXPECT_LT(PriceSpotLoad(model, {Of("10"), Of("4"), true, {}})->slowdown_ppb, lost->slowdown_ppb);
}

TEST(SpotLoadTest, FallsBackInAShortageIfItMayNotWaitOrWaitingIsDearer) {
  SpotLoadModel model = Model(Hours(3));
  model.wait = Hours(1);
  const auto served = PriceSpotLoad(model, {Of("10"), Of("4"), false, {}});
  EXPECT_FALSE(served->waits);
  EXPECT_EQ(served->short_ppb, 250'000'000);
  EXPECT_EQ(served->total(), Of("5.5"));  // 3/4 at 4, 1/4 at 10
  EXPECT_TRUE(PriceSpotLoad(model, {Of("10"), Of("4"), true, Of("4")})->waits);
  EXPECT_FALSE(PriceSpotLoad(model, {Of("10"), Of("4"), true, Of("6")})->waits);
}

TEST(SpotLoadTest, WaitsUntilItsValueIsWhatOnDemandCostsMore) {
  // An hour at 6 more, against a value of 24 an hour: a quarter of an hour.
  EXPECT_EQ(LongestWait(Of("24"), Of("6"), Hours(1)), Minutes(15));
}

TEST(SpotLoadTest, ReturnsToSpotWhenTheSavingPaysTwoRestarts) {
  EXPECT_EQ(ReturnPaysFrom(Minutes(6), Of("10"), Of("4")), Minutes(20));
}

TEST(SpotLoadTest, GangLivesAsLongAsItsFirstLoss) {
  EXPECT_EQ(JobMtbf(*Lifetime::Exponential(3.6e6 * 8), 4), Hours(2));
}

TEST(SpotLoadTest, RefusesAnUnknownPriceAndHopelessEvictions) {
  EXPECT_FALSE(PriceSpotLoad(Model(Hours(4)), {Of("10"), Money(), true, {}}));
  SpotLoadModel model = Model(Minutes(1));
  model.item = Hours(2);
  EXPECT_FALSE(PriceSpotLoad(model, {Of("10"), Of("4"), true, {}}));
}

}  // namespace
}  // namespace plimsoll
