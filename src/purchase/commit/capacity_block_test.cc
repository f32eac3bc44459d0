#include "purchase/commit/capacity_block.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }
Instant At(const char* text) { return *ParseInstant(text); }

const Instant kNow = At("2026-12-01T00:00:00Z");

CapacityBlock P5(std::int64_t days) {
  return {At("2026-12-08T11:30:00Z"), days, 1, Amount("39.33"), false};
}

// A p5 at 39.33 for a day: 23.5 of 24 hours can be used, at 40.167 each.
TEST(CapacityBlockTest, ADayHasTwentyThreeAndAHalfHours) {
  const CapacityBlockTerms terms = *TermsOf(P5(1), kNow);
  EXPECT_EQ(terms.end, At("2026-12-09T11:30:00Z"));
  EXPECT_EQ(terms.terminates, At("2026-12-09T11:00:00Z"));
  EXPECT_EQ(terms.usable, Minutes(23 * 60 + 30));
  EXPECT_EQ(terms.cost, Amount("943.92"));
  EXPECT_EQ(terms.per_usable_hour.ToString().substr(0, 6), "40.166");
  EXPECT_EQ(terms.per_usable_hour, Amount("40.166808511"));
}

TEST(CapacityBlockTest, UltraServersEndAnHourBefore) {
  CapacityBlock block = P5(1);
  block.ultra_server = true;
  EXPECT_EQ(TermsOf(block, kNow)->terminates, At("2026-12-09T10:30:00Z"));
}

// A block that begins now, in the middle of a day, ends at the day's 11:30 all the same.
TEST(CapacityBlockTest, ALateBeginShortensTheFirstDay) {
  CapacityBlock block = P5(1);
  block.begin = At("2026-12-08T15:30:00Z");
  EXPECT_EQ(TermsOf(block, kNow)->end, At("2026-12-09T11:30:00Z"));
  block.begin = At("2026-12-08T03:30:00Z");
  EXPECT_EQ(TermsOf(block, kNow)->end, At("2026-12-08T11:30:00Z"));
}

TEST(CapacityBlockTest, IsSoldByDaysToFourteenAndThenByWeeks) {
  for (const std::int64_t days : {1, 13, 14, 21, 182}) EXPECT_TRUE(TermsOf(P5(days), kNow)) << days;
  for (const std::int64_t days : {0, 15, 20, 183, 189, -7}) {
    EXPECT_EQ(TermsOf(P5(days), kNow).error().code, ErrorCode::kInvalidArgument) << days;
  }
}

TEST(CapacityBlockTest, BeginsWithinEightWeeks) {
  CapacityBlock block = P5(1);
  block.begin = kNow + Days(56);
  EXPECT_TRUE(TermsOf(block, kNow));
  block.begin = kNow + Days(57);
  EXPECT_NE(TermsOf(block, kNow).error().message.find("eight weeks"), std::string::npos);
  block.begin = kNow - Hours(1);
  EXPECT_FALSE(TermsOf(block, kNow));
  block = P5(1);
  block.instances = 65;
  EXPECT_FALSE(TermsOf(block, kNow));
  block = P5(1);
  block.price = Money();
  EXPECT_FALSE(TermsOf(block, kNow));
}

// The block ends 11:30; a job of 40 minutes at 10:55 would be terminated from 11:00 on.
TEST(CapacityBlockTest, AJobThatOutlivesTheInstancesIsRefused) {
  const CapacityBlock block = P5(1);
  const CapacityBlockTerms terms = *TermsOf(block, kNow);
  const Status late = CheckJobFits(block, terms, At("2026-12-09T10:55:00Z"), Minutes(40));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_NE(late.error().message.find("at most 5 minutes"), std::string::npos);
  EXPECT_TRUE(CheckJobFits(block, terms, At("2026-12-09T10:20:00Z"), Minutes(40)));
  EXPECT_FALSE(CheckJobFits(block, terms, At("2026-12-09T11:10:00Z"), Minutes(1)));
  EXPECT_FALSE(CheckJobFits(block, terms, At("2026-12-08T11:00:00Z"), Minutes(1)));
}

}  // namespace
}  // namespace plimsoll
