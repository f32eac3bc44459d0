#include "ingest/runs/ieee_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

std::string Text(float value) { return Ieee32Text(std::bit_cast<std::uint32_t>(value)); }
std::string Text(double value) { return Ieee64Text(std::bit_cast<std::uint64_t>(value)); }

TEST(IeeeTextTest, TheShortestDecimalIsTaken) {
  EXPECT_EQ(Text(0.1F), "0.1");
  EXPECT_EQ(Text(0.1), "0.1");
  EXPECT_EQ(Text(-2.0), "-2");
  EXPECT_EQ(Text(100000.0), "100000");
  EXPECT_EQ(Text(1e-7), "1e-07");
  EXPECT_EQ(Text(0.0), "0");
}

TEST(IeeeTextTest, WhatIsNoNumberIsAWord) {
  EXPECT_EQ(Text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(Text(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(Text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(IeeeTextTest, TheTextReadsBackAsTheSameNumber) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    const std::string text = Ieee64Text(bits);
    ASSERT_TRUE(NumberText(text).has_value()) << text;
    const double value = std::bit_cast<double>(bits);
    if (value == value) {
      ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    }
    const auto half = static_cast<std::uint32_t>(bits);
    const float single = std::bit_cast<float>(half);
    if (single == single) {
      ASSERT_EQ(std::strtof(Ieee32Text(half).c_str(), nullptr), single);
    }
  }
}

}  // namespace
}  // namespace plimsoll
