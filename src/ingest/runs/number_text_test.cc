#include "ingest/runs/number_text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(NumberTextTest, ADecimalStaysAsItIsWritten) {
  for (const char* text : {"0.10", "-3", "+3", "1e-05", "2.5E+3", ".5", "5."}) {
    EXPECT_EQ(NumberText(text), text);
  }
}

TEST(NumberTextTest, WordsThatAreNoDecimalHaveOneSpelling) {
  for (const char* text : {"NaN", "nan", "-NaN", "NAN"}) EXPECT_EQ(NumberText(text), "nan") << text;
  for (const char* text : {"Infinity", "inf", "+Inf"}) EXPECT_EQ(NumberText(text), "inf") << text;
  for (const char* text : {"-Infinity", "-inf"}) EXPECT_EQ(NumberText(text), "-inf") << text;
}

TEST(NumberTextTest, OtherTextsAreNoNumbers) {
  for (const char* text : {"", "-", ".", "1e", "e5", "1.2.3", "0x10", "1 ", "1,5", "infinit"}) {
    EXPECT_EQ(NumberText(text), std::nullopt) << text;
  }
  EXPECT_EQ(NumberText(std::string(101, '1')), std::nullopt);
}

TEST(NumberTextTest, AWholeNumberMayBeWrittenAsADecimal) {
  EXPECT_EQ(WholeNumber("12"), 12);
  EXPECT_EQ(WholeNumber("12.0"), 12);
  EXPECT_EQ(WholeNumber("1.2e1"), 12);
  EXPECT_EQ(WholeNumber("-0"), 0);
  EXPECT_EQ(WholeNumber("9223372036854775807"), 9'223'372'036'854'775'807);
}

TEST(NumberTextTest, FractionsAndGreaterNumbersAreNotWhole) {
  for (const char* text :
       {"12.5", "0.0000000001", "9223372036854775808", "1e400", "1e-400", "nan", "twelve", ""}) {
    EXPECT_EQ(WholeNumber(text), std::nullopt) << text;
  }
}

TEST(NumberTextTest, SecondsAreCutToMillisecondsAlsoBeforeTheEpoch) {
  EXPECT_EQ(EpochSeconds("1732999999.1239"), AtMillis(1'732'999'999'123));
  EXPECT_EQ(EpochSeconds("1.732999999123e9"), AtMillis(1'732'999'999'123));
  EXPECT_EQ(EpochSeconds("-0.0001"), AtMillis(-1));
  EXPECT_EQ(EpochMillis("1732999999123"), AtMillis(1'732'999'999'123));
}

TEST(NumberTextTest, NoTimeLiesOutsideTheCalendar) {
  for (const char* text : {"253402300800", "-62135596801", "1e30", "nan", "2026-11-30"}) {
    EXPECT_EQ(EpochSeconds(text), std::nullopt) << text;
  }
  EXPECT_TRUE(EpochSeconds("253402300799").has_value());
  EXPECT_EQ(EpochMillis("253402300800000"), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
