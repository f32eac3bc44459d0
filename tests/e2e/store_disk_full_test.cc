// A full disk: a clear error, the old facts as they were, and a load that works
// once there is space again.
#include <gtest/gtest.h>

#include "store/duckdb/duckdb_store.h"
#include "store_plan.h"
#include "store_process.h"

namespace plimsoll::e2e {
namespace {

constexpr int kSkipped = 77;

Result<std::string> DumpOf(const std::string& path) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  return Dump(*store);
}

TEST(StoreDiskFullTest, ALoadThatDoesNotFitChangesNothing) {
  const Folder folder;
  const std::string path = folder / "a.db";
  ASSERT_EQ(Driver({"load", path, "1"}).Wait(), 0);
  const auto before = DumpOf(path);
  ASSERT_TRUE(before) << before.error().message;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
  // From no space at all to almost enough: the limit is met by the log or by
  // the database.
  for (const std::int64_t more : {0, 1'000, 100'000, 1'000'000}) {
    SCOPED_TRACE("limit " + std::to_string(size) + " + " + std::to_string(more));
    Driver driver({"starve", path, std::to_string(size + more)});
    const std::string said = driver.ReadLine();
    ASSERT_EQ(driver.Wait(), 1) << said;
    EXPECT_TRUE(said.starts_with(std::to_string(static_cast<int>(ErrorCode::kUnavailable)) +
                                 " database " + path))
        << said;
    EXPECT_NE(said.find("nothing was changed"), std::string::npos) << said;
    const auto after = DumpOf(path);
    ASSERT_TRUE(after) << after.error().message;
    ASSERT_TRUE(*after == *before);
  }
  ASSERT_EQ(Driver({"load", path, "2"}).Wait(), 0);
}

TEST(StoreDiskFullTest, ADatabaseThatCannotBeCreatedLeavesNoHalfOfOne) {
  const Folder folder;
  const std::string path = folder / "a.db";
  for (const char* limit : {"0", "5000", "20000"}) {
    SCOPED_TRACE(limit);
    Driver driver({"starve", path, limit});
    const std::string said = driver.ReadLine();
    ASSERT_EQ(driver.Wait(), 1) << said;
    EXPECT_NE(said.find(path), std::string::npos) << said;
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  ASSERT_EQ(Driver({"load", path, "1"}).Wait(), 0);
  EXPECT_EQ(folder.Files(), std::vector<std::string>{"a.db"});
}

TEST(StoreDiskFullTest, ASmallFileSystemThatIsFullIsNamedAndSurvived) {
  const Folder folder;
  Driver driver({"tmpfs", folder.path()});
  const std::string said = driver.ReadLine();
  const int code = driver.Wait();
  if (code == kSkipped) GTEST_SKIP() << "only root may mount a file system";
  ASSERT_EQ(code, 0) << said;
  EXPECT_TRUE(said.starts_with("database " + (folder / "a.db") + " is out of disk space")) << said;
  EXPECT_NE(said.find("nothing was changed"), std::string::npos) << said;
}

}  // namespace
}  // namespace plimsoll::e2e
