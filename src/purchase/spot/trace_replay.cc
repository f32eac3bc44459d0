#include "purchase/spot/trace_replay.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMsPerHour = 3'600'000;

class Replay {
 public:
  Replay(const TraceJob& job, const SpotSeries& series) : job_(job), series_(series) {}

  bool done() const { return done_ >= job_.work; }

  PolicySight Look(std::int64_t tick) {
    const bool has_spot = series_.up[static_cast<std::size_t>(tick)] != 0;
    if (machine_ == Machine::kSpot && !has_spot) {
      machine_ = Machine::kNone;
      ++outcome_.preemptions;
    }
    return {tick, has_spot, machine_, done_, restarting_};
  }

  void Hold(Machine machine, std::int64_t tick) {
    if (machine != machine_ && machine != Machine::kNone && !done()) {
      restarting_ = job_.restart;
      ++outcome_.restarts;
    }
    machine_ = machine;
    if (machine == Machine::kNone) return;
    Pay(static_cast<std::size_t>(tick));
    if (done()) return;
    const Duration restarted = std::min(restarting_, series_.gap);
    const Duration worked = std::min(series_.gap - restarted, job_.work - done_);
    restarting_ = restarting_ - restarted;
    done_ += worked;
    outcome_.finished = Millis(tick * series_.gap.base()) + restarted + worked;
  }

  TraceOutcome Outcome() {
    outcome_.done = done();
    if (!outcome_.done) outcome_.finished = Duration();
    outcome_.cost = CostOfTicks(per_hour_, series_.gap);
    return outcome_;
  }

 private:
  void Pay(std::size_t tick) {
    const bool is_spot = machine_ == Machine::kSpot;
    const Money spot = series_.prices.empty() ? job_.spot : series_.prices[tick];
    per_hour_ += is_spot ? spot : job_.on_demand;
    (is_spot ? outcome_.spot_time : outcome_.on_demand_time) += series_.gap;
  }

  const TraceJob& job_;
  const SpotSeries& series_;
  Machine machine_ = Machine::kNone;
  Duration done_, restarting_;
  Money per_hour_;  // of all ticks that were paid
  TraceOutcome outcome_;
};

}  // namespace

Money CostOfTicks(Money per_hour, Duration gap) {
  return Money::FromNanos(DivideHalfEven(per_hour.nanos() * gap.base(), kMsPerHour));
}

TraceOutcome ReplayTrace(TracePolicy policy, const TraceJob& job, const SpotSeries& series) {
  PLIMSOLL_CHECK(series.prices.empty() || series.prices.size() == series.up.size());
  PolicyRun run(policy, job, series.gap);
  Replay replay(job, series);
  const auto ticks = static_cast<std::int64_t>(series.up.size());
  bool ended = false;
  for (std::int64_t tick = 0; tick < ticks && !ended; ++tick) {
    ended = replay.done();
    if (ended && SeesItsEnd(policy)) break;
    const PolicySight sight = replay.Look(tick);
    const Machine machine = run.Decide(sight);
    PLIMSOLL_CHECK(machine != Machine::kSpot || sight.has_spot);
    replay.Hold(machine, tick);
  }
  return replay.Outcome();
}

}  // namespace plimsoll
