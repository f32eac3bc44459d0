// WaitingLines: who waits, in which order, in classes of jobs that find the same place or none.
//
// Jobs of one class differ only in what does not matter to whether they fit, so one failed try
// speaks for all of them. A class also keeps the time that each cause has held it; what held one
// job is the difference of two readings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "capacity/queue/gang_need.h"
#include "capacity/queue/wait_cause.h"
#include "units/time.h"

namespace plimsoll {

// The less goes first.
struct WaitKey {
  std::int64_t rank = 0;
  Instant since;
  std::uint32_t job = 0;   // index into the workload
  std::uint32_t live = 0;  // where the simulation keeps it

  friend auto operator<=>(const WaitKey&, const WaitKey&) = default;
};

class CauseMeter {
 public:
  void Set(WaitCause cause, Instant now) {
    Advance(now);
    cause_ = cause;
  }
  const WaitSplit& Read(Instant now) {
    Advance(now);
    return sum_;
  }

 private:
  void Advance(Instant now) {
    sum_[cause_] += Between(since_, now);
    since_ = now;
  }
  WaitSplit sum_;
  Instant since_;
  WaitCause cause_ = WaitCause::kHeadOfLine;
};

struct WaitClass {
  GangNeed need;
  std::uint32_t queue = 0;
  std::int32_t priority = 0;
  std::vector<std::uint32_t> flavor_order;

  std::uint32_t line = 0;
  std::optional<WaitCause> never;  // it would not start on the empty cluster
  std::set<WaitKey> waiting;
  std::uint64_t blocked = 0;  // does not fit before QueueEngine::releases_ passes it
  std::uint64_t refused = 0;  // the same, by quota
  CauseMeter meter;

  bool Alike(const WaitClass& other) const {
    return need == other.need && queue == other.queue && priority == other.priority &&
           flavor_order == other.flavor_order;
  }
};

class WaitingLines {
 public:
  using ClassId = std::uint32_t;

  explicit WaitingLines(std::size_t lines) : active_(lines) {}

  // The class of those alike; `fresh` if it did not exist.
  ClassId Find(const WaitClass& like, bool& fresh);

  std::size_t lines() const { return active_.size(); }
  WaitClass& at(ClassId id) { return classes_[id]; }
  const WaitClass& at(ClassId id) const { return classes_[id]; }
  // Classes of a line in which somebody waits, in no order.
  const std::vector<ClassId>& active(std::size_t line) const { return active_[line]; }

  void Insert(ClassId id, const WaitKey& key);
  void Erase(ClassId id, const WaitKey& key);
  std::size_t size() const { return size_; }

  struct Head {
    ClassId wait_class = 0;
    WaitKey key;
  };
  // The first of a line among classes that `skip` does not name.
  template <class Skip>
  std::optional<Head> First(std::size_t line, const Skip& skip) const {
    const WaitKey* first = nullptr;
    ClassId of = 0;
    for (const ClassId id : active_[line]) {
      const WaitClass& wait_class = classes_[id];
      if (skip(wait_class)) continue;
      const WaitKey& key = *wait_class.waiting.begin();
      if (first != nullptr && *first < key) continue;
      first = &key;
      of = id;
    }
    if (first == nullptr) return std::nullopt;
    return Head{of, *first};
  }

  // The first `count` of a line, in order.
  std::vector<Head> FirstOf(std::size_t line, std::size_t count) const;

 private:
  std::vector<WaitClass> classes_;
  std::unordered_map<std::uint64_t, std::vector<ClassId>> by_hash_;
  std::vector<std::vector<ClassId>> active_;  // by line
  std::size_t size_ = 0;
};

}  // namespace plimsoll
