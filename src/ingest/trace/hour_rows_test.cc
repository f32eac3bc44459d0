#include "ingest/trace/hour_rows.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

struct Read {
  std::vector<std::string> rows;
  HourNotes notes;
  std::string errors;
};

Read ReadAll(const std::string& text, bool name_required = false) {
  Read read;
  LineErrors errors("f.csv");
  const auto notes =
      ReadHourRows("f.csv", text, {"flavor", "usage", name_required}, errors,
                   [&](const HourRow& row) -> std::string {
                     if (row.value == "bad") return "is bad";
                     read.rows.push_back(std::string(row.name) + "@" + ToString(row.hour) + "=" +
                                         std::string(row.value));
                     return "";
                   });
  if (notes) read.notes = *notes;
  read.errors = !notes ? notes.error().message : errors.empty() ? "" : errors.ToError().message;
  return read;
}

TEST(HourRowsTest, ReadsColumnsInAnyOrder) {
  const Read read = ReadAll("usage,host,hour,flavor\n3,a,2026-11-01T09:00:00+01:00,H100\n");
  EXPECT_EQ(read.rows, (std::vector<std::string>{"H100@2026-11-01T08:00:00Z=3"}));
  EXPECT_EQ(read.notes.ignored, (std::vector<std::string>{"host"}));
  EXPECT_EQ(read.notes.without_offset, 0);
}

TEST(HourRowsTest, HoursWithoutAnOffsetAreCounted) {
  const Read read = ReadAll("hour,usage\n2026-11-01T09:00:00,3\n2026-11-01 10:00:00,3\n");
  EXPECT_EQ(read.notes.without_offset, 2);
  EXPECT_EQ(read.notes.rows, 2);
  EXPECT_EQ(ReadAll("hour,usage\n2026-11-01T09:00:00-05:00,3\n").notes.without_offset, 0);
}

TEST(HourRowsTest, EveryWrongRowIsNamed) {
  const Read read = ReadAll(
      "hour,usage\n2026-11-01,1\n2026-11-01T00:00Z,bad\n2026-11-01T00:30Z,1\n2026-11-01T01:00Z\n"
      "soon,1\n2026-11-01T02:00Z,1\n");
  EXPECT_EQ(read.errors,
            "f.csv:2: '2026-11-01' is not an hour such as 2026-11-01T09:00:00+01:00\n"
            "f.csv:3: is bad\n"
            "f.csv:4: 2026-11-01T00:30Z is not a whole number of hours from the first row: hours "
            "begin at the same minute\n"
            "f.csv:5: has 1 fields, not 2\n"
            "f.csv:6: 'soon' is not an hour such as 2026-11-01T09:00:00+01:00");
  EXPECT_EQ(read.rows.size(), 1U);
}

// A zone that is off by half an hour is as good as any.
TEST(HourRowsTest, HoursBeginAtTheSameMinute) {
  EXPECT_EQ(
      ReadAll("hour,usage\n2026-11-01T09:00:00+05:30,1\n2026-11-01T10:00:00+05:30,1\n").errors, "");
}

TEST(HourRowsTest, HeadersAreChecked) {
  EXPECT_EQ(ReadAll("").errors, "f.csv: is empty");
  EXPECT_NE(ReadAll("time,usage\n").errors.find("it is 'time,usage'"), std::string::npos);
  EXPECT_NE(ReadAll("hour,usage\n", true).errors.find("hour, usage and flavor"), std::string::npos);
  EXPECT_NE(ReadAll("hour,hour,usage\n").errors.find("is twice"), std::string::npos);
  EXPECT_NE(ReadAll("hour,usage,flavor\n2026-11-01T00:00Z,1,\n", true).errors.find("is empty"),
            std::string::npos);
}

TEST(HourRowsTest, ManyErrorsAreCutShortAndCounted) {
  std::string text = "hour,usage\n";
  for (int i = 0; i < 25; ++i) text += "soon,1\n";
  const std::string errors = ReadAll(text).errors;
  EXPECT_NE(errors.find("\nf.csv: and 5 more"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
