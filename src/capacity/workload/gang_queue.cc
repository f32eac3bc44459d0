#include "capacity/workload/gang_queue.h"

#include <algorithm>
#include <functional>
#include <list>
#include <queue>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

// What a job holds: GPUs of nodes.
using Held = std::vector<std::pair<std::size_t, std::int32_t>>;

class Nodes {
 public:
  Nodes(std::int32_t gpus, std::int32_t per_node) : per_node_(per_node) {
    for (; gpus > 0; gpus -= per_node) free_.push_back(std::min(gpus, per_node));
  }

  // False, and nothing taken, if there is no room.
  bool Take(std::int32_t gpus, Held& held) {
    held.clear();
    std::int32_t whole = gpus / per_node_;
    const std::int32_t rest = gpus % per_node_;
    for (std::size_t node = 0; node < free_.size() && whole > 0; ++node) {
      if (free_[node] != per_node_) continue;
      held.emplace_back(node, per_node_);
      free_[node] = 0;
      --whole;
    }
    if (whole == 0 && (rest == 0 || TakeRest(rest, held))) return true;
    for (const auto& [node, count] : held) free_[node] += count;
    held.clear();
    return false;
  }

  void Give(const Held& held) {
    for (const auto& [node, count] : held) free_[node] += count;
  }

 private:
  bool TakeRest(std::int32_t rest, Held& held) {
    std::size_t best = free_.size();
    for (std::size_t node = 0; node < free_.size(); ++node) {
      if (free_[node] < rest) continue;
      if (best == free_.size() || free_[node] < free_[best]) best = node;
    }
    if (best == free_.size()) return false;
    held.emplace_back(best, rest);
    free_[best] -= rest;
    return true;
  }

  std::int32_t per_node_;
  std::vector<std::int32_t> free_;
};

class Run {
 public:
  Run(const QueueRun& run, GangPolicy policy)
      : run_(run), policy_(policy), nodes_(run.gpus, run.gpus_per_node), idle_(run.gpus) {}

  OccupancyPath Play() {
    // What runs at the begin is placed largest first, so that whole nodes are still whole; what
    // does not fit for it was placed otherwise waits at the head of the queue.
    std::vector<QueueJob> running = run_.running;
    std::stable_sort(running.begin(), running.end(),
                     [](const QueueJob& a, const QueueJob& b) { return a.gpus > b.gpus; });
    for (const QueueJob& job : running) {
      if (!Start(job, run_.window.begin)) Wait(job);
    }
    Instant sample = run_.window.begin;
    std::size_t next = 0;
    while (sample < run_.window.until) {
      const Instant arrival =
          next < run_.jobs.size() ? run_.jobs[next].submitted : run_.window.until;
      const Instant end = ends_.empty() ? run_.window.until : ends_.top().at;
      const Instant now = std::min(arrival, end);
      for (; sample < run_.window.until && sample < now; sample = sample + run_.step) Note();
      if (now >= run_.window.until) break;
      if (end <= arrival) {
        Finish();
      } else {
        Wait(run_.jobs[next++]);
      }
      Schedule(std::max(now, run_.window.begin));
    }
    for (; sample < run_.window.until; sample = sample + run_.step) Note();
    return std::move(path_);
  }

 private:
  struct End {
    Instant at;
    std::uint64_t sequence;
    std::size_t slot;
    bool operator>(const End& other) const {
      return std::pair(at, sequence) > std::pair(other.at, other.sequence);
    }
  };

  void Note() {
    path_.pending.push_back(pending_);
    path_.idle.push_back(idle_);
  }

  void Wait(const QueueJob& job) {
    if (job.gpus <= 0 || job.gpus > run_.gpus) return;  // could never start
    waiting_.push_back(job);
    pending_ += job.gpus;
  }

  bool Start(const QueueJob& job, Instant now) {
    Held held;
    if (job.gpus <= 0 || !nodes_.Take(job.gpus, held)) return false;
    idle_ -= job.gpus;
    ends_.push({now + job.run, sequence_++, held_.size()});
    held_.emplace_back(job.gpus, std::move(held));
    return true;
  }

  void Finish() {
    auto& [gpus, held] = held_[ends_.top().slot];
    ends_.pop();
    nodes_.Give(held);
    idle_ += gpus;
    held = Held();
  }

  void Schedule(Instant now) {
    for (auto job = waiting_.begin(); job != waiting_.end() && idle_ > 0;) {
      if (Start(*job, now)) {
        pending_ -= job->gpus;
        job = waiting_.erase(job);
      } else if (policy_ == GangPolicy::kFifo) {
        return;
      } else {
        ++job;
      }
    }
  }

  const QueueRun& run_;
  GangPolicy policy_;
  Nodes nodes_;
  std::int32_t idle_, pending_ = 0;
  std::list<QueueJob> waiting_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::pair<std::int32_t, Held>> held_;  // by slot of an end
  std::uint64_t sequence_ = 0;
  OccupancyPath path_;
};

}  // namespace

const char* GangPolicyName(GangPolicy policy) {
  return policy == GangPolicy::kFifo ? "fifo" : "skip";
}

QueueModel GangQueue(GangPolicy policy) {
  return [policy](const QueueRun& run) {
    PLIMSOLL_CHECK(run.step > Duration() && run.gpus >= 0 && run.gpus_per_node > 0);
    return Run(run, policy).Play();
  };
}

}  // namespace plimsoll
