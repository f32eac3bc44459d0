// Resample: another history like the one on record, by drawing whole blocks of it.
//
// A block bootstrap (Kuensch 1989): the window is cut into blocks, a day each; every block of the
// new history is one of the old ones, drawn with the same chance, with its jobs at the same time
// of day. So busy days stay busy and whatever jobs of a day have to do with each other is kept;
// what days have to do with each other is not. Given three weeks or more, a Monday is drawn from
// Mondays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capacity/model/training_job.h"
#include "units/time.h"

namespace plimsoll {

struct ResampleOptions {
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
  Duration block = Days(1);
};

// Over the whole blocks from the first submission's block to the last one's. Names of jobs are
// kept, deadlines move along, and what is on record of their runs is dropped. Streams "blocks" of
// (seed, replication). REQUIRES: block > 0, jobs in the order of `submitted`
TrainingWorkload ResampleBlocks(const TrainingWorkload& history, const ResampleOptions& options);

}  // namespace plimsoll
