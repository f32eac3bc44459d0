// LevelIntegral: a level that changes in steps, times time; over a window, and by steps of it.
//
// Whole numbers of 128 bits, so parts add up exactly and none wraps. Time before the window does
// not count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

class LevelIntegral {
 public:
  LevelIntegral() = default;
  // By steps of that length from `begin` on; zero: not by steps.
  LevelIntegral(Instant begin, Duration step) : begin_(begin), since_(begin), step_(step) {}

  std::int64_t level() const { return level_; }
  void Add(std::int64_t change, Instant now) { Set(level_ + change, now); }
  void Set(std::int64_t level, Instant now) {
    Advance(now);
    level_ = level;
  }

  void Advance(Instant now) {
    if (now <= since_) return;
    sum_ += int128{level_} * Between(since_, now).base();
    if (step_ > Duration()) Spread(now);
    since_ = now;
  }
  int128 sum() const { return sum_; }  // until the last change or Advance
  const std::vector<int128>& steps() const { return steps_; }

 private:
  void Spread(Instant now) {
    while (since_ < now) {
      const auto step = static_cast<std::size_t>(Between(begin_, since_).base() / step_.base());
      const Instant end =
          std::min(now, begin_ + Millis((static_cast<std::int64_t>(step) + 1) * step_.base()));
      if (steps_.size() <= step) steps_.resize(step + 1);
      steps_[step] += int128{level_} * Between(since_, end).base();
      since_ = end;
    }
  }

  Instant begin_, since_;
  Duration step_;
  std::int64_t level_ = 0;
  int128 sum_ = 0;
  std::vector<int128> steps_;
};

}  // namespace plimsoll
