#include "economics/inference_busy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace plimsoll {
namespace {

TEST(BusyTimeTest, OverlapsCountOnce) {
  BusyTime busy;
  busy.Add(0, 10);
  busy.Add(5, 20);
  busy.Add(30, 40);
  busy.Add(20, 20);
  EXPECT_EQ(busy.Within(0, 100), 30);
  EXPECT_EQ(busy.Within(15, 35), 10);
}

TEST(BusyTimeTest, OrderDoesNotMatterAndEverySecondIsCountedOnce) {
  std::mt19937_64 random(20261130);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    std::vector<bool> seconds(20'000, false);
    for (int i = 0; i < 10'000; ++i) {
      const auto begin = static_cast<std::int64_t>(random() % 19'000);
      const auto until = begin + static_cast<std::int64_t>(random() % 3);
      spans.emplace_back(begin, until);
      for (std::int64_t s = begin; s < until; ++s) seconds[static_cast<std::size_t>(s)] = true;
    }
    const auto expected = std::count(seconds.begin(), seconds.end(), true);
    BusyTime busy;
    for (const auto& [begin, until] : spans) busy.Add(begin, until);
    ASSERT_EQ(busy.Within(0, 20'000), expected) << "round " << round;
    std::sort(spans.begin(), spans.end());
    BusyTime sorted;
    for (const auto& [begin, until] : spans) sorted.Add(begin, until);
    ASSERT_EQ(sorted.Within(0, 20'000), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace plimsoll
