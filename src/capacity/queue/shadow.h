// Shadow: the cluster as it will be when the head of the line can start, by the estimates.
//
// Runs are ended in the order of their estimated ends until the head fits; the last of these ends
// is the shadow time (Lifka 1995). A job that passes the head must end by then, or leave the head
// its room in the state of that time. Kept up to date by moving that boundary rather than
// anew: a run that ends within it changes nothing here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "capacity/queue/live_job.h"
#include "capacity/queue/room.h"

namespace plimsoll {

class Shadow {
 public:
  explicit Shadow(const Cluster& cluster) : room_(cluster) {}

  // What happens on the cluster itself. REQUIRES: `job` runs, with its places
  void Started(LiveId id, const LiveJob& job);
  void Stopped(LiveId id, const LiveJob& job);
  void SetUp(NodeId node, bool up);

  // Moves the boundary for a head: fits(room) says whether it would start. Null: not before all
  // runs have ended.
  template <class Fits>
  std::optional<Instant> Reserve(Instant now, std::span<const LiveJob> jobs, const Fits& fits) {
    while (may_shrink_ && bound_ && fits(room_)) {
      TakeLastBack(jobs);
      if (!fits(room_)) break;
    }
    while (!fits(room_)) {
      if (!ReleaseNext(jobs)) return std::nullopt;
    }
    may_shrink_ = false;
    return std::max(now, bound_.value_or(now));
  }
  void HeadChanged() { may_shrink_ = true; }

  // Whether the head would still start then if somebody else had these places.
  template <class Fits>
  bool Leaves(const PodShape& shape, const GangPlaces& places, const Fits& fits) {
    room_.TakeAgain(shape, places);
    const bool leaves = fits(room_);
    room_.Give(shape, places);
    return leaves;
  }

 private:
  using Run = std::pair<Instant, LiveId>;  // estimated end
  bool IsReleased(const Run& run) const { return bound_ && run.first <= *bound_; }
  // All runs of the next, or of the last, estimated end. False if there is none.
  bool ReleaseNext(std::span<const LiveJob> jobs);
  void TakeLastBack(std::span<const LiveJob> jobs);

  Room room_;
  std::set<Run> runs_;
  std::optional<Instant> bound_;  // runs that end by then are released
  bool may_shrink_ = false;
};

}  // namespace plimsoll
