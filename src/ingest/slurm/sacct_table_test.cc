#include "ingest/slurm/sacct_table.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kHeader = "JobID|State|Start|Elapsed|AllocTRES|NodeList|JobName";

TEST(SacctTableTest, ColumnsAreFoundInAnyOrderAndCase) {
  const auto table = SacctTable::FromHeader("NodeList|ALLOCTRES|elapsed|Start|State|JobID|Foo");
  ASSERT_TRUE(table);
  const auto fields = table->Split("g01|cpu=1|00:01:00|now|RUNNING|7|x");
  ASSERT_TRUE(fields);
  EXPECT_EQ(table->Get(*fields, SacctField::kJobId), "7");
  EXPECT_EQ(table->Get(*fields, SacctField::kNodeList), "g01");
  EXPECT_EQ(table->Get(*fields, SacctField::kWcKey), "");
  EXPECT_EQ(table->unused(), std::vector<std::string>{"Foo"});
}

TEST(SacctTableTest, EveryFieldIsFoundInItsOwnPlace) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kSacctFieldCount; ++i) texts.push_back(std::to_string(i));
  const std::vector<std::string_view> fields(texts.begin(), texts.end());
  for (std::size_t i = 0; i < kSacctFieldCount; ++i) {
    const auto field = static_cast<SacctField>(i);
    EXPECT_TRUE(SacctTable::EveryField().Has(field));
    EXPECT_EQ(SacctTable::EveryField().Get(fields, field), texts[i]);
  }
}

TEST(SacctTableTest, JobNameInTheLastColumnKeepsItsDelimiters) {
  const auto table = SacctTable::FromHeader(kHeader);
  const auto fields = table->Split("7|RUNNING|now|1|cpu=1|g01|train|with|pipes");
  ASSERT_TRUE(fields);
  EXPECT_EQ(table->Get(*fields, SacctField::kJobName), "train|with|pipes");
}

TEST(SacctTableTest, JobNameElsewhereWithADelimiterIsRefused) {
  const auto table = SacctTable::FromHeader("JobName|JobID|State|Start|Elapsed|AllocTRES|NodeList");
  EXPECT_FALSE(table->Split("a|b|7|RUNNING|now|1|cpu=1|g01"));
  EXPECT_FALSE(table->Split("short|row"));
}

TEST(SacctTableTest, TrailingDelimiterOfParsableIsNoColumn) {
  const auto table = SacctTable::FromHeader(std::string(kHeader) + "|");
  const auto fields = table->Split("7|RUNNING|now|1|cpu=1|g01|name|");
  ASSERT_TRUE(fields);
  EXPECT_EQ(table->Get(*fields, SacctField::kJobName), "name");
}

TEST(SacctTableTest, DelimiterIsTheHeadersOwn) {
  const auto table =
      SacctTable::FromHeader("JobID;;State;;Start;;Elapsed;;AllocTRES;;NodeList;;JobName");
  ASSERT_TRUE(table);
  const auto fields = table->Split("7;;RUNNING;;now;;1;;;;g01;;n");
  ASSERT_TRUE(fields);
  EXPECT_EQ(table->Get(*fields, SacctField::kNodeList), "g01");
}

TEST(SacctTableTest, MissingColumnsAreNamed) {
  const auto table = SacctTable::FromHeader("JobID|State|Start");
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().message.find("AllocTRES, NodeList, Elapsed"), std::string::npos);
}

TEST(SacctTableTest, TellsHeadersFromRows) {
  EXPECT_TRUE(SacctTable::IsHeader(kHeader));
  EXPECT_TRUE(SacctTable::IsHeader("User|JobID|State"));
  EXPECT_FALSE(SacctTable::IsHeader("900001|900001|hpc"));
  EXPECT_FALSE(SacctTable::IsHeader("NodeName=g01 Arch=x86_64"));
  const std::string row =
      "1|1|hpc|gpu|normal|nlp|g|1|u|1|s|e|s|e|00:01:00|0:0|CANCELLED by 7|1|1|1|m|r|a|t|g01|x|y";
  EXPECT_TRUE(SacctTable::IsDocumentedRow(row));
  EXPECT_FALSE(SacctTable::IsDocumentedRow("1|2|3"));
  EXPECT_FALSE(SacctTable::IsDocumentedRow(""));
}

}  // namespace
}  // namespace plimsoll
