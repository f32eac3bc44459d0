// EventQueue: events by time; of the same time, the one that was put in first comes first.
//
// A heap of four children a node over 24 bytes an event; the events lie beside it and never
// move. Cancelling takes constant time: what was cancelled is skipped when its time comes, or
// swept once half of the heap is dead. For one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// Names an event for good: an id of one that has happened or was cancelled names nothing.
struct EventId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 is no event
  friend bool operator==(const EventId&, const EventId&) = default;
};

template <class Event>
class EventQueue {
 public:
  struct Next {
    Instant at;
    std::uint64_t sequence = 0;  // of Push, from 0
    Event event;
  };

  bool empty() const { return live_ == 0; }
  std::size_t size() const { return live_; }

  EventId Push(Instant at, Event event) {
    std::uint32_t slot = 0;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({std::move(event), 1, true});
    } else {
      slot = free_.back();
      free_.pop_back();
      slots_[slot].event = std::move(event);
      slots_[slot].live = true;
    }
    heap_.push_back({at, sequence_++, slot});
    Rise(heap_.size() - 1);
    ++live_;
    return {slot, slots_[slot].generation};
  }

  // False if it has happened or was cancelled before.
  bool Cancel(EventId id) {
    if (id.slot >= slots_.size()) return false;
    Slot& slot = slots_[id.slot];
    if (slot.generation != id.generation || !slot.live) return false;
    slot.live = false;
    --live_;
    if (heap_.size() > 64 && live_ < heap_.size() / 2) Sweep();
    return true;
  }

  std::optional<Instant> NextTime() {
    DropDead();
    return heap_.empty() ? std::nullopt : std::optional(heap_.front().at);
  }

  std::optional<Next> Pop() {
    DropDead();
    if (heap_.empty()) return std::nullopt;
    const Node top = heap_.front();
    std::optional<Next> next(Next{top.at, top.sequence, std::move(slots_[top.slot].event)});
    --live_;
    RemoveTop();
    return next;
  }

 private:
  struct Node {
    Instant at;
    std::uint64_t sequence;
    std::uint32_t slot;
    bool Before(const Node& other) const {
      return at != other.at ? at < other.at : sequence < other.sequence;
    }
  };
  struct Slot {
    Event event;
    std::uint32_t generation;
    bool live;
  };

  void Release(std::uint32_t slot) {
    slots_[slot].live = false;
    if (++slots_[slot].generation == 0) slots_[slot].generation = 1;
    free_.push_back(slot);
  }

  void DropDead() {
    while (!heap_.empty() && !slots_[heap_.front().slot].live) RemoveTop();
  }

  void RemoveTop() {
    Release(heap_.front().slot);
    heap_.front() = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) Sink(0);
  }

  void Sweep() {
    std::erase_if(heap_, [&](const Node& node) {
      if (slots_[node.slot].live) return false;
      Release(node.slot);
      return true;
    });
    for (std::size_t i = heap_.size() / 4 + 1; i-- > 0;) {
      if (i < heap_.size()) Sink(i);
    }
  }

  void Rise(std::size_t i) {
    const Node node = heap_[i];
    for (; i > 0; i = (i - 1) / 4) {
      if (!node.Before(heap_[(i - 1) / 4])) break;
      heap_[i] = heap_[(i - 1) / 4];
    }
    heap_[i] = node;
  }

  void Sink(std::size_t i) {
    const Node node = heap_[i];
    for (;;) {
      const std::size_t first = 4 * i + 1, last = std::min(first + 4, heap_.size());
      if (first >= heap_.size()) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child) {
        if (heap_[child].Before(heap_[least])) least = child;
      }
      if (!heap_[least].Before(node)) break;
      heap_[i] = heap_[least];
      i = least;
    }
    heap_[i] = node;
  }

  std::vector<Node> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::uint64_t sequence_ = 0;
  std::size_t live_ = 0;
};

}  // namespace plimsoll
