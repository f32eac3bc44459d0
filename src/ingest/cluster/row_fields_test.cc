#include "ingest/cluster/row_fields.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll {
namespace {

class RowFieldsTest : public testing::Test {
 protected:
  RowFields With(const std::string& text) {
    text_ = text;
    return RowFields([this](std::string_view name) {
      return name == "x" ? std::string_view(text_) : std::string_view();
    });
  }
  std::string text_;
};

TEST_F(RowFieldsTest, WholeNumbersMayHaveAPointZero) {
  EXPECT_EQ(With("8").Whole("x", {}), 8);
  EXPECT_EQ(With(" 8.0 ").Whole("x", {}), 8);
  for (const char* wrong : {"8.5", "-1", "eight", "8 GPUs", "99999999999999999999"}) {
    RowFields row = With(wrong);
    EXPECT_FALSE(row.Whole("x", {})) << wrong;
    EXPECT_TRUE(row.failed()) << wrong;
  }
}

TEST_F(RowFieldsTest, WhatSaysThatItIsAbsentIsNoError) {
  for (const char* absent : {"", "None", "null", "NaN", "Unknown"}) {
    RowFields row = With(absent);
    EXPECT_FALSE(row.Whole("x", {}) || row.Time("x") || row.Seconds("x") || row.Length("x"));
    EXPECT_FALSE(row.failed()) << absent;
    row.RequiredWhole("x", {});
    EXPECT_TRUE(row.failed()) << absent;
  }
}

TEST_F(RowFieldsTest, SecondsAreKeptToTheMillisecond) {
  EXPECT_EQ(ParseSeconds("66.0"), Seconds(66));
  EXPECT_EQ(ParseSeconds("0.0014"), Millis(1));
  EXPECT_EQ(ParseSeconds("1e3"), Seconds(1'000));
  EXPECT_FALSE(ParseSeconds("-1"));
  EXPECT_FALSE(ParseSeconds("4e9")) << "more than a century";
  EXPECT_EQ(ParseThousandths("4e9"), 4'000'000'000'000) << "that is no length of time";
  EXPECT_EQ(ParseThousandths("12.5"), 12'500);
  EXPECT_FALSE(ParseThousandths("1.1e12"));
  EXPECT_FALSE(ParseThousandths("-1"));
}

TEST_F(RowFieldsTest, LengthsAndMomentsHaveTwoForms) {
  EXPECT_EQ(With("1h30m").Length("x"), Minutes(90));
  EXPECT_EQ(With("90").Length("x"), Seconds(90));
  EXPECT_EQ(With("2026-11-23T00:00:00Z").Moment("x"), AtSeconds(1'795'392'000));
  EXPECT_EQ(With("12.5").Moment("x"), AtMillis(12'500));
  RowFields row = With("soon");
  EXPECT_FALSE(row.Moment("x"));
  EXPECT_TRUE(row.failed());
}

TEST_F(RowFieldsTest, FlagsAreWords) {
  EXPECT_TRUE(With("yes").Flag("x", false));
  EXPECT_FALSE(With("0").Flag("x", true));
  EXPECT_TRUE(With("").Flag("x", true));
  RowFields row = With("maybe");
  row.Flag("x", true);
  EXPECT_TRUE(row.failed());
}

TEST_F(RowFieldsTest, TheFirstProblemIsKeptWithTheTimeThatItCosts) {
  RowFields row = With("eight");
  row.WouldTake(4, Hours(2));
  row.Whole("x", {1, 9});
  row.Fail("y", "is wrong too");
  const RefusedJob refused = row.Refusal(7, "a,eight");
  EXPECT_EQ(refused.field, "x");
  EXPECT_EQ(refused.reason, "'eight' is no whole number from 1 to 9");
  EXPECT_EQ(refused.gpu_time, WholeGpuHours(8));
  EXPECT_EQ(RefusalText("f.csv", refused),
            "f.csv, line 7, field x: 'eight' is no whole number from 1 to 9");
  row.Reset();
  EXPECT_FALSE(row.failed());
}

}  // namespace
}  // namespace plimsoll
