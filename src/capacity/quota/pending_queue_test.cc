#include "capacity/quota/pending_queue.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr auto kStrict = QueueingStrategy::kStrictFifo, kBest = QueueingStrategy::kBestEffortFifo;

PendingQueue::Entry Entry(std::uint64_t id, std::int32_t priority = 0, std::int64_t queued_s = 0,
                          std::uint64_t shape = 0) {
  return {id, priority, AtSeconds(queued_s), shape};
}

std::uint64_t PopId(PendingQueue& queue) {
  const auto entry = queue.Pop();
  return entry ? entry->id : 0;
}

TEST(PendingQueueTest, ByPriorityThenTimeThenId) {
  PendingQueue queue(kBest);
  queue.Push(Entry(4, 0, 5));
  queue.Push(Entry(3, 0, 2));
  queue.Push(Entry(2, 0, 2));
  queue.Push(Entry(1, 7, 9));
  EXPECT_EQ(PopId(queue), 1u);
  EXPECT_EQ(PopId(queue), 2u);
  EXPECT_EQ(PopId(queue), 3u);
  EXPECT_EQ(PopId(queue), 4u);
  EXPECT_EQ(PopId(queue), 0u);
}

// kueue#8309: the head of a strict queue blocks whoever is behind it.
TEST(PendingQueueTest, AStrictHeadStaysTheHead) {
  PendingQueue queue(kStrict);
  queue.Push(Entry(1, 5));
  queue.Push(Entry(2, 1));
  for (int i = 0; i < 3; ++i) {
    const auto head = queue.Pop();
    EXPECT_EQ(head->id, 1u);
    EXPECT_TRUE(queue.Requeue(*head, QuotaVerdict::kNoFit, false));
  }
}

TEST(PendingQueueTest, ABestEffortHeadThatDoesNotFitStepsAsideUntilQuotaIsFreed) {
  PendingQueue queue(kBest);
  queue.Push(Entry(1, 5));
  queue.Push(Entry(2, 1));
  EXPECT_FALSE(queue.Requeue(*queue.Pop(), QuotaVerdict::kNoFit, false));
  EXPECT_EQ(PopId(queue), 2u);
  EXPECT_FALSE(queue.CanTry());
  EXPECT_EQ(queue.size(), 1u);
  queue.Wake();
  EXPECT_EQ(PopId(queue), 1u);
}

TEST(PendingQueueTest, AllOfAShapeStepAsideTogether) {
  PendingQueue queue(kBest);
  queue.Push(Entry(1, 5, 0, 77));
  queue.Push(Entry(2, 5, 1, 77));
  queue.Push(Entry(3, 0, 0, 88));
  EXPECT_FALSE(queue.Requeue(*queue.Pop(), QuotaVerdict::kNoCandidates, false));
  EXPECT_EQ(PopId(queue), 3u);
  queue.Push(Entry(4, 5, 2, 77));  // of the same shape: not before quota is freed
  EXPECT_FALSE(queue.CanTry());
  queue.Wake();
  EXPECT_EQ(PopId(queue), 1u);
  EXPECT_EQ(PopId(queue), 2u);
  EXPECT_EQ(PopId(queue), 4u);
}

TEST(PendingQueueTest, WhoWasOnlyOutrunOrHasFlavorsLeftIsTriedAtOnce) {
  PendingQueue queue(kBest);
  queue.Push(Entry(1));
  EXPECT_TRUE(queue.Requeue(*queue.Pop(), QuotaVerdict::kSkipped, false));
  EXPECT_TRUE(queue.Requeue(*queue.Pop(), QuotaVerdict::kNoCandidates, true));
  const auto head = queue.Pop();
  queue.Wake();  // quota was freed while it was being looked at
  EXPECT_TRUE(queue.Requeue(*head, QuotaVerdict::kNoFit, false));
}

TEST(PendingQueueTest, WhoWaitsForItsVictimsStaysTheHead) {
  PendingQueue queue(kBest);
  queue.Push(Entry(1, 0));
  const auto head = queue.Pop();
  queue.Push(Entry(2, 9));
  EXPECT_TRUE(queue.Requeue(*head, QuotaVerdict::kPreempting, false));
  EXPECT_EQ(queue.Pop()->id, 1u);
  queue.Requeue(*head, QuotaVerdict::kNoFit, false);  // no more
  EXPECT_EQ(PopId(queue), 2u);
}

TEST(PendingQueueTest, ErasedOnesAreGoneWhereverTheyWaited) {
  PendingQueue queue(kBest);
  queue.Push(Entry(1, 5, 0, 7));
  queue.Push(Entry(2, 4, 0, 7));
  EXPECT_TRUE(queue.Erase(1));
  EXPECT_FALSE(queue.Erase(1));
  EXPECT_FALSE(queue.Requeue(*queue.Pop(), QuotaVerdict::kNoFit, false));
  EXPECT_TRUE(queue.Erase(2));
  queue.Wake();
  EXPECT_FALSE(queue.CanTry());
  EXPECT_EQ(queue.size(), 0u);
}

}  // namespace
}  // namespace plimsoll
