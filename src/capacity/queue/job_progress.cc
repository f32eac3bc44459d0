#include "capacity/queue/job_progress.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

Duration Work(const JobStart& start) { return Millis((start.left + start.pods - 1) / start.pods); }

Duration& Of(JobStay& stay, GpuUse use) { return stay.by_use[static_cast<std::size_t>(use)]; }

// Work and checkpoints in what is left of `elapsed` after warm-up and restart.
struct Cycles {
  std::int64_t whole = 0;  // intervals that are worked and written
  Duration worked;         // in the one after
  Duration writing;        // of a checkpoint that is not done
};

Cycles CyclesOf(const JobStart& start, Duration left) {
  Cycles cycles;
  const Duration interval = start.checkpoint.interval.value_or(Duration());
  if (interval <= Duration()) return {0, std::min(left, Work(start)), Duration()};
  const std::int64_t cycle = (interval + start.checkpoint.write).base();
  // The end of the work is not written: the last interval is no cycle, even a whole one.
  const std::int64_t most = std::max<std::int64_t>(Work(start).base() - 1, 0) / interval.base();
  cycles.whole = std::min(left.base() / cycle, most);
  const Duration rest = left - Millis(cycles.whole * cycle);
  const Duration to_do = Work(start) - Millis(cycles.whole * interval.base());
  cycles.worked = std::min({rest, interval, to_do});
  cycles.writing = rest - cycles.worked;
  return cycles;
}

JobStay Stay(const JobStart& start, Duration elapsed, bool is_cut) {
  JobStay stay;
  const CheckpointPlan& checkpoint = start.checkpoint;
  const Duration warm_up = std::min(elapsed, checkpoint.warm_up);
  const Duration restart =
      std::min(elapsed - warm_up, start.restores ? checkpoint.restart : Duration());
  const Cycles cycles = CyclesOf(start, elapsed - warm_up - restart);
  const std::int64_t interval = checkpoint.interval.value_or(Duration()).base();
  const Duration saved = Millis(cycles.whole * interval);
  Of(stay, GpuUse::kWarmUp) = warm_up;
  Of(stay, GpuUse::kRestart) = restart;
  Of(stay, GpuUse::kCheckpoint) = Millis(cycles.whole * checkpoint.write.base()) + cycles.writing;
  Of(stay, GpuUse::kUseful) = is_cut ? saved : saved + cycles.worked;
  Of(stay, GpuUse::kLost) = is_cut ? cycles.worked : Duration();
  stay.done = std::min(start.left, Of(stay, GpuUse::kUseful).base() * start.pods);
  return stay;
}

}  // namespace

Duration WallTime(const JobStart& start) {
  PLIMSOLL_CHECK(start.pods > 0 && start.left >= 0);
  const CheckpointPlan& checkpoint = start.checkpoint;
  const Duration work = Work(start);
  Duration writes;
  if (checkpoint.interval && *checkpoint.interval > Duration() && work > Duration()) {
    const std::int64_t count = (work.base() - 1) / checkpoint.interval->base();
    writes = Millis(count * checkpoint.write.base());
  }
  return checkpoint.warm_up + (start.restores ? checkpoint.restart : Duration()) + work + writes;
}

JobStay Interrupted(const JobStart& start, Duration elapsed) { return Stay(start, elapsed, true); }

JobStay Continued(const JobStart& start, Duration elapsed) { return Stay(start, elapsed, false); }

}  // namespace plimsoll
