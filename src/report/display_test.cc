#include "report/display.h"

#include <gtest/gtest.h>

#include "report/render.h"

namespace plimsoll {
namespace {

TEST(DisplayTest, MoneyIsRoundedHalfToEvenAndGrouped) {
  EXPECT_EQ(Display(ValueKind::kMoney, "1234.5"), "1,234.50");
  EXPECT_EQ(Display(ValueKind::kMoney, "0.125"), "0.12");
  EXPECT_EQ(Display(ValueKind::kMoney, "0.135"), "0.14");
  EXPECT_EQ(Display(ValueKind::kMoney, "0.125000001"), "0.13");
  EXPECT_EQ(Display(ValueKind::kMoney, "999999.995"), "1,000,000.00");
  EXPECT_EQ(Display(ValueKind::kMoney, "-500.045"), "-500.04");
}

TEST(DisplayTest, AZeroHasNoSign) { EXPECT_EQ(Display(ValueKind::kMoney, "-0.001"), "0.00"); }

TEST(DisplayTest, NumbersOfAnyLengthKeepTheirDigits) {
  EXPECT_EQ(Display(ValueKind::kMoney, "12345678901234567890123456789.019"),
            "12,345,678,901,234,567,890,123,456,789.02");
}

TEST(DisplayTest, HoursHaveOnePlaceAndCountsNone) {
  EXPECT_EQ(Display(ValueKind::kHours, "1925.650000000"), "1,925.6");
  EXPECT_EQ(Display(ValueKind::kHours, "7"), "7.0");
  EXPECT_EQ(Display(ValueKind::kCount, "1064"), "1,064");
  EXPECT_EQ(Display(ValueKind::kCount, "0012"), "12");
}

TEST(DisplayTest, PercentAndDecimalAreShownAsTheyAre) {
  EXPECT_EQ(Display(ValueKind::kPercent, "61.4"), "61.4 %");
  EXPECT_EQ(Display(ValueKind::kDecimal, "12.375"), "12.375");
  EXPECT_EQ(Display(ValueKind::kSeconds, "40"), "40 s");
  EXPECT_EQ(Display(ValueKind::kSeconds, "5400"), "90 min");
  EXPECT_EQ(Display(ValueKind::kSeconds, "7500"), "2 h 05 min");
  EXPECT_EQ(Display(ValueKind::kSeconds, "soon"), "soon");
}

TEST(DisplayTest, TextThatIsNoDecimalIsShownAsItIs) {
  for (const char* text : {"", "-", ".5", "5.", "1e3", "1,5", "n/a", "--1"}) {
    EXPECT_EQ(RoundAndGroup(text, 2), std::nullopt) << text;
    EXPECT_EQ(Display(ValueKind::kMoney, text), text);
  }
}

TEST(DisplayTest, AMissingValueIsNoDataAndHasNoUnit) {
  EXPECT_EQ(Display(ValueKind::kMoney, std::nullopt), "no data");
  EXPECT_EQ(DisplayWithUnit({"k", "l", ValueKind::kMoney, std::nullopt, "USD", "", ""}), "no data");
}

TEST(DisplayTest, TheUnitIsPrintedOnce) {
  EXPECT_EQ(DisplayWithUnit({"k", "l", ValueKind::kMoney, "1234.5", "USD", "", ""}),
            "1,234.50 USD");
  EXPECT_EQ(DisplayWithUnit({"k", "l", ValueKind::kPercent, "61.4", "%", "", ""}), "61.4 %");
  EXPECT_EQ(DisplayInUnit("61.4", "%"), "61.4 %");
  EXPECT_EQ(DisplayInUnit("1234.56", "GPU-hours"), "1,234.6 GPU-hours");
  EXPECT_EQ(DisplayInUnit("1234.567", "EUR"), "1,234.57 EUR");
}

TEST(DisplayTest, AClassOfGpuTimeIsKnownInAnySpelling) {
  EXPECT_EQ(GpuTimeClass("usage_unknown"), "usage_unknown");
  EXPECT_EQ(GpuTimeClass("Usage unknown"), "usage_unknown");
  EXPECT_EQ(GpuTimeClass("waste (idle)"), "waste");
  EXPECT_EQ(GpuTimeClass("Scale-down delay"), "scale_down_delay");
  EXPECT_EQ(GpuTimeClass("wasted"), "");
}

TEST(DisplayTest, AnExplainCommandSurvivesTheShell) {
  EXPECT_EQ(ExplainCommand("team:\"a\"@x/y"), "plimsoll explain 'team:\"a\"@x/y'");
  EXPECT_EQ(ExplainCommand("o'brien"), "plimsoll explain 'o'\\''brien'");
}

TEST(DisplayTest, HtmlHasNoMarkupOfTheData) {
  EXPECT_EQ(EscapeHtml("<b a=\"1\" c='2'>&\x01</b>"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;?&lt;/b&gt;");
}

}  // namespace
}  // namespace plimsoll
