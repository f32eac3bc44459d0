// LiveJob: a job that waits or runs in a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "capacity/queue/gang_need.h"
#include "capacity/queue/job_progress.h"
#include "capacity/queue/quota_gate.h"
#include "capacity/queue/waiting_lines.h"
#include "sim/event_queue.h"

namespace plimsoll {

using LiveId = std::uint32_t;

struct LiveJob {
  std::uint32_t job = 0;  // index into the workload
  std::int64_t left = 0;  // pod-milliseconds of work
  std::int32_t starts = 0;
  bool runs = false;

  // While it waits. What holds it is its own cause since then, or that of its class.
  WaitingLines::ClassId wait_class = 0;
  WaitKey key;
  EventId relax;  // of its topology request
  bool is_metered = false;
  WaitCause cause = WaitCause::kHeadOfLine;
  Instant cause_since;
  WaitSplit reading;  // of the class's meter
  WaitSplit split;    // of this wait so far

  // While it runs.
  Instant started;
  Instant ends_by;  // as the scheduler thinks
  EventId end;
  JobStart start;
  PodShape shape;  // on the flavors that it got
  GangPlaces places;
  std::optional<QuotaClaim> claim;
};

}  // namespace plimsoll
