#include "units/time.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string Read(std::string_view text) {
  const auto t = ParseInstant(text);
  return t ? ToString(*t) : "refused";
}

TEST(TimeTest, ReadsTheSpellingsOfBillsAndLogs) {
  EXPECT_EQ(Read("2024-09-18 22:00:00"), "2024-09-18T22:00:00Z");
  EXPECT_EQ(Read("2024-09-18T22:00:00Z"), "2024-09-18T22:00:00Z");
  EXPECT_EQ(Read("2024-09-18T22:00Z"), "2024-09-18T22:00:00Z");
  EXPECT_EQ(Read("2024-09-18T22:00:00.5+01:30"), "2024-09-18T20:30:00.500Z");
  EXPECT_EQ(Read("2024-02-29"), "2024-02-29T00:00:00Z");
  EXPECT_EQ(Read("1969-12-31T23:59:59.999Z"), "1969-12-31T23:59:59.999Z");
}

TEST(TimeTest, RefusesTimesThatDoNotExist) {
  EXPECT_EQ(Read("2023-02-01T30:00:00Z"), "refused");
  EXPECT_EQ(Read("2023-02-29"), "refused");
  EXPECT_EQ(Read("2023-06-31T00:00:00Z"), "refused");
  EXPECT_EQ(Read("2023-06-30T00:00:00Zx"), "refused");
  EXPECT_EQ(Read("02/03/2021"), "refused");
  EXPECT_EQ(Read(""), "refused");
}

TEST(TimeTest, FloorsBeforeTheEpochToo) {
  EXPECT_EQ(FloorTo(AtMillis(-1), Hours(1)), AtMillis(-3'600'000));
  EXPECT_EQ(FloorTo(AtMillis(3'600'000), Hours(1)), AtMillis(3'600'000));
  EXPECT_EQ(CeilTo(AtMillis(1), Hours(1)), AtMillis(3'600'000));
}

TEST(TimeTest, MonthEndsWhereTheNextBegins) {
  const Window december = MonthOf(*ParseInstant("2026-12-31T23:59:59Z"));
  EXPECT_EQ(ToString(december), "2026-12-01T00:00:00Z/2027-01-01T00:00:00Z");
}

}  // namespace
}  // namespace plimsoll
