#include "base/seen_hashes.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll {
namespace {

TEST(SeenHashesTest, EachHashIsNewOnceThroughEveryGrowth) {
  SeenHashes seen;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100'000; ++i) {
      const Hash128 hash = HashOf(std::to_string(i));
      seen.Prefetch(hash);
      ASSERT_EQ(seen.Insert(hash), round == 0) << i;
    }
  }
  EXPECT_EQ(seen.size(), 100'000U);
  EXPECT_TRUE(seen.Contains(HashOf("77")));
  EXPECT_FALSE(seen.Contains(HashOf("100000")));
}

TEST(SeenHashesTest, RoomMadeKeepsWhatIsThere) {
  SeenHashes seen;
  for (std::uint64_t i = 0; i < 500; ++i) ASSERT_TRUE(seen.Insert({i, i}));
  seen.Reserve(100'000);
  for (std::uint64_t i = 0; i < 500; ++i) ASSERT_FALSE(seen.Insert({i, i}));
  for (std::uint64_t i = 500; i < 100'000; ++i) ASSERT_TRUE(seen.Insert({i, i}));
  EXPECT_EQ(seen.size(), 100'000U);
}

TEST(SeenHashesTest, ZeroIsAHashLikeOthers) {
  SeenHashes seen;
  EXPECT_FALSE(seen.Contains(Hash128{}));
  EXPECT_TRUE(seen.Insert(Hash128{}));
  EXPECT_FALSE(seen.Insert(Hash128{}));
}

TEST(SeenHashesTest, HashesOfOneSlotAreToldApart) {
  SeenHashes seen;
  for (std::uint64_t high = 0; high < 100; ++high) EXPECT_TRUE(seen.Insert({7, high}));
  for (std::uint64_t high = 0; high < 100; ++high) EXPECT_FALSE(seen.Insert({7, high}));
}

}  // namespace
}  // namespace plimsoll
