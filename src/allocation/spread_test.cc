#include "allocation/spread.h"

#include <gtest/gtest.h>

#include <random>

#include "units/split.h"

namespace plimsoll {
namespace {

const Window kAlways{AtMillis(0), AtMillis(0) + Days(400)};

std::vector<HourPart> Spread(Money cost, Window charge, Window window = kAlways) {
  std::vector<HourPart> parts;
  const Status status = SpreadOverHours(cost, charge, window, parts);
  EXPECT_TRUE(status);
  return parts;
}

TEST(SpreadTest, AnHourlyChargeIsItsHour) {
  const auto parts = Spread(Money::Units(98), {AtMillis(0), AtMillis(0) + Hours(1)});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].cost, Money::Units(98));
}

TEST(SpreadTest, AnInstantChargeIsAllInItsHour) {
  const Instant t = AtMillis(0) + Minutes(90);
  const auto parts = Spread(Money::Units(5), {t, t});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].hour, AtMillis(0) + Hours(1));
  EXPECT_TRUE(parts[0].covered.empty());
}

TEST(SpreadTest, LeftOverNanoGoesToTheEarlierHour) {
  const auto parts = Spread(Money::FromNanos(-10), {AtMillis(0), AtMillis(0) + Hours(3)});
  EXPECT_EQ(parts[0].cost, Money::FromNanos(-4));
  EXPECT_EQ(parts[1].cost, Money::FromNanos(-3));
}

TEST(SpreadTest, AWindowPicksHoursAndChangesNoPart) {
  const Window month{AtMillis(0), AtMillis(0) + Days(30)};
  const auto all = Spread(Money::Units(100), month);
  ASSERT_EQ(all.size(), 720u);
  const Window day{AtMillis(0) + Days(7), AtMillis(0) + Days(8)};
  const auto some = Spread(Money::Units(100), month, day);
  ASSERT_EQ(some.size(), 24u);
  EXPECT_EQ(some[0].cost, all[7 * 24].cost);
}

// Property: the closed form is largest remainder over the hours' milliseconds.
TEST(SpreadPropertyTest, EqualsTheSplitByMilliseconds) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 3'000; ++round) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    const Instant begin = AtMillis(below(36'000'000));
    const Window charge{begin, begin + Millis(1 + below(round % 2 ? 3'600'000 : 90'000'000))};
    const Money cost = Money::FromNanos((below(1 << 30) - (1 << 29)) >> below(25));
    const auto parts = Spread(cost, charge);
    std::vector<std::int64_t> weights;
    for (const HourPart& part : parts) weights.push_back(part.covered.length().base());
    const auto expected = SplitByWeight(cost, weights);
    ASSERT_TRUE(expected);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      ASSERT_EQ(parts[i].cost, (*expected)[i]) << ToString(charge) << " " << cost.ToString();
    }
  }
}

}  // namespace
}  // namespace plimsoll
