#include "capacity/sizing/resample.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kWeeksForWeekdays = 3;

TrainingJob MovedTo(const TrainingJob& job, Duration by) {
  TrainingJob moved = job;
  moved.submitted = job.submitted + by;
  if (job.deadline) moved.deadline = *job.deadline + by;
  moved.started.reset();
  moved.ended.reset();
  moved.end = JobEnd::kUnknown;
  return moved;
}

}  // namespace

TrainingWorkload ResampleBlocks(const TrainingWorkload& history, const ResampleOptions& options) {
  PLIMSOLL_CHECK(options.block > Duration());
  TrainingWorkload drawn{history.queues, {}};
  if (history.jobs.empty()) return drawn;
  const Instant begin = FloorTo(history.jobs.front().submitted, options.block);
  const auto block_of = [&](Instant at) {
    return static_cast<std::size_t>(Between(begin, at).base() / options.block.base());
  };
  const std::size_t blocks = block_of(history.jobs.back().submitted) + 1;
  std::vector<std::size_t> first(blocks + 1, history.jobs.size());  // job of each block
  for (std::size_t i = history.jobs.size(); i-- > 0;)
    first[block_of(history.jobs[i].submitted)] = i;
  for (std::size_t block = blocks; block-- > 0;)
    first[block] = std::min(first[block], first[block + 1]);
  // Blocks a week, if a block goes into a week and there are enough of them.
  std::size_t cycle = 1;
  if (Days(7).base() % options.block.base() == 0) {
    cycle = static_cast<std::size_t>(Days(7).base() / options.block.base());
  }
  if (blocks < cycle * kWeeksForWeekdays) cycle = 1;
  RandomStream random(options.seed, "blocks", options.replication);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t same = block % cycle;
    const std::size_t alike = (blocks - same + cycle - 1) / cycle;
    const std::size_t from = same + cycle * static_cast<std::size_t>(random.Below(alike));
    const std::int64_t moved = static_cast<std::int64_t>(block) - static_cast<std::int64_t>(from);
    for (std::size_t i = first[from]; i < first[from + 1]; ++i) {
      drawn.jobs.push_back(MovedTo(history.jobs[i], Millis(moved * options.block.base())));
    }
  }
  return drawn;
}

}  // namespace plimsoll
