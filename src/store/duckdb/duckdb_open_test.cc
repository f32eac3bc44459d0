// Opening: what kinds of file there are, what they are called, and where the memory goes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

struct NumberBatch {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberBatch::value)};
};

class DuckDbOpenTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "plimsoll_open_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/a.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> Files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  Error FailureOf(const std::string& path) {
    const auto opened = OpenDuckDb({.path = path});
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error();
  }
  static std::int64_t Number(Store& store, const std::string& sql) {
    const auto rows = Query<NumberBatch>(store, sql);
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().message);
    return rows && !rows->value.empty() ? rows->value[0] : -1;
  }

  std::string folder_;
  std::string path_;
};

TEST_F(DuckDbOpenTest, WhatWasCommittedIsThereAfterReopening) {
  {
    const auto store = OpenDuckDb({.path = path_});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->Execute("CREATE TABLE t AS SELECT 42::BIGINT AS a", {}));
    ASSERT_TRUE((*store)->Begin());
    ASSERT_TRUE((*store)->Execute("INSERT INTO t VALUES (1)", {}));
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"a.db"});
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(Number(**store, "SELECT sum(a)::BIGINT FROM t"), 42);
}

TEST_F(DuckDbOpenTest, AFileIsOpenOnceInAProcess) {
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(FailureOf(path_).code, ErrorCode::kFailedPrecondition);
}

TEST_F(DuckDbOpenTest, AFolderThatIsMissingIsNotFound) {
  const Error error = FailureOf(folder_ + "/no/a.db");
  EXPECT_EQ(error.code, ErrorCode::kNotFound) << error.message;
  EXPECT_NE(error.message.find("folder does not exist"), std::string::npos) << error.message;
}

TEST_F(DuckDbOpenTest, WhatIsNoDatabaseIsBadData) {
  std::ofstream(path_) << "BillingAccountId,EffectiveCost\n1,2\n";
  EXPECT_EQ(FailureOf(path_).code, ErrorCode::kBadData);
  std::ofstream(path_, std::ios::trunc) << "";
  EXPECT_EQ(FailureOf(path_).code, ErrorCode::kBadData);
  const Error folder = FailureOf(folder_);
  EXPECT_EQ(folder.code, ErrorCode::kBadData) << folder.message;
}

TEST_F(DuckDbOpenTest, ACutOrDamagedDatabaseIsBadDataAndNeverACrash) {
  ASSERT_TRUE(OpenDuckDb({.path = path_}));
  const auto size = std::filesystem::file_size(path_);
  for (const std::uintmax_t length : {std::uintmax_t{100}, std::uintmax_t{5'000}}) {
    const std::string cut = folder_ + "/cut.db";
    std::filesystem::copy_file(path_, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, length);
    const Error error = FailureOf(cut);
    EXPECT_EQ(error.code, ErrorCode::kBadData) << length << " of " << size << error.message;
  }
  {
    std::fstream damage(path_, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(4'100);  // both database headers
    damage << std::string(8'000, '\x5A');
  }
  const Error error = FailureOf(path_);
  EXPECT_EQ(error.code, ErrorCode::kBadData) << error.message;
}

TEST_F(DuckDbOpenTest, AnotherProgramsDatabaseIsRefused) {
  {
    const auto store = OpenDuckDb({.path = path_});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->Execute("DROP TABLE schema_version", {}));
  }
  EXPECT_EQ(FailureOf(path_).code, ErrorCode::kBadData);
}

TEST_F(DuckDbOpenTest, ARemnantOfAKilledFirstRunIsReplaced) {
  std::ofstream(path_ + ".new") << "half a header";
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(Files(), std::vector<std::string>{"a.db"});
}

TEST_F(DuckDbOpenTest, ASettingThatIsNoneIsNamed) {
  const auto store = OpenDuckDb({.path = path_, .memory_limit = "a lot"});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(store.error().message.find("memory_limit"), std::string::npos) << store.error().message;
}

TEST_F(DuckDbOpenTest, AScanDoesNotHoldItsResultInMemory) {
  // In memory there is nowhere to spill: 20 million rows gathered would be 160 MB.
  const auto store = OpenDuckDb({.path = "", .threads = 2, .memory_limit = "60MB"});
  ASSERT_TRUE(store) << store.error().message;
  NumberBatch chunk;
  std::int64_t rows = 0;
  const Status scanned =
      (*store)->Stream("SELECT range FROM range(20000000)", {}, RefTo(chunk), [&] {
        rows += static_cast<std::int64_t>(RowsOf(chunk));
        return Ok();
      });
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(rows, 20'000'000);
}

TEST_F(DuckDbOpenTest, ASortLargerThanTheMemoryLimitSpillsBesideTheFile) {
  const std::string sql = "SELECT range FROM range(10000000) ORDER BY hash(range)";
  const auto count = [&](const DuckDbOptions& options) {
    const auto store = OpenDuckDb(options);
    EXPECT_TRUE(store) << store.error().message;
    NumberBatch chunk;
    return (*store)->Stream(sql, {}, RefTo(chunk), [] { return Ok(); });
  };
  const Status in_memory = count({.path = "", .threads = 1, .memory_limit = "60MB"});
  ASSERT_FALSE(in_memory);
  EXPECT_EQ(in_memory.error().code, ErrorCode::kUnavailable) << in_memory.error().message;
  const Status on_disk = count({.path = path_, .threads = 1, .memory_limit = "60MB"});
  EXPECT_TRUE(on_disk) << on_disk.error().message;
  EXPECT_EQ(Files(), std::vector<std::string>{"a.db"});
}

TEST_F(DuckDbOpenTest, ADatabaseReadsNoOtherFiles) {
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_TRUE(store) << store.error().message;
  std::ofstream(folder_ + "/secret.csv") << "a\n1\n";
  EXPECT_FALSE(
      (*store)->Execute("CREATE TABLE t AS FROM read_csv('" + folder_ + "/secret.csv')", {}));
}

}  // namespace
}  // namespace plimsoll
