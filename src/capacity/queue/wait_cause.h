// WaitCause: what holds a job back while it waits; each millisecond of a wait has one.
//
// The cause is what the queue saw when it last looked: at the arrival of the job, and whenever
// something was given back since. The first that holds, in this order: quota, head of line,
// reservation, then of the cluster: domain, CPU and memory, fragmentation, nodes down, flavor,
// busy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "units/time.h"

namespace plimsoll {

enum class WaitCause : unsigned char {
  kBusy,         // fewer free GPUs than it asks for
  kFragmented,   // enough free GPUs, but not enough on one node for each pod
  kDomain,       // all its pods fit, but in no domain that the topology request allows
  kFlavor,       // enough free GPUs, of flavors that it does not accept
  kCpuMemory,    // enough free GPUs where its pods go, but not the CPU or memory beside them
  kNodeDown,     // there would be enough, were free GPUs of nodes that are down not missing
  kQuota,        // its queue has used up its own
  kBorrowed,     // its queue is below nominal; others have borrowed the rest
  kHeadOfLine,   // another job stands before it, and the discipline lets none pass
  kReservation,  // it fits now, but would move the start that is promised to another
};
inline constexpr std::size_t kWaitCauses = 10;
inline constexpr const char* kWaitCauseNames[] = {
    "busy",      "fragmented", "domain",   "flavor",       "cpu_memory",
    "node_down", "quota",      "borrowed", "head_of_line", "reservation"};

// Adds up to the wait, exactly.
struct WaitSplit {
  std::array<Duration, kWaitCauses> by_cause{};

  Duration& operator[](WaitCause cause) { return by_cause[static_cast<std::size_t>(cause)]; }
  Duration operator[](WaitCause cause) const { return by_cause[static_cast<std::size_t>(cause)]; }
  constexpr Duration total() const {
    Duration sum;
    for (const Duration part : by_cause) sum += part;
    return sum;
  }
  friend constexpr bool operator==(const WaitSplit&, const WaitSplit&) = default;
};

}  // namespace plimsoll
