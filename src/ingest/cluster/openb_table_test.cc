#include "ingest/cluster/openb_table.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const std::vector<OpenbColumn> kColumns{{"the name", {{"name"}, {"id"}}},
                                        {"CPU", {{"cpu_milli"}, {"cores", 1'000}}},
                                        {"GPUs", {{"gpu"}}, false}};

std::vector<std::int64_t> Cpus(const std::string& text, std::string_view known = "") {
  std::vector<std::int64_t> cpus;
  const Status read = ReadOpenbRows("f.csv", text, kColumns, known, [&](OpenbRow& row) {
    if (const auto cpu = row.Amount(1, 1'000'000)) cpus.push_back(*cpu);
  });
  EXPECT_TRUE(read.has_value()) << read.error().message;
  return cpus;
}

std::string ErrorOf(const std::string& text) {
  const Status read = ReadOpenbRows("f.csv", text, kColumns, "", [](OpenbRow& row) {
    static_cast<void>(row.Amount(1, 1'000'000));
  });
  return read.has_value() ? "" : read.error().message;
}

TEST(OpenbTableTest, ColumnsAreFoundByAnyOfTheirNamesInAnyOrder) {
  EXPECT_EQ(Cpus("cpu_milli,name\n500,a\n"), (std::vector<std::int64_t>{500}));
  EXPECT_EQ(Cpus("id,x,cores\na,,2\nb,,0.5\n"), (std::vector<std::int64_t>{2'000, 500}));
  EXPECT_EQ(Cpus("\xEF\xBB\xBFname,cpu_milli\r\n\"a\",7\r\n"), (std::vector<std::int64_t>{7}));
}

TEST(OpenbTableTest, AFileWithoutHeaderHasTheKnownOne) {
  EXPECT_EQ(Cpus("a,2,5\n", "id,cores,gpu"), (std::vector<std::int64_t>{2'000}));
  EXPECT_EQ(Cpus("id,cores,gpu\na,2,5\n", "id,cores,gpu"), (std::vector<std::int64_t>{2'000}));
}

TEST(OpenbTableTest, AMissingColumnIsNamed) {
  EXPECT_EQ(ErrorOf("name,gpu\na,1\n"),
            "f.csv:1: the header has no column cpu_milli or cores for CPU");
  EXPECT_EQ(ErrorOf("name,cpu_milli,name\n"), "f.csv:1: column 'name' is twice");
  EXPECT_EQ(ErrorOf(""), "f.csv: is empty");
}

TEST(OpenbTableTest, EveryRowThatIsWrongIsNamedWithItsField) {
  EXPECT_EQ(ErrorOf("name,cpu_milli\na,x\nb,1\nc,-2\nd\n"),
            "f.csv:2: cpu_milli 'x' is no number from 0 on\n"
            "f.csv:4: cpu_milli '-2' is no number from 0 on\n"
            "f.csv:5: has 1 fields, the header has 2");
  EXPECT_EQ(ErrorOf("name,cores\na,1001\n"), "f.csv:2: cores '1001' is more than 1000");
  EXPECT_NE(ErrorOf("name,cpu_milli\n\"a,1\n"), "");
}

TEST(OpenbTableTest, ManyWrongRowsAreCounted) {
  std::string text = "name,cpu_milli\n";
  for (int i = 0; i < 30; ++i) text += "a,x\n";
  EXPECT_TRUE(ErrorOf(text).ends_with("f.csv: and 10 more"));
}

}  // namespace
}  // namespace plimsoll
