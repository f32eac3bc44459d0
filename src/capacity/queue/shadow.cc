#include "capacity/queue/shadow.h"

#include "base/check.h"

namespace plimsoll {

void Shadow::Started(LiveId id, const LiveJob& job) {
  const Run run{job.ends_by, id};
  PLIMSOLL_CHECK(runs_.insert(run).second);
  if (!IsReleased(run)) room_.TakeAgain(job.shape, job.places);
}

void Shadow::Stopped(LiveId id, const LiveJob& job) {
  const Run run{job.ends_by, id};
  PLIMSOLL_CHECK(runs_.erase(run) == 1);
  if (!IsReleased(run)) {
    room_.Give(job.shape, job.places);
    may_shrink_ = true;
  } else if (job.ends_by == *bound_) {
    may_shrink_ = true;
  }
}

void Shadow::SetUp(NodeId node, bool up) {
  room_.SetUp(node, up);
  may_shrink_ = true;
}

bool Shadow::ReleaseNext(std::span<const LiveJob> jobs) {
  auto run = bound_ ? runs_.upper_bound({*bound_, ~LiveId{0}}) : runs_.begin();
  if (run == runs_.end()) return false;
  bound_ = run->first;
  for (; run != runs_.end() && run->first == *bound_; ++run) {
    room_.Give(jobs[run->second].shape, jobs[run->second].places);
  }
  return true;
}

void Shadow::TakeLastBack(std::span<const LiveJob> jobs) {
  auto run = runs_.upper_bound({*bound_, ~LiveId{0}});
  while (run != runs_.begin() && std::prev(run)->first == *bound_) {
    --run;
    room_.TakeAgain(jobs[run->second].shape, jobs[run->second].places);
  }
  bound_ = run == runs_.begin() ? std::nullopt : std::optional(std::prev(run)->first);
}

}  // namespace plimsoll
