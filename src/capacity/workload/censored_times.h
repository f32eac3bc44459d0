// CensoredTimes: how long things last, from times of which some were cut off, and draws of it.
//
// Kaplan and Meier's estimate. Beyond the longest time that ended nothing is known: there the
// survival is taken to fall as t^-1.5, a tail as heavy as runs of training jobs have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/random.h"
#include "units/time.h"

namespace plimsoll {

inline constexpr double kTailBeyond = 1.5;

class CensoredTimes {
 public:
  // REQUIRES: time >= 0; before Draw
  void Add(Duration time, bool ended);
  // Makes the estimate of what was added.
  void Settle();

  bool empty() const { return steps_.empty(); }
  double Survival(Duration t) const;  // P(T > t), 1 before the first end
  // A time above `age`, given that it is; one draw of the stream. REQUIRES: not empty
  Duration Draw(Duration age, RandomStream& random) const;

 private:
  struct Sample {
    Duration time;
    bool ended;
  };
  struct Step {
    Duration time;
    double survival;  // after it
  };
  std::vector<Sample> samples_;
  std::vector<Step> steps_;  // at each time that one ended
};

}  // namespace plimsoll
