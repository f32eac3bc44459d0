// kill -9 at random moments of a load: what is found afterwards is the old facts or the new
// ones, never a mix, and running the load again ends as if nothing had happened.
//
// PLIMSOLL_KILLS sets how often (default 200), PLIMSOLL_SEED the moments.
#include <gtest/gtest.h>
#include <time.h>

#include <random>

#include "store/duckdb/duckdb_store.h"
#include "store_plan.h"
#include "store_process.h"

namespace plimsoll::e2e {
namespace {

std::int64_t NumberFrom(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoll(text);
}

std::int64_t NowMicros() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

Result<std::string> DumpOf(const std::string& path) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  return Dump(*store);
}

// Every scope is of one version, and whole.
void ExpectNoMix(const std::string& path) {
  const auto store = OpenDuckDb({.path = path});
  ASSERT_TRUE(store) << store.error().message;
  const auto seen = Seen(**store);
  ASSERT_TRUE(seen) << seen.error().message;
  for (std::size_t i = 0; i < RowsOf(*seen); ++i) {
    const bool is_cluster = seen->scope[i] == "prod" || seen->scope[i] == "test";
    EXPECT_EQ(seen->rows[i], is_cluster ? 50 : kCharges) << seen->scope[i];
    EXPECT_EQ(seen->least[i], seen->most[i]) << seen->scope[i];
  }
}

class StoreKillTest : public testing::Test {
 protected:
  // Kills `load DB VERSION` `kills` times, each from a copy of `base` ("" for no database).
  void KillAtRandomMoments(const std::string& base, const char* version, std::int64_t kills) {
    const std::string path = folder_ / "a.db";
    const auto reset = [&] {
      for (const std::string& name : folder_.Files()) {
        if (folder_ / name.c_str() != base) std::filesystem::remove_all(folder_ / name.c_str());
      }
      if (!base.empty()) std::filesystem::copy_file(base, path);
    };
    reset();
    const std::int64_t start = NowMicros();
    ASSERT_EQ(Driver({"load", path, version}).Wait(), 0);
    const std::int64_t duration = NowMicros() - start;
    const auto undisturbed = DumpOf(path);
    ASSERT_TRUE(undisturbed) << undisturbed.error().message;

    const auto seed = static_cast<std::uint64_t>(NumberFrom("PLIMSOLL_SEED", 301));
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::int64_t killed = 0;
    // A load that had ended before its kill does not count.
    for (std::int64_t round = 0; killed < kills && round < 4 * kills; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      reset();
      Driver driver({"load", path, version});
      ::usleep(static_cast<useconds_t>(random() % static_cast<std::uint64_t>(duration)));
      ::kill(driver.pid(), SIGKILL);
      killed += driver.Wait() == -1 ? 1 : 0;
      if (FileExists(path)) ExpectNoMix(path);
      ASSERT_EQ(Driver({"load", path, version}).Wait(), 0);
      const auto again = DumpOf(path);
      ASSERT_TRUE(again) << again.error().message;
      ASSERT_TRUE(*again == *undisturbed) << "another content than without the kill";
      ExpectNothingLeft(path);
    }
    EXPECT_EQ(killed, kills) << "of loads that took " << duration << " us";
  }

  static bool FileExists(const std::string& path) { return std::filesystem::exists(path); }

  void ExpectNothingLeft(const std::string& path) {
    for (const std::string& name : folder_.Files()) {
      EXPECT_TRUE(folder_ / name.c_str() == path || name == "base.db") << name;
    }
  }

  Folder folder_;
  const std::int64_t kills_ = NumberFrom("PLIMSOLL_KILLS", 200);
};

TEST_F(StoreKillTest, ARestatementThatIsKilledLeavesTheOldOrTheNew) {
  const std::string base = folder_ / "base.db";
  ASSERT_EQ(Driver({"load", base, "1"}).Wait(), 0);
  KillAtRandomMoments(base, "2", kills_ - kills_ / 4);
}

TEST_F(StoreKillTest, AFirstLoadThatIsKilledCanBeRunAgain) {
  KillAtRandomMoments("", "1", kills_ / 4);
}

}  // namespace
}  // namespace plimsoll::e2e
