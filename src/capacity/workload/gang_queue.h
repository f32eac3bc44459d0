// GangQueue: one queue over equal nodes, for replaying estimated jobs and for forecasts of it.
//
// A job of up to a node's GPUs takes them on the fullest node that has room; a larger one takes
// whole empty nodes and its rest on one with room, or waits: no part of a gang starts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "units/time.h"

namespace plimsoll {

struct QueueJob {
  Instant submitted;
  std::int32_t gpus = 0;
  Duration run;  // from its start
};

struct QueueRun {
  std::int32_t gpus = 0;  // of the queue
  std::int32_t gpus_per_node = 8;
  Window window;
  Duration step;                  // of the answer
  std::vector<QueueJob> running;  // at the begin: run is what is left of it
  std::vector<QueueJob> jobs;     // by submission; those before the begin wait at it
};

// At begin, begin + step, ... before until.
struct OccupancyPath {
  std::vector<std::int32_t> pending, idle;  // GPUs
};

// The seam to whatever plays a queue.
using QueueModel = std::function<OccupancyPath(const QueueRun&)>;

enum class GangPolicy : unsigned char {
  kFifo,  // the first that does not fit blocks all behind it
  kSkip,  // whoever fits starts, in order of submission
};
const char* GangPolicyName(GangPolicy policy);

QueueModel GangQueue(GangPolicy policy);

}  // namespace plimsoll
