#include "economics/inference_ratio.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

constexpr int128 kHuge = int128{1'000'000'007} * 1'000'000'009 * 998'244'353;

TEST(RatioTest, DecimalsAreRoundedHalfToEven) {
  EXPECT_EQ(Ratio({1}, {3}).ToDecimal(9), "0.333333333");
  EXPECT_EQ(Ratio({2}, {3}).ToDecimal(3), "0.667");
  EXPECT_EQ(Ratio({5}, {2}).ToDecimal(0), "2");
  EXPECT_EQ(Ratio({7}, {2}).ToDecimal(0), "4");
  EXPECT_EQ(Ratio({1}, {8}).ToDecimal(2), "0.12");
  EXPECT_EQ(Ratio({3}, {8}).ToDecimal(2), "0.38");
  EXPECT_EQ(Ratio({999'999}, {1'000'000}).ToDecimal(2), "1.00");
  EXPECT_EQ(Ratio().ToDecimal(4), "1.0000");
}

TEST(RatioTest, NumbersPast128BitsMultiplyExactly) {
  const Ratio large({kHuge, kHuge, kHuge}, {7});
  EXPECT_EQ(large * large.Inverse(), Ratio());
  EXPECT_EQ((large * Ratio({7}, {kHuge, kHuge, kHuge})).ToDecimal(0), "1");
  EXPECT_EQ((large * Ratio({1}, {kHuge, kHuge})).ToDecimal(3), Ratio({kHuge}, {7}).ToDecimal(3));
  EXPECT_FALSE(large == large * Ratio({kHuge + 1}, {kHuge}));
}

TEST(RatioTest, ProductOfRandomChainIsItsEnds) {
  std::mt19937_64 random(20261130);
  const auto number = [&] { return int128{1} + static_cast<int128>(random() >> 1); };
  for (int round = 0; round < 2'000; ++round) {
    const int128 a = number();
    const int128 b = number();
    const int128 c = number();
    const int128 d = number();
    const Ratio chain = Ratio({a}, {b}) * Ratio({b}, {c}) * Ratio({c}, {d});
    ASSERT_EQ(chain, Ratio({a}, {d})) << "round " << round;
    ASSERT_EQ(chain.ToDecimal(18), Ratio({a}, {d}).ToDecimal(18)) << "round " << round;
  }
}

}  // namespace
}  // namespace plimsoll
