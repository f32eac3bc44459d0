#include "capacity/quota/quota_state.h"

#include "base/check.h"

namespace plimsoll {

QuotaHandle QuotaState::Admit(AdmittedWorkload workload) {
  PLIMSOLL_CHECK(workload.queue < tree_.queues());
  QuotaHandle handle = static_cast<QuotaHandle>(workloads_.size());
  if (free_.empty()) {
    workloads_.emplace_back();
    place_.emplace_back();
  } else {
    handle = free_.back();
    free_.pop_back();
  }
  std::vector<QuotaHandle>& others = by_queue_[workload.queue];
  place_[handle] = static_cast<std::uint32_t>(others.size());
  others.push_back(handle);
  workloads_[handle] = std::move(workload);
  AddUsage(handle);
  return handle;
}

void QuotaState::Release(QuotaHandle handle) {
  std::vector<QuotaHandle>& others = by_queue_[workloads_[handle].queue];
  PLIMSOLL_CHECK(place_[handle] < others.size() && others[place_[handle]] == handle);
  RemoveUsage(handle);
  place_[others.back()] = place_[handle];
  others[place_[handle]] = others.back();
  others.pop_back();
  place_[handle] = ~std::uint32_t{0};  // a second Release fails
  free_.push_back(handle);
}

}  // namespace plimsoll
