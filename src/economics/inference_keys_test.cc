#include "economics/inference_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "economics/inference_fold.h"

namespace plimsoll {
namespace {

TEST(InferenceKeysTest, BucketsCoverEveryCountOnce) {
  const std::pair<std::int64_t, const char*> cases[] = {{0, "0"},
                                                        {1, "1-127"},
                                                        {127, "1-127"},
                                                        {128, "128-511"},
                                                        {511, "128-511"},
                                                        {512, "512-1023"},
                                                        {1'023, "512-1023"},
                                                        {1'024, "1024-2047"},
                                                        {4'095, "2048-4095"},
                                                        {8'192, "8192-16383"},
                                                        {131'071, "32768-131071"},
                                                        {131'072, "131072+"},
                                                        {1'000'000'000, "131072+"}};
  for (const auto& [tokens, name] : cases) {
    EXPECT_EQ(LengthBucketName(LengthBucketOf(tokens)), name) << tokens;
  }
  EXPECT_EQ(LengthBucketName(LengthBucketOf(std::nullopt)), "unknown");
  EXPECT_EQ(LengthBucketCount(), 12U);
}

TEST(InferenceKeysTest, SymbolsAreNumberedInOrderOfMeeting) {
  SymbolNumbers numbers;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      ASSERT_EQ(numbers.NumberOf(Symbol("key-" + std::to_string(i))), i);
    }
  }
  EXPECT_EQ(numbers.size(), 5'000U);
  EXPECT_EQ(numbers.SymbolOf(77).text(), "key-77");
  SymbolNumbers empty_first;
  EXPECT_EQ(empty_first.NumberOf(Symbol()), 0U);
  EXPECT_EQ(empty_first.NumberOf(Symbol()), 0U);
}

TEST(InferenceKeysTest, GroupsAreNumberedAsByAMap) {
  std::mt19937_64 random(20261130);
  GroupNumbers numbers;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> expected;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t high = random() % 200;
    const std::uint64_t low = (random() % 200) << 50;
    const auto [known, is_new] =
        expected.try_emplace({high, low}, static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(numbers.NumberOf((uint128{high} << 64) | low), known->second);
  }
  EXPECT_EQ(numbers.size(), expected.size());
}

}  // namespace
}  // namespace plimsoll
