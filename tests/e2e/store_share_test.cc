// Two processes and one database: one at a time, each told of the other, and whoever reads
// sees the facts before a load or after it.
#include <gtest/gtest.h>

#include <set>

#include "store/duckdb/duckdb_store.h"
#include "store_plan.h"
#include "store_process.h"

namespace plimsoll::e2e {
namespace {

TEST(StoreShareTest, ASecondProcessIsToldWhichOneHasTheFile) {
  const Folder folder;
  const std::string path = folder / "a.db";
  Driver holder({"hold", path});
  ASSERT_EQ(holder.ReadLine(), "ready");
  const auto refused = OpenDuckDb({.path = path});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(refused.error().message, "database " + path + " is in use by process " +
                                         std::to_string(holder.pid()) +
                                         "; wait until it has finished, or stop it");
  holder.CloseInput();
  ASSERT_EQ(holder.Wait(), 0);
  const auto opened = OpenDuckDb({.path = path});
  EXPECT_TRUE(opened) << opened.error().message;
}

TEST(StoreShareTest, AKilledProcessHoldsNothing) {
  const Folder folder;
  const std::string path = folder / "a.db";
  Driver holder({"hold", path});
  ASSERT_EQ(holder.ReadLine(), "ready");
  holder.Kill();
  const auto opened = OpenDuckDb({.path = path});
  EXPECT_TRUE(opened) << opened.error().message;
}

TEST(StoreShareTest, AReaderBesideAWriterSeesWholeVersions) {
  const Folder folder;
  const std::string path = folder / "a.db";
  ASSERT_EQ(Driver({"load", path, "1"}).Wait(), 0);
  std::set<std::int64_t> versions;
  int refused = 0;
  for (const char* version : {"2", "3", "4", "5"}) {
    Driver writer({"load", path, version});
    for (int look = 0; look < 200; ++look) {
      const auto store = OpenDuckDb({.path = path});
      if (!store) {
        ASSERT_EQ(store.error().code, ErrorCode::kUnavailable) << store.error().message;
        ++refused;
        ::usleep(5'000);
        continue;
      }
      const auto seen = Seen(**store);
      ASSERT_TRUE(seen) << seen.error().message;
      ASSERT_EQ(RowsOf(*seen), std::size_t{kMonths + 2});
      ASSERT_EQ(seen->least, seen->most);
      versions.insert(seen->least.begin(), seen->least.end());
      break;  // and leave the file to the writer
    }
    // It may have met our lock; then it says so, and the load is run again. By the time it asks
    // who holds the file we may have closed it, so it cannot always name the process.
    const std::string said = writer.ReadLine();
    if (writer.Wait() != 0) {
      const bool named =
          said.find("in use by process " + std::to_string(::getpid())) != std::string::npos;
      const bool gone = said.find("in use by another process") != std::string::npos;
      EXPECT_TRUE(named || gone) << said;
      ASSERT_EQ(Driver({"load", path, version}).Wait(), 0);
    }
  }
  EXPECT_FALSE(versions.empty());
  const auto store = OpenDuckDb({.path = path});
  ASSERT_TRUE(store) << store.error().message;
  const auto last = Seen(**store);
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_EQ(last->least, std::vector<std::int64_t>(kMonths + 2, 5)) << refused << " refusals";
}

}  // namespace
}  // namespace plimsoll::e2e
