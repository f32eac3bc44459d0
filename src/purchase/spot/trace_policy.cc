#include "purchase/spot/trace_policy.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace plimsoll {
namespace {

std::int64_t CeilTo(std::int64_t value, std::int64_t step) {
  return value <= 0 ? 0 : (value + step - 1) / step * step;
}

double InSeconds(std::int64_t ms) { return static_cast<double>(ms) / 1e3; }

Machine SpotOrNone(const PolicySight& sight) {
  return sight.has_spot ? Machine::kSpot : Machine::kNone;
}

}  // namespace

std::optional<TracePolicy> ParseTracePolicy(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kTracePolicyNames); ++i) {
    if (name == kTracePolicyNames[i]) return static_cast<TracePolicy>(i);
  }
  return std::nullopt;
}

PolicyRun::PolicyRun(TracePolicy policy, const TraceJob& job, Duration gap)
    : policy_(policy), job_(job), gap_(gap.base()) {
  PLIMSOLL_CHECK(gap_ > 0 && job.work > Duration() && job.deadline > Duration());
  PLIMSOLL_CHECK(policy < TracePolicy::kOptimum);
  // Slots are whole ticks: 8 h at a step of 195 s is 148 ticks.
  slot_ticks_ = std::max<std::int64_t>(1, (2 * kPairSlot.base() + gap_) / (2 * gap_));
  const std::int64_t slot = slot_ticks_ * gap_;
  slots_ = CeilTo(job.deadline.base(), slot) / slot;
}

Machine PolicyRun::Decide(const PolicySight& sight) {
  switch (policy_) {
    case TracePolicy::kOnDemand:
      return Machine::kOnDemand;
    case TracePolicy::kSpotOnly:
      return SpotOrNone(sight);
    case TracePolicy::kGreedy:
      return Greedy(sight);
    case TracePolicy::kPairAmortize:
      return PairAmortize(sight);
    case TracePolicy::kUniformProgress:
    case TracePolicy::kUniformHysteresis:
      return UniformProgress(sight);
    case TracePolicy::kOptimum:
    case TracePolicy::kOptimumPublished:
      break;
  }
  PLIMSOLL_CHECK(false);
}

// Whole ticks to the deadline.
std::int64_t PolicyRun::LeftMs(const PolicySight& sight) const {
  return std::max<std::int64_t>(0, (job_.deadline.base() - sight.tick * gap_) / gap_ * gap_);
}

// True if the deadline leaves no tick to spare for the work and `restarts_ms`.
bool PolicyRun::IsLast(std::int64_t restarts_ms, const PolicySight& sight) const {
  return CeilTo((job_.work - sight.done).base() + restarts_ms, gap_) >= LeftMs(sight);
}

Machine PolicyRun::Greedy(const PolicySight& sight) const {
  if (!IsLast(job_.restart.base(), sight)) return SpotOrNone(sight);
  if (sight.current == Machine::kSpot) return Machine::kSpot;
  const bool is_free = job_.restart == Duration() && sight.has_spot;
  return is_free ? Machine::kSpot : Machine::kOnDemand;
}

// Whether this slot's part of the work leaves less than a tick of the slot to spare, with what
// earlier slots earned or lost spread over those that are left. As published, work of the tick
// before a slot counts for it too, and times are floating seconds, whose rounding decides ties.
bool PolicyRun::IsPairOver(const PolicySight& sight) {
  done_.push_back(sight.done.base());
  const double part = InSeconds(job_.work.base()) / static_cast<double>(slots_);
  if (sight.tick == (slot_ + 1) * slot_ticks_ && slot_ + 1 < slots_) {
    const std::int64_t begin = done_[static_cast<std::size_t>(sight.tick - slot_ticks_)];
    earned_ += InSeconds(sight.done.base() - begin) - part;
    ++slot_;
  }
  const std::int64_t first = slot_ * slot_ticks_;
  const std::int64_t before = slot_ == 0 ? 0 : done_[static_cast<std::size_t>(first - 1)];
  const double left = part - InSeconds(sight.done.base() - before);
  const double needed = left + InSeconds(job_.restart.base()) + InSeconds(gap_);
  const double time = InSeconds((first + slot_ticks_ - sight.tick) * gap_);
  return needed > time + earned_ / static_cast<double>(slots_ - slot_);
}

Machine PolicyRun::PairAmortize(const PolicySight& sight) {
  const bool over = IsPairOver(sight);
  if (!over && !IsLast(job_.restart.base(), sight)) return SpotOrNone(sight);
  return sight.current == Machine::kSpot ? Machine::kSpot : Machine::kOnDemand;
}

Machine PolicyRun::UniformProgress(const PolicySight& sight) const {
  const int128 deadline = job_.deadline.base(), work = job_.work.base();
  const int128 elapsed = int128{sight.tick} * gap_, done = sight.done.base();
  const std::int64_t restart = job_.restart.base();
  const bool behind = done * deadline < elapsed * work;
  Machine want = SpotOrNone(sight);
  if (!sight.has_spot && (behind || sight.current == Machine::kOnDemand)) {
    want = Machine::kOnDemand;
  }
  const bool keeps = policy_ == TracePolicy::kUniformHysteresis &&
                     sight.current == Machine::kOnDemand &&
                     done * deadline <= (elapsed + 2 * restart) * work;
  if (keeps) want = Machine::kOnDemand;
  if (sight.current != Machine::kSpot && IsLast(2 * restart, sight)) want = Machine::kOnDemand;
  if (!IsLast(restart, sight)) return want;
  const bool runs = sight.current == Machine::kSpot && sight.restarting == Duration();
  return runs || (restart == 0 && sight.has_spot) ? Machine::kSpot : Machine::kOnDemand;
}

}  // namespace plimsoll
