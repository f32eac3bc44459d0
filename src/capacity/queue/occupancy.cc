#include "capacity/queue/occupancy.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace plimsoll {
namespace {

// CheckQueueInput refuses what cannot be counted; a run that goes on far beyond its jobs stops
// here.
GpuMicros Counted(int128 micros) {
  PLIMSOLL_CHECK(micros <= std::numeric_limits<std::int64_t>::max());
  return GpuMicros::FromBase(static_cast<std::int64_t>(micros));
}

}  // namespace

Occupancy::Occupancy(const Cluster& cluster, std::size_t queues, Instant begin,
                     std::optional<Duration> step)
    : begin_(begin), step_(step) {
  const LevelIntegral empty(begin, step.value_or(Duration()));
  by_queue_.assign(queues, empty);
  for (LevelIntegral& free : free_) free = empty;
  waiting_milli_ = empty;
  waiting_jobs_ = held_up_idle_ = LevelIntegral(begin, Duration());
  for (NodeId id = 0; id < cluster.size(); ++id) {
    OfNode node;
    node.milli = std::int64_t{cluster.node(id).gpus} * kMilliPerGpu;
    node.since = begin;
    nodes_.push_back(node);
  }
  Free(NodeState::kUp).Set(cluster.gpu_milli_total(), begin);
}

void Occupancy::Advance(OfNode& node, Instant now) {
  if (now <= node.since) return;
  const std::int64_t ms = Between(node.since, now).base();
  node.used_sum += node.used * ms;
  node.free_sum[static_cast<std::size_t>(node.state)] += (node.milli - node.used) * ms;
  node.since = now;
}

void Occupancy::Take(NodeId id, std::uint32_t queue, std::int64_t milli, Instant now) {
  OfNode& node = nodes_[id];
  Advance(node, now);
  node.used += milli;
  used_ += milli;
  by_queue_[queue].Add(milli, now);
  Free(node.state).Add(-milli, now);
  if (holds_up_) held_up_idle_.Set(idle_milli(), now);
}

void Occupancy::SetState(NodeId id, NodeState state, Instant now) {
  OfNode& node = nodes_[id];
  if (node.state == state) return;
  Advance(node, now);
  Free(node.state).Add(node.used - node.milli, now);
  Free(state).Add(node.milli - node.used, now);
  node.state = state;
  if (holds_up_) held_up_idle_.Set(idle_milli(), now);
}

void Occupancy::Wait(std::int32_t jobs, std::int64_t milli, Instant now) {
  waiting_jobs_.Add(jobs, now);
  waiting_milli_.Add(milli, now);
}

void Occupancy::SetHeadOfLine(bool holds_up, Instant now) {
  if (!holds_up && !holds_up_) return;
  holds_up_ = holds_up;
  held_up_idle_.Set(holds_up ? idle_milli() : 0, now);
}

void Occupancy::ForgetTimeline() {
  const auto forget = [](LevelIntegral& integral) { integral = LevelIntegral(); };
  std::ranges::for_each(by_queue_, forget);
  forget(waiting_milli_);
}

void Occupancy::Finish(Instant end, QueueOutcome& outcome) {
  end = std::max(end, begin_);
  ClusterTotals& totals = outcome.totals;
  totals.window = {begin_, end};
  const std::int64_t ms = totals.window.length().base();
  int128 by_node[4] = {0, 0, 0, 0}, capacity = 0;
  for (OfNode& node : nodes_) {
    Advance(node, end);
    const std::int64_t sum = node.used_sum + node.free_sum[0] + node.free_sum[1] + node.free_sum[2];
    PLIMSOLL_CHECK(sum == node.milli * ms);
    outcome.used_by_node.push_back(GpuMicros::FromBase(node.used_sum));
    by_node[0] += node.used_sum;
    for (std::size_t i = 0; i < 3; ++i) by_node[i + 1] += node.free_sum[i];
    capacity += sum;
  }
  int128 used = 0;
  for (LevelIntegral& queue : by_queue_) {
    queue.Advance(end);
    used += queue.sum();
  }
  for (LevelIntegral& free : free_) free.Advance(end);
  for (LevelIntegral* const integral : {&waiting_jobs_, &waiting_milli_, &held_up_idle_}) {
    integral->Advance(end);
  }
  totals.capacity = Counted(capacity);
  totals.used = Counted(used);
  totals.idle = Counted(Free(NodeState::kUp).sum());
  totals.down = Counted(Free(NodeState::kDown).sum());
  totals.spare = Counted(Free(NodeState::kSpare).sum());
  PLIMSOLL_CHECK(used == by_node[0]);
  for (std::size_t i = 0; i < 3; ++i) PLIMSOLL_CHECK(free_[i].sum() == by_node[i + 1]);
  PLIMSOLL_CHECK(totals.used + totals.idle + totals.down + totals.spare == totals.capacity);
  totals.waiting_ms = static_cast<std::int64_t>(waiting_jobs_.sum());
  totals.waiting_gpu_micros = waiting_milli_.sum();
  totals.head_of_line_idle = Counted(held_up_idle_.sum());

  if (!step_) return;
  const auto at = [](const LevelIntegral& integral, std::size_t i) {
    const auto& steps = integral.steps();
    return Counted(i < steps.size() ? steps[i] : 0);
  };
  const std::int64_t steps = (ms + step_->base() - 1) / step_->base();
  for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i) {
    TimelineStep step;
    step.at = begin_ + Millis(static_cast<std::int64_t>(i) * step_->base());
    for (const LevelIntegral& queue : by_queue_) step.used_by_queue.push_back(at(queue, i));
    step.idle = at(Free(NodeState::kUp), i);
    step.down = at(Free(NodeState::kDown), i);
    step.spare = at(Free(NodeState::kSpare), i);
    step.waiting = at(waiting_milli_, i);
    outcome.timeline.push_back(std::move(step));
  }
}

}  // namespace plimsoll
