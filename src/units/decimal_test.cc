#include "units/decimal.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

std::string Round(std::string_view text) {
  const auto value = ExactDecimal::Parse(text);
  return value ? value->ToString() : "error: " + value.error().message;
}

TEST(DecimalTest, KeepsEveryWrittenDecimal) {
  EXPECT_EQ(Round("0.0000000072922557592391990000"), "0.000000007292255759239199");
  EXPECT_EQ(Round("16.29693213663664462748541900"), "16.296932136636644627485419");
  EXPECT_EQ(Round("-2.6137"), "-2.6137");
  EXPECT_EQ(Round("+3"), "3");
  EXPECT_EQ(Round("0.000"), "0");
  EXPECT_EQ(Round("-0"), "0");
  EXPECT_EQ(Round("."), "error: '.': no digits");
}

TEST(DecimalTest, ShortAndLongWritingsOfOneNumberAreTheSame) {
  std::mt19937_64 random(20261129);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = std::to_string(random() % 1'000'000'000'000'000'000U);
    text.resize(1 + random() % text.size());
    if (random() % 4 != 0) text.insert(random() % (text.size() + 1), 1, '.');
    if (random() % 2 == 0) text.insert(0, 1, '-');
    const auto quick = ExactDecimal::Parse(text);
    const auto general = ExactDecimal::Parse(text + "E0");
    ASSERT_TRUE(quick) << text;
    ASSERT_EQ(*quick, *general) << text;
  }
}

TEST(DecimalTest, ReadsScientificNotation) {
  EXPECT_EQ(Round("1.81E-8"), "0.0000000181");
  EXPECT_EQ(Round("5e-06"), "0.000005");
  EXPECT_EQ(Round("1.5E+3"), "1500");
  EXPECT_EQ(Round("0E-60"), "0");
  EXPECT_EQ(Round("1E-41"), "error: '1E-41': more than 40 decimals");
  EXPECT_EQ(Round("1E28"), "error: '1E28': more than 27 integer digits");
  EXPECT_EQ(Round("1E"), "error: '1E': exponent is missing or out of range");
  EXPECT_EQ(Round("12x"), "error: '12x': not a decimal number");
}

TEST(DecimalTest, FloorAndRestAreOnTheSameSideForCredits) {
  const auto credit = ExactDecimal::Parse("-0.0000000014");
  EXPECT_EQ(credit->floor(), Money::FromNanos(-2));
  EXPECT_EQ(credit->RoundHalfEven(), Money::FromNanos(-1));
  EXPECT_EQ(ExactDecimal::Parse("0.0000000005")->RoundHalfEven(), Money::FromNanos(0));
  EXPECT_EQ(ExactDecimal::Parse("0.0000000015")->RoundHalfEven(), Money::FromNanos(2));
}

TEST(DecimalTest, SumOfAMillionTinyChargesIsExact) {
  const auto one = ExactDecimal::Parse("0.0000008");
  ExactDecimal sum;
  for (int i = 0; i < 1'000'000; ++i) sum += *one;
  EXPECT_EQ(sum.ToString(), "0.8");
}

TEST(DecimalPropertyTest, TextSurvivesAndNegationIsItsOwnInverse) {
  constexpr std::uint64_t kSeed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random() % 2 ? "-" : "";
    text += std::to_string(random() % 1'000'000) + ".";
    const std::uint64_t decimals = 1 + random() % 40;
    for (std::uint64_t i = 0; i < decimals; ++i) text += static_cast<char>('0' + random() % 10);
    const auto value = ExactDecimal::Parse(text);
    ASSERT_TRUE(value) << text;
    ASSERT_EQ(*ExactDecimal::Parse(value->ToString()), *value) << text;
    ASSERT_EQ(-(-*value), *value) << text;
    ExactDecimal zero = *value;
    zero += -*value;
    ASSERT_EQ(zero, ExactDecimal()) << text;
  }
}

}  // namespace
}  // namespace plimsoll
