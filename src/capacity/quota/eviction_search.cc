#include "capacity/quota/eviction_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

// Under the gate SchedulerTimestampPreemptionBuffer.
constexpr Duration kNewerBy = Minutes(5);

}  // namespace

bool EvictionSearch::IsCandidate(const AdmittedWorkload& workload, PreemptionPolicy policy) const {
  if (!workload.preemptible) return false;
  bool allowed = policy == PreemptionPolicy::kAny;
  const bool is_lower = workload.priority < preemptor_.priority;
  if (policy == PreemptionPolicy::kLowerPriority) allowed = is_lower;
  if (policy == PreemptionPolicy::kLowerOrNewerEqualPriority) {
    const Duration margin = rules_.scheduler_timestamp_preemption_buffer ? kNewerBy : Duration();
    allowed = is_lower || (workload.priority == preemptor_.priority &&
                           Between(preemptor_.queued, workload.queued) > margin);
  }
  if (!allowed) return false;
  return std::any_of(workload.usage.begin(), workload.usage.end(), [&](const QuotaAmount& one) {
    return std::find(preemptor_.contested.begin(), preemptor_.contested.end(), one.cell) !=
           preemptor_.contested.end();
  });
}

bool EvictionSearch::GoesFirst(QuotaHandle a, QuotaHandle b) const {
  const auto key = [&](const AdmittedWorkload& one) {
    return std::tuple(!one.evicted, one.queue == preemptor_.queue, one.priority,
                      -one.reserved.base(), one.id);
  };
  return key(state_.workload(a)) < key(state_.workload(b));
}

void EvictionSearch::Take(QuotaHandle workload, PreemptionReason reason) {
  state_.RemoveUsage(workload);
  taken_.push_back({workload, reason});
}

bool EvictionSearch::Fits(bool may_borrow) const {
  if (!may_borrow) {
    for (const QuotaAmount& one : preemptor_.usage) {
      if (tree().Borrows(preemptor_.queue, one.cell, one.amount)) return false;
    }
  }
  if (!tree().Fits(preemptor_.queue, preemptor_.usage)) return false;
  return !preemptor_.places || preemptor_.places(taken_);
}

// The last one taken is needed: without it nothing fitted.
std::vector<Victim> EvictionSearch::FillBack(bool may_borrow) {
  for (std::size_t left = taken_.size() - 1; left > 0; --left) {
    const std::size_t at = left - 1;
    const Victim one = taken_[at];
    state_.AddUsage(one.workload);
    taken_[at] = taken_.back();
    taken_.pop_back();
    if (Fits(may_borrow)) continue;
    state_.RemoveUsage(one.workload);
    taken_.push_back(taken_[at]);
    taken_[at] = one;
  }
  for (const Victim& one : taken_) state_.AddUsage(one.workload);
  return std::exchange(taken_, {});
}

void EvictionSearch::GiveUp() {
  for (const Victim& one : taken_) state_.AddUsage(one.workload);
  taken_.clear();
}

}  // namespace plimsoll
