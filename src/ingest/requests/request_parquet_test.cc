#include "ingest/requests/request_parquet.h"

#include "ingest/requests/test_parquet.h"
#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

class RequestParquetTest : public RequestFilesTest {
 protected:
  Result<RequestRows> ReadSelect(const std::string& select,
                                 const std::vector<std::string>& maps = {}) {
    const std::string path = (folder_ / "log.parquet").string();
    EXPECT_TRUE(WriteParquet(path, select)) << select;
    RequestReaderOptions options;
    options.files = {path};
    options.parquet = TestParquet();
    for (const std::string& map : maps) options.maps.push_back(*ParseRequestMap(map));
    return ReadAll(options);
  }
};

TEST_F(RequestParquetTest, ColumnsOfEveryTypeAreTheirValues) {
  const Result<RequestRows> rows = ReadSelect(
      "SELECT 'a' AS request, TIMESTAMP_NS '2025-12-01 00:00:00.000500001' AS arrival, 'llama' AS "
      "model, 12.5::DOUBLE AS ttft_ms, 1.25::DECIMAL(9,3) AS e2e_s, 100::INTEGER AS input_tokens, "
      "40::UTINYINT AS cached_tokens, 10::BIGINT AS output_tokens, 'success' AS status UNION ALL "
      "SELECT 'b', TIMESTAMP_NS '2025-12-01 00:00:01', NULL, 'nan'::DOUBLE, NULL, NULL, NULL, 0, "
      "'504'");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->rest_ns.size(), 2U);
  const RequestBatch& batch = rows->batch;
  EXPECT_EQ(batch.arrival[0], AtMillis(1'764'547'200'000));
  EXPECT_EQ(rows->rest_ns[0], 500'001);
  EXPECT_EQ(batch.ttft_ns[0], 12'500'000);
  EXPECT_EQ(batch.e2e_ns[0], 1'250'000'000);
  EXPECT_EQ(batch.input_tokens[0], 100);
  EXPECT_EQ(batch.cached_tokens[0], 40);
  EXPECT_EQ(batch.status[0], "ok");
  EXPECT_EQ(batch.model[1], "");
  EXPECT_EQ(batch.ttft_ns[1], std::nullopt);
  EXPECT_EQ(batch.status[1], "timeout");
  EXPECT_EQ(batch.tpot_ns[1], std::nullopt);
}

TEST_F(RequestParquetTest, TimesApartBecomeLengthsAndDamagedRowsAreRefusedByNumber) {
  const Result<RequestRows> rows = ReadSelect(
      "SELECT i AS request, 1764547200.5 + i AS arrival, 1764547201 + i + (CASE i WHEN 3 THEN -5 "
      "ELSE 0 END) AS first_token_s, (CASE i WHEN 4 THEN -1 ELSE 7 END) AS output_tokens, 5 AS "
      "input_tokens, (CASE i WHEN 5 THEN 6 END) AS cached_tokens, (CASE i WHEN 6 THEN 'huh' END) "
      "AS "
      "status, 9000::BIGINT AS end_ms FROM range(8) t(i)");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->rest_ns.size(), 0U);  // end_ms lies in 1970, before every arrival
  EXPECT_EQ(reading.rejected, 8);
  const Result<RequestRows> some = ReadSelect(
      "SELECT i AS request, 1764547200.5 + i AS arrival, 1764547201 + i + (CASE i WHEN 3 THEN -5 "
      "ELSE 0 END) AS first_token_s, (CASE i WHEN 4 THEN -1 ELSE 7 END) AS output_tokens, 5 AS "
      "input_tokens, (CASE i WHEN 5 THEN 6 END) AS cached_tokens, (CASE i WHEN 6 THEN 'huh' END) "
      "AS "
      "status FROM range(8) t(i)");
  ASSERT_TRUE(some) << some.error().message;
  ASSERT_EQ(some->rest_ns.size(), 4U);
  EXPECT_EQ(some->batch.ttft_ns[0], 500'000'000);
  EXPECT_EQ(some->batch.request[3], "7");
  std::vector<std::string> where;
  for (const Rejection& r : reading.rejections) where.push_back(std::to_string(r.line) + r.field);
  EXPECT_EQ(where,
            (std::vector<std::string>{"4ttft", "5output_tokens", "6cached_tokens", "7status"}));
}

TEST_F(RequestParquetTest, SeveralChunksAndMapsAndService) {
  const Result<RequestRows> rows = ReadSelect("SELECT i AS ts, i % 7 AS toks FROM range(5000) t(i)",
                                              {"arrival=ts:ms", "output_tokens=toks"});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->rest_ns.size(), 5'000U);
  EXPECT_EQ(rows->batch.arrival[4'999], AtMillis(4'999));
  EXPECT_EQ(rows->batch.output_tokens[4'999], 4'999 % 7);
  EXPECT_EQ(reading.accepted, 5'000);
}

TEST_F(RequestParquetTest, TextWhereANumberIsNeededSaysSo) {
  const Result<RequestRows> rows = ReadSelect("SELECT '2025-12-01' AS arrival, 1 AS ttft_ms");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::kBadData);
  EXPECT_NE(rows.error().message.find("column arrival"), std::string::npos);
  EXPECT_EQ(ReadSelect("SELECT 1 AS colour").error().code, ErrorCode::kBadData);
}

TEST_F(RequestParquetTest, SameRowsAsCsvAndParquetAreTheSameRequests) {
  const std::string select =
      "SELECT 'r' || i AS request, make_timestamp(1764547200000000 + i * 1001) AS arrival, 'm' || "
      "(i % 3) AS model, i % 997 AS ttft_ms, 1000 + i % 313 AS e2e_ms, i % 4001 AS output_tokens, "
      "(CASE WHEN i % 11 = 0 THEN 'error' ELSE 'ok' END) AS status FROM range(3000) t(i)";
  const Result<RequestRows> parquet = ReadSelect(select);
  ASSERT_TRUE(parquet) << parquet.error().message;
  const std::string csv = (folder_ / "log.csv").string();
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
  const std::string copy = "COPY (" + select + ") TO '" + csv + "' (FORMAT csv, HEADER)";
  ASSERT_EQ(duckdb_query(connection, copy.c_str(), nullptr), DuckDBSuccess);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  const Result<RequestRows> text =
      ReadAll({.files = {csv}, .maps = {}, .service = "", .parquet = {}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->rest_ns, parquet->rest_ns);
  EXPECT_EQ(text->batch.arrival, parquet->batch.arrival);
  EXPECT_EQ(text->batch.request, parquet->batch.request);
  EXPECT_EQ(text->batch.ttft_ns, parquet->batch.ttft_ns);
  EXPECT_EQ(text->batch.e2e_ns, parquet->batch.e2e_ns);
  EXPECT_EQ(text->batch.output_tokens, parquet->batch.output_tokens);
  EXPECT_EQ(text->batch.status, parquet->batch.status);
}

}  // namespace
}  // namespace plimsoll
