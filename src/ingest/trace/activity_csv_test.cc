#include "ingest/trace/activity_csv.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto reading = ReadActivityCsv("a.csv", text);
  return reading ? "" : reading.error().message;
}

TEST(ActivityCsvTest, ReadsSharesOfHours) {
  const ActivityReading reading =
      *ReadActivityCsv("a.csv",
                       "instance,hour,activity\nb,2026-11-01T01:00Z,0.25\na,2026-11-01T00:00Z,80%\n"
                       "b,2026-11-01T00:00Z,0\nb,2026-11-01T00:00Z,0.0\n");
  ASSERT_EQ(reading.instances.size(), 2U);
  EXPECT_EQ(reading.instances[0].active, (std::vector<std::int64_t>{800'000}));
  EXPECT_EQ(reading.instances[1].active, (std::vector<std::int64_t>{0, 250'000}));
  EXPECT_EQ(reading.duplicates, 1);
  EXPECT_EQ(ToString(reading.window), "2026-11-01T00:00:00Z/2026-11-01T02:00:00Z");
}

TEST(ActivityCsvTest, RefusesWhatIsNoShare) {
  for (const char* value : {"", "1.01", "-0.1", "101%", "busy"}) {
    EXPECT_NE(ErrorOf(std::string("instance,hour,activity\na,2026-11-01T00:00Z,") + value + "\n"),
              "")
        << value;
  }
  EXPECT_NE(ErrorOf("instance,hour,activity\n,2026-11-01T00:00Z,1\n"), "");
  EXPECT_NE(ErrorOf("instance,hour,activity\n"), "");
}

TEST(ActivityCsvTest, AnHourWithTwoValuesIsAnError) {
  EXPECT_NE(ErrorOf("instance,hour,activity\na,2026-11-01T00:00Z,1\na,2026-11-01T00:00Z,0\n")
                .find("in line 2"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
