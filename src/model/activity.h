// Activity: the hours in which instances ran, and how much of each they were used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// One instance's hours of running; an hour that is not in it was not paid for.
struct InstanceActivity {
  std::string instance;
  std::vector<Instant> hour;         // its begin, ascending
  std::vector<std::int64_t> active;  // millionths of the hour
};

}  // namespace plimsoll
