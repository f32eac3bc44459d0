#include "catalog/csv.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(CsvTest, ReadsRecordsWithTheirLinesPastCommentsAndBlanks) {
  const CsvTable table = ReadCsv("\xEF\xBB\xBF# note\r\na,b\r\n\r\n1,2\r\n# x\n3,\n");
  EXPECT_EQ(table.header.fields, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(table.records.size(), 2U);
  EXPECT_EQ(table.records[0].line, 4);
  EXPECT_EQ(table.Field(table.records[0], "b"), "2");
  EXPECT_EQ(table.records[1].line, 6);
  EXPECT_EQ(table.Field(table.records[1], "b"), "");
  EXPECT_EQ(table.Field(table.records[1], "c"), "");
  EXPECT_TRUE(table.errors.empty());
}

TEST(CsvTest, QuotedFieldsKeepCommasAndQuotes) {
  const CsvTable table = ReadCsv("a,b\n\"x, \"\"y\"\"\",2\n");
  ASSERT_EQ(table.records.size(), 1U);
  EXPECT_EQ(table.records[0].fields[0], "x, \"y\"");
}

TEST(CsvTest, ABadRecordIsReportedWithItsLineAndTheRestIsRead) {
  const CsvTable table = ReadCsv("a,b\n1\n\"x,2\n\"x\"y,2\n1,2,3\n5,6");
  ASSERT_EQ(table.errors.size(), 4U);
  EXPECT_EQ(table.errors[0].line, 2);
  EXPECT_EQ(table.errors[0].reason, "has 1 fields, the header has 2");
  EXPECT_EQ(table.errors[1].reason, "a quoted field is not closed on its line");
  EXPECT_EQ(table.errors[2].reason, "text follows a closing quote");
  EXPECT_EQ(table.errors[3].raw, "1,2,3");
  ASSERT_EQ(table.records.size(), 1U);
  EXPECT_EQ(table.records[0].raw, "5,6");
}

TEST(CsvTest, EmptyTextHasNoHeader) {
  EXPECT_EQ(ReadCsv("").header.line, 0);
  EXPECT_EQ(ReadCsv("\n#x\n").header.line, 0);
}

TEST(CsvTest, AHeaderOfColumnsIsToldFromYaml) {
  EXPECT_TRUE(IsCsv("\n# of 2026: ours\nname,rate\na,1\n"));
  EXPECT_FALSE(IsCsv("offers: [a, b]\n"));
  EXPECT_FALSE(IsCsv("# nothing,\n"));
}

TEST(CsvTest, MissingColumnsAndDamagedRecordsAreProblems) {
  constexpr const char* kColumns[] = {"a", "c"};
  std::vector<Rejection> problems;
  EXPECT_FALSE(CheckTable(ReadCsv("a,b\n1,2\n1\n"), kColumns, "x.csv", problems));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].field, "c");
  EXPECT_EQ(problems[1].line, 3);
  EXPECT_TRUE(CheckTable(ReadCsv("a,c\n1,2\n"), kColumns, "x.csv", problems));
}

}  // namespace
}  // namespace plimsoll
