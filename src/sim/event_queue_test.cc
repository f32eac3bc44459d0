#include "sim/event_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "sim/random.h"

namespace plimsoll {
namespace {

TEST(EventQueueTest, SameTimeIsFirstInFirstOut) {
  EventQueue<int> queue;
  for (int i = 0; i < 1'000; ++i) queue.Push(AtMillis(i % 3), i);
  std::int64_t time = 0;
  int last = -1;
  while (const auto next = queue.Pop()) {
    if (next->at.base() != time) last = -1;
    time = next->at.base();
    EXPECT_EQ(next->event % 3, time);
    EXPECT_GT(next->event, last);
    last = next->event;
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueueTest, AnIdNamesOneEventForGood) {
  EventQueue<int> queue;
  const EventId first = queue.Push(AtMillis(1), 1);
  EXPECT_TRUE(queue.Cancel(first));
  EXPECT_FALSE(queue.Cancel(first));
  EXPECT_FALSE(queue.Pop());
  const EventId second = queue.Push(AtMillis(2), 2);  // takes the place of the first
  EXPECT_FALSE(queue.Cancel(first));
  EXPECT_EQ(queue.NextTime(), AtMillis(2));
  EXPECT_EQ(queue.Pop()->event, 2);
  EXPECT_FALSE(queue.Cancel(second));
  EXPECT_FALSE(queue.Cancel(EventId{}));
}

// Against a sorted map, with pushes, pops and cancellations by chance.
TEST(EventQueueTest, OrderIsThatOfASortedMap) {
  constexpr std::uint64_t kSeed = 9;
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, "queue", 0);
  EventQueue<std::uint64_t> queue;
  std::map<std::pair<std::int64_t, std::uint64_t>, EventId> expected;
  std::uint64_t sequence = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t what = random.Below(10);
    if (what < 5) {
      const auto at = static_cast<std::int64_t>(random.Below(500));
      expected[{at, sequence}] = queue.Push(AtMillis(at), sequence);
      ++sequence;
    } else if (what < 8 && !expected.empty()) {
      auto one = expected.begin();
      std::advance(one, random.Below(std::min<std::size_t>(expected.size(), 20)));
      ASSERT_TRUE(queue.Cancel(one->second));
      expected.erase(one);
    } else {
      const auto next = queue.Pop();
      ASSERT_EQ(next.has_value(), !expected.empty());
      if (!next) continue;
      ASSERT_EQ(std::pair(next->at.base(), next->event), expected.begin()->first);
      ASSERT_EQ(next->sequence, next->event);
      expected.erase(expected.begin());
    }
    ASSERT_EQ(queue.size(), expected.size());
  }
}

}  // namespace
}  // namespace plimsoll
