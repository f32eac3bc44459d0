// A checkpoint that was cut off is undone, one that came to its end is kept.
#include "store/duckdb/duckdb_undo.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBlock = 262'144;

struct NumberBatch {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberBatch::value)};
};

class DuckDbUndoTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "plimsoll_undo_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/a.db";
    undo_ = path_ + ".undo";
    Insert(42);
    blocks_ = static_cast<std::int64_t>(std::filesystem::file_size(path_)) / kBlock;
    ASSERT_GE(blocks_, 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Insert(std::int64_t value) const {
    const auto store = OpenDuckDb({.path = path_});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->Execute("CREATE TABLE IF NOT EXISTS t (value BIGINT)", {}));
    ASSERT_TRUE((*store)->Execute("INSERT INTO t VALUES (?)", {value}));
  }
  std::vector<std::int64_t> Values() const {
    const auto store = OpenDuckDb({.path = path_});
    EXPECT_TRUE(store) << store.error().message;
    if (!store) return {};
    const auto rows = Query<NumberBatch>(**store, "SELECT value FROM t ORDER BY value");
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? rows->value : std::vector<std::int64_t>{};
  }
  void SaveUndo() const {
    const auto file = duck::DatabaseFile::Open(path_);
    ASSERT_TRUE(file) << file.error().message;
    std::vector<std::int64_t> all;
    for (std::int64_t block = 0; block < blocks_; ++block) all.push_back(block);
    const Status saved = file->SaveUndo(all, kBlock);
    ASSERT_TRUE(saved) << saved.error().message;
    ASSERT_TRUE(std::filesystem::exists(undo_));
  }
  // As a write of each block that was cut in the middle.
  void TearBlocks() const {
    std::fstream damage(path_, std::ios::in | std::ios::out | std::ios::binary);
    for (std::int64_t block = 0; block < blocks_; ++block) {
      damage.seekp(3 * 4096 + block * kBlock);
      damage << std::string(9'000, '\x5A');
    }
  }

  std::string folder_;
  std::string path_;
  std::string undo_;
  std::int64_t blocks_ = 0;
};

TEST_F(DuckDbUndoTest, BlocksThatWereTornArePutBack) {
  SaveUndo();
  TearBlocks();
  EXPECT_EQ(Values(), std::vector<std::int64_t>{42});
  EXPECT_FALSE(std::filesystem::exists(undo_));
}

TEST_F(DuckDbUndoTest, WithoutAnUndoFileTornBlocksAreBadData) {
  TearBlocks();
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kBadData) << store.error().message;
}

TEST_F(DuckDbUndoTest, ACheckpointThatCameToItsEndIsKept) {
  SaveUndo();
  std::filesystem::rename(undo_, folder_ + "/aside");
  Insert(43);
  std::filesystem::rename(folder_ + "/aside", undo_);
  EXPECT_EQ(Values(), (std::vector<std::int64_t>{42, 43}));
  EXPECT_FALSE(std::filesystem::exists(undo_));
}

TEST_F(DuckDbUndoTest, ADamagedUndoFileIsNamedAndNothingIsWritten) {
  SaveUndo();
  std::filesystem::resize_file(undo_, std::filesystem::file_size(undo_) - 1);
  const auto store = OpenDuckDb({.path = path_});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kBadData);
  EXPECT_NE(store.error().message.find(undo_), std::string::npos) << store.error().message;
  std::filesystem::remove(undo_);
  EXPECT_EQ(Values(), std::vector<std::int64_t>{42});
}

// The other process may be in the middle of the checkpoint that the undo file belongs to.
TEST_F(DuckDbUndoTest, AFileThatIsInUseIsNotPutBack) {
  SaveUndo();
  int ready[2];
  int done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    const int descriptor = ::open(path_.c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    const char locked = ::fcntl(descriptor, F_SETLK, &lock) == 0 ? 'y' : 'n';
    char end = 0;
    ::close(done[1]);
    const bool told = ::write(ready[1], &locked, 1) == 1 && ::read(done[0], &end, 1) >= 0;
    ::_exit(told ? 0 : 1);
  }
  char locked = 0;
  ASSERT_EQ(::read(ready[0], &locked, 1), 1);
  ASSERT_EQ(locked, 'y');
  {
    const auto store = OpenDuckDb({.path = path_});
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::kUnavailable) << store.error().message;
  }
  EXPECT_TRUE(std::filesystem::exists(undo_));
  ::close(done[1]);
  ::waitpid(other, nullptr, 0);
  for (const int end : {ready[0], ready[1], done[0]}) ::close(end);
  EXPECT_EQ(Values(), std::vector<std::int64_t>{42});
}

// What the store itself does: nothing beside the file once it is closed.
TEST_F(DuckDbUndoTest, AClosedDatabaseIsOneFile) {
  for (int i = 0; i < 3; ++i) Insert(i);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(names, std::vector<std::string>{"a.db"});
  EXPECT_EQ(Values(), (std::vector<std::int64_t>{0, 1, 2, 42}));
}

}  // namespace
}  // namespace plimsoll
