// PendingQueue: workloads that wait in one queue, and which of them is its head.
//
// The order is priority, then the time in the queue, then the id. What could not be admitted goes
// back: in a StrictFIFO queue to the front, where it blocks the rest; in a BestEffortFIFO queue
// aside, until quota is freed in its cohort. The workload that others are being evicted for stays
// the head of its queue until it is in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "capacity/quota/quota_cycle.h"

namespace plimsoll {

class PendingQueue {
 public:
  explicit PendingQueue(QueueingStrategy strategy) : strategy_(strategy) {}

  struct Entry {
    std::uint64_t id = 0;
    std::int32_t priority = 0;
    Instant queued;
  };

  // REQUIRES: not in the queue
  void Push(const Entry& entry);
  // Takes the head out: one that can be tried. Give it back with Requeue unless it was admitted.
  std::optional<Entry> Pop();
  // Back after a cycle that decided so. `flavors_left`: FlavorAssignment::flavors_left.
  // Returns true if it may be tried again at once.
  bool Requeue(const Entry& entry, QuotaVerdict verdict, bool flavors_left);
  // Quota was freed or added in its cohort: all that was set aside may be tried again.
  void Wake();
  // Taken away, wherever it waits; false if it was not there.
  bool Erase(std::uint64_t id);

  bool CanTry() const { return !active_.empty(); }
  std::size_t size() const { return active_.size() + aside_.size(); }
  std::size_t aside() const { return aside_.size(); }

 private:
  using Key = std::tuple<bool, std::int64_t, std::int64_t, std::uint64_t>;  // the least is head
  Key KeyOf(const Entry& entry) const;
  void Insert(const Entry& entry);
  void SetSticky(std::optional<std::uint64_t> id);

  QueueingStrategy strategy_;
  std::set<Key> active_;
  std::unordered_map<std::uint64_t, Entry> entries_;  // of both
  std::set<std::uint64_t> aside_;
  std::optional<std::uint64_t> sticky_;  // has victims on their way out
  bool woken_ = false;                   // since the last Pop
};

}  // namespace plimsoll
