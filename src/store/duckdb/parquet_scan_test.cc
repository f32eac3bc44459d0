#include "store/duckdb/parquet_scan.h"

#include <duckdb.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class ParquetScanTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() /
        ("plimsoll-parquet-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& select) {
    const std::string path = (folder_ / name).string();
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    EXPECT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
    EXPECT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
    const std::string sql = "COPY (" + select + ") TO '" + path + "' (FORMAT parquet)";
    EXPECT_EQ(duckdb_query(connection, sql.c_str(), nullptr), DuckDBSuccess);
    duckdb_disconnect(&connection);
    duckdb_close(&database);
    return path;
  }

  fs::path folder_;
};

TEST_F(ParquetScanTest, DescribesNamesAndTypesInOrder) {
  const std::string path = Write("a.parquet", "SELECT 1::BIGINT AS n, 'x' AS \"odd name\"");
  const auto columns = DescribeParquet(path);
  ASSERT_TRUE(columns) << columns.error().message;
  const std::vector<std::pair<std::string, std::string>> expected{{"n", "BIGINT"},
                                                                  {"odd name", "VARCHAR"}};
  EXPECT_EQ(*columns, expected);
}

TEST_F(ParquetScanTest, RowsComeInOrderWithSymbolsThatAlternate) {
  const std::string path =
      Write("b.parquet", "SELECT i AS n, 'name-' || (i * 7 % 300) AS s FROM range(10000) t(i)");
  std::vector<std::int64_t> numbers;
  std::vector<Symbol> names;
  std::int64_t next = 0;
  const Status scanned =
      ScanParquet({path, "SELECT n, s"},
                  {{"n", ColumnType::kInt64, &numbers}, {"s", ColumnType::kSymbol, &names}}, [&] {
                    for (std::size_t i = 0; i < numbers.size(); ++i, ++next) {
                      EXPECT_EQ(numbers[i], next);
                      EXPECT_EQ(names[i].text(), "name-" + std::to_string(next * 7 % 300));
                    }
                    return Ok();
                  });
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(next, 10'000);
}

TEST_F(ParquetScanTest, PatternCharactersInANameAreThatName) {
  const std::string path = Write("[c]*?.parquet", "SELECT 5::BIGINT AS n");
  std::vector<std::int64_t> numbers;
  const Status scanned =
      ScanParquet({path, "SELECT n"}, {{"n", ColumnType::kInt64, &numbers}}, [] { return Ok(); });
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(numbers, std::vector<std::int64_t>{5});
}

TEST_F(ParquetScanTest, DamagedFileIsBadData) {
  const std::string path = (folder_ / "d.parquet").string();
  std::ofstream(path) << "PAR1 but not for long";
  const auto columns = DescribeParquet(path);
  ASSERT_FALSE(columns);
  EXPECT_NE(columns.error().message.find(path), std::string::npos) << columns.error().message;
}

TEST_F(ParquetScanTest, ErrorOfTheTakerStopsTheScan) {
  const std::string path = Write("e.parquet", "SELECT i AS n FROM range(10000) t(i)");
  std::vector<std::int64_t> numbers;
  const Status scanned = ScanParquet({path, "SELECT n"}, {{"n", ColumnType::kInt64, &numbers}}, [] {
    return Status(Error{ErrorCode::kOutOfRange, "enough"});
  });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().message, "enough");
}

TEST_F(ParquetScanTest, RowsMayBeAddedUp) {
  const std::string path =
      Write("g.parquet", "SELECT i AS n, 'name-' || (i % 3) AS s FROM range(9) t(i)");
  std::vector<std::int64_t> sums;
  std::vector<Symbol> names;
  const Status scanned = ScanParquet(
      {path, "WITH told AS (SELECT s AS name, n",
       ") SELECT name, sum(n)::BIGINT FROM told GROUP "
       "BY name ORDER BY name"},
      {{"s", ColumnType::kSymbol, &names}, {"n", ColumnType::kInt64, &sums}}, [] { return Ok(); });
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(names, (std::vector<Symbol>{Symbol("name-0"), Symbol("name-1"), Symbol("name-2")}));
  EXPECT_EQ(sums, (std::vector<std::int64_t>{9, 12, 15}));
}

TEST_F(ParquetScanTest, AValueWithoutAnAnswerFailsAndNamesTheFile) {
  const std::string path = Write("o.parquet", "SELECT 9223372036854775807 AS n");
  std::vector<std::int64_t> numbers;
  const Status scanned = ScanParquet({path, "SELECT n + n"}, {{"n", ColumnType::kInt64, &numbers}},
                                     [] { return Ok(); });
  ASSERT_FALSE(scanned);
  EXPECT_NE(scanned.error().message.find(path), std::string::npos) << scanned.error().message;
}

}  // namespace
}  // namespace plimsoll
