// PendingQueue: workloads that wait in one queue, and which of them is its head.
//
// The order is priority, then the time in the queue, then the id. What could not be admitted goes
// back: in a StrictFIFO queue to its place, where it blocks the rest; in a BestEffortFIFO queue
// aside, and all of its shape with it, until quota is freed in its cohort. The workload that
// others are being evicted for stays the head of a BestEffortFIFO queue until it is in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "capacity/quota/quota_cycle.h"

namespace plimsoll {

class PendingQueue {
 public:
  explicit PendingQueue(QueueingStrategy strategy) : strategy_(strategy) {}

  struct Entry {
    std::uint64_t id = 0;
    std::int32_t priority = 0;
    Instant queued;
    // Of workloads with the same shape all fit or none does (Kueue's scheduling equivalence): same
    // priority, pods and requests. 0: of no other's.
    std::uint64_t shape = 0;
  };

  // REQUIRES: its id is not in the queue
  void Push(const Entry& entry);
  // Takes the head out: the first that may be tried. Unless it is admitted, Requeue it.
  std::optional<Entry> Pop();
  // Back, after a cycle that decided so. `flavors_left`: FlavorAssignment::flavors_left.
  // Returns true if it may be tried again at once.
  bool Requeue(const Entry& entry, QuotaVerdict verdict, bool flavors_left);
  // Quota was freed or added in its cohort: all that was set aside may be tried again.
  void Wake();
  // Taken away; false if it was not there.
  bool Erase(std::uint64_t id);

  bool CanTry() const { return !heads_.empty() || HasSticky(); }
  std::size_t size() const { return entries_.size(); }

 private:
  using Place = std::tuple<std::int64_t, Instant, std::uint64_t>;  // the least goes first
  using Shape = std::pair<std::uint64_t, std::uint64_t>;  // (0, id) of those without a shape
  struct Bucket {
    std::set<Place> places;
    bool aside = false;
  };
  static Place PlaceOf(const Entry& entry) {
    return {-std::int64_t{entry.priority}, entry.queued, entry.id};
  }
  static Shape ShapeOf(const Entry& entry) {
    return {entry.shape, entry.shape == 0 ? entry.id : 0};
  }
  bool HasSticky() const { return sticky_ && entries_.contains(*sticky_); }
  void Remove(const Entry& entry);
  void SetAside(const Shape& shape);

  QueueingStrategy strategy_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::map<Shape, Bucket> buckets_;          // none is empty, but one that is aside may be
  std::set<std::pair<Place, Shape>> heads_;  // the first of each bucket that is not aside
  std::set<Shape> aside_;
  std::optional<std::uint64_t> sticky_;  // has victims on their way out
  bool woken_ = false;                   // since the last Pop
};

}  // namespace plimsoll
