#include "ingest/requests/request_sql.h"

#include "ingest/requests/test_parquet.h"
#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

class RequestSqlTest : public RequestFilesTest {};

TEST_F(RequestSqlTest, ValuesOfOneFieldComeInTheOrderOfTheSpecs) {
  const std::string path = (folder_ / "log.parquet").string();
  ASSERT_TRUE(WriteParquet(path,
                           "SELECT NULL::DOUBLE AS first, 2::INTEGER AS second, "
                           "9e30::DOUBLE AS huge, 'x' AS \"odd \"\"name\"\"\""));
  ParquetFile file{path, "", TestParquet(), {}};
  ASSERT_TRUE(file.Describe());
  const auto fields = RequestFieldsSql(file, {{"first", RequestField::kTtft, TimeUnit::kSeconds},
                                              {"second", RequestField::kTtft, TimeUnit::kMillis},
                                              {"huge", RequestField::kE2e, TimeUnit::kNanos},
                                              {"odd \"name\"", RequestField::kModel, {}},
                                              {"absent", RequestField::kTpot, {}}});
  ASSERT_TRUE(fields) << fields.error().message;
  ASSERT_EQ(fields->size(), 3U);
  std::vector<std::optional<std::int64_t>> ttft, e2e;
  std::vector<std::string> model;
  const Status scanned = file.access.scan(
      {path, "SELECT " + fields->at(RequestField::kTtft) + ", " + fields->at(RequestField::kE2e) +
                 ", " + fields->at(RequestField::kModel)},
      {{"ttft", ColumnType::kOptInt64, &ttft},
       {"e2e", ColumnType::kOptInt64, &e2e},
       {"model", ColumnType::kText, &model}},
      [] { return Ok(); });
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(ttft[0], 2'000'000);
  EXPECT_EQ(e2e[0], kUnreadable);
  EXPECT_EQ(model[0], "x");
}

TEST_F(RequestSqlTest, AColumnWithoutNumbersIsNamed) {
  const std::string path = (folder_ / "log.parquet").string();
  ASSERT_TRUE(WriteParquet(path, "SELECT 'soon' AS ttft"));
  ParquetFile file{path, "", TestParquet(), {}};
  ASSERT_TRUE(file.Describe());
  const auto fields = RequestFieldsSql(file, {{"ttft", RequestField::kTtft, TimeUnit::kMillis}});
  ASSERT_FALSE(fields);
  EXPECT_NE(fields.error().message.find("column ttft is of type VARCHAR"), std::string::npos)
      << fields.error().message;
}

}  // namespace
}  // namespace plimsoll
