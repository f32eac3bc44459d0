#include "store/duckdb/parquet.h"

#include <duckdb.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class ParquetTest : public testing::Test {
 protected:
  ParquetTest()
      : folder_(fs::temp_directory_path() / ("plimsoll_parquet_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~ParquetTest() override { fs::remove_all(folder_); }

  void WriteParquet(const std::string& select) {
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    duckdb_result result;
    duckdb_open(nullptr, &database);
    duckdb_connect(database, &connection);
    const std::string sql =
        "COPY (" + select + ") TO '" + (folder_ / "a.parquet").string() + "' (FORMAT parquet)";
    EXPECT_EQ(duckdb_query(connection, sql.c_str(), &result), DuckDBSuccess)
        << duckdb_result_error(&result);
    duckdb_destroy_result(&result);
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }
  std::string Csv() {
    const Status done =
        ParquetToCsv((folder_ / "a.parquet").string(), (folder_ / "a.csv").string());
    if (!done) return "error: " + done.error().message;
    std::ifstream file(folder_ / "a.csv", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

TEST_F(ParquetTest, KeepsNullsTextsAndNumbersApart) {
  WriteParquet(
      "SELECT 'NULL' AS a, NULL::VARCHAR AS b, 1e-8::DOUBLE AS c, 0.1::DOUBLE AS d, "
      "'00012' AS \"e\"\"f\", 1.50::DECIMAL(38,10) AS g");
  EXPECT_EQ(Csv(),
            "\"a\",\"b\",\"c\",\"d\",\"e\"\"f\",\"g\"\n"
            "\"NULL\",,\"1e-08\",\"0.1\",\"00012\",\"1.5000000000\"\n");
}

TEST_F(ParquetTest, MapsAreJsonAndTimesUtc) {
  WriteParquet(
      "SELECT MAP {'team': 'a'} AS tags, TIMESTAMPTZ '2025-06-01 02:00:00+02' AS t, "
      "TIMESTAMP '2025-06-01 00:00:00' AS u");
  EXPECT_EQ(Csv(),
            "\"tags\",\"t\",\"u\"\n"
            "\"{\"\"team\"\":\"\"a\"\"}\",\"2025-06-01 00:00:00\",\"2025-06-01 00:00:00\"\n");
}

TEST_F(ParquetTest, BrokenFileIsBadData) {
  std::ofstream(folder_ / "a.parquet") << "PAR1 and then nothing of use PAR1";
  EXPECT_EQ(Csv().substr(0, 36), "error: not a readable Parquet file: ");
}

}  // namespace
}  // namespace plimsoll
