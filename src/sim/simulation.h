// Simulation: a clock and its events; one object a run, nothing global.
//
//   Simulation<Event> simulation;
//   simulation.After(Seconds(5), Event{...});
//   simulation.Run([&](const Event& event) { ... simulation.After(...); }, {});
//
// Time is whole milliseconds; events of the same time happen in the order in which they were
// asked for. The fingerprint holds when each happened and which it was.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "base/check.h"
#include "sim/event_queue.h"
#include "sim/fingerprint.h"
#include "units/time.h"

namespace plimsoll {

struct RunLimits {
  Instant until = AtMillis(std::numeric_limits<std::int64_t>::max());  // events at it still happen
  std::uint64_t events_max = std::numeric_limits<std::uint64_t>::max();
};

enum class RunEnd : unsigned char { kNoEvents, kUntil, kEventsMax, kStopped };

template <class Event>
class Simulation {
 public:
  Instant now() const { return now_; }
  std::uint64_t events() const { return events_; }  // that have happened
  const Fingerprint& fingerprint() const { return fingerprint_; }

  // REQUIRES: at >= now()
  EventId At(Instant at, Event event) {
    PLIMSOLL_CHECK(at >= now_);
    return queue_.Push(at, std::move(event));
  }
  EventId After(Duration delay, Event event) { return At(now_ + delay, std::move(event)); }
  bool Cancel(EventId id) { return queue_.Cancel(id); }

  // Adds what an event did to the fingerprint.
  void Note(std::int64_t number) { fingerprint_.Add(number); }
  // Ends Run after the event that calls it.
  void Stop() { stopped_ = true; }

  // Calls `handle` with each event, the clock at its time. May be called again to go on.
  template <class Handler>
  RunEnd Run(Handler&& handle, const RunLimits& limits) {
    stopped_ = false;
    const std::uint64_t first = events_;
    while (const auto at = queue_.NextTime()) {
      if (*at > limits.until) return RunEnd::kUntil;
      if (events_ - first == limits.events_max) return RunEnd::kEventsMax;
      const auto next = queue_.Pop();
      now_ = next->at;
      ++events_;
      fingerprint_.Add(now_.base());
      fingerprint_.Add(static_cast<std::int64_t>(next->sequence));
      handle(next->event);
      if (stopped_) return RunEnd::kStopped;
    }
    return RunEnd::kNoEvents;
  }

 private:
  EventQueue<Event> queue_;
  Instant now_;
  std::uint64_t events_ = 0;
  Fingerprint fingerprint_;
  bool stopped_ = false;
};

}  // namespace plimsoll
