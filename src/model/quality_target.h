// QualityTarget: the quality at which runs are compared, and how long it must hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "units/decimal.h"

namespace plimsoll {

struct QualityTarget {
  std::string experiment;        // whose runs it is for; "": those that no other target names
  std::string metric;            // name of the metric events: "loss", "eval/accuracy"
  ExactDecimal value;            // as written, exact
  bool at_most = false;          // smaller is better: a loss; else larger is
  std::int64_t window = 1;       // evaluations in a row that must hold it, 1 or more; or
  bool window_in_steps = false;  // every evaluation of that many steps

  friend bool operator==(const QualityTarget&, const QualityTarget&) = default;
};

}  // namespace plimsoll
