// Occupancy: GPU time of nodes and queues, counted twice so that nothing is lost or invented.
//
// Node by node, what is held and what is free in its state; and in all, by queue and state. Both
// over the measured window only; Finish checks the one against the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/queue/level_integral.h"
#include "capacity/queue/queue_outcome.h"
#include "units/time.h"

namespace plimsoll {

enum class NodeState : unsigned char { kUp, kDown, kSpare };

class Occupancy {
 public:
  // Everything is free and up. No step: no timeline.
  Occupancy(const Cluster& cluster, std::size_t queues, Instant begin,
            std::optional<Duration> step);

  // GPU milli that a job of `queue` takes (or gives, below 0) on a node.
  void Take(NodeId node, std::uint32_t queue, std::int64_t milli, Instant now);
  void SetState(NodeId node, NodeState state, Instant now);
  // Jobs that wait, and the GPU milli that they ask for, more or less than before.
  void Wait(std::int32_t jobs, std::int64_t milli, Instant now);
  // Whether a head holds up somebody who would fit.
  void SetHeadOfLine(bool holds_up, Instant now);
  void ForgetTimeline();  // a branch has none

  std::int64_t used_milli() const { return used_; }
  std::int64_t idle_milli() const { return free_[0].level(); }

  // Brings all up to `end` and fills in totals, nodes and timeline. Checks that used + idle +
  // down + spare is capacity x time, of every node and in all.
  void Finish(Instant end, QueueOutcome& outcome);

 private:
  struct OfNode {
    std::int64_t milli = 0, used = 0;
    Instant since;
    NodeState state = NodeState::kUp;
    std::int64_t used_sum = 0;
    std::int64_t free_sum[3] = {0, 0, 0};  // by NodeState
  };
  void Advance(OfNode& node, Instant now);
  LevelIntegral& Free(NodeState state) { return free_[static_cast<std::size_t>(state)]; }

  Instant begin_;
  std::optional<Duration> step_;
  std::vector<OfNode> nodes_;
  std::vector<LevelIntegral> by_queue_;
  LevelIntegral free_[3];  // by NodeState
  LevelIntegral waiting_jobs_, waiting_milli_, held_up_idle_;
  std::int64_t used_ = 0;
  bool holds_up_ = false;
};

}  // namespace plimsoll
