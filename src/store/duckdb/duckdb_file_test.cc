#include "store/duckdb/duckdb_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace plimsoll::duck {
namespace {

class DuckDbFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "plimsoll_file_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/a.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Status WriteText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
    return Ok();
  }
  static std::string ReadText(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_;
  std::string path_;
};

TEST_F(DuckDbFileTest, AFileIsClaimedOnceByWhateverName) {
  auto claim = PathClaim::Take(path_);
  ASSERT_TRUE(claim);
  const auto again = PathClaim::Take(folder_ + "/./x/../a.db");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_TRUE(PathClaim::Take(folder_ + "/b.db"));
  {
    const PathClaim moved(*std::move(claim));
    EXPECT_FALSE(PathClaim::Take(path_));
  }
  EXPECT_TRUE(PathClaim::Take(path_));
}

TEST_F(DuckDbFileTest, AFileIsCreatedWholeOrNotAtAll) {
  const Status failed = CreateWhole(path_, [&](const std::string& unfinished) {
    EXPECT_TRUE(WriteText(unfinished, "half"));
    return Status(Error{ErrorCode::kUnavailable, "full"});
  });
  EXPECT_EQ(failed.error().message, "full");
  EXPECT_FALSE(FileExists(path_));
  const Status made = CreateWhole(
      path_, [&](const std::string& unfinished) { return WriteText(unfinished, "whole"); });
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ReadText(path_), "whole");
  EXPECT_FALSE(FileExists(path_ + ".new"));
}

TEST_F(DuckDbFileTest, ABrokenRemnantIsReplaced) {
  ASSERT_TRUE(WriteText(path_ + ".new", "broken"));
  ASSERT_TRUE(WriteText(path_ + ".new.wal", "broken"));
  const Status made = CreateWhole(path_, [&](const std::string& unfinished) -> Status {
    if (FileExists(unfinished)) return Error{ErrorCode::kBadData, "broken"};
    return WriteText(unfinished, "whole");
  });
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ReadText(path_), "whole");
  EXPECT_FALSE(FileExists(path_ + ".new.wal"));
}

TEST_F(DuckDbFileTest, AFileThatAnotherMadeMeanwhileIsNeverReplaced) {
  const Status made = CreateWhole(path_, [&](const std::string& unfinished) {
    EXPECT_TRUE(WriteText(path_, "theirs"));
    return WriteText(unfinished, "ours");
  });
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ReadText(path_), "theirs");
  EXPECT_FALSE(FileExists(path_ + ".new"));
}

}  // namespace
}  // namespace plimsoll::duck
