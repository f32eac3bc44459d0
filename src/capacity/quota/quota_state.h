// QuotaState: a quota tree and the workloads that hold parts of it; a copy is a snapshot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "capacity/quota/quota_tree.h"
#include "units/time.h"

namespace plimsoll {

using QuotaHandle = std::uint32_t;  // of an admitted workload, free for another after Release

// A workload with quota reserved.
struct AdmittedWorkload {
  std::uint64_t id = 0;  // the caller's; of equals the smaller is evicted first (Kueue: the UID)
  QuotaNode queue = 0;
  std::int32_t priority = 0;
  Instant queued;    // its place in the queue: creation, or its last eviction for not being ready
  Instant reserved;  // when it got the quota
  bool evicted = false;  // told to go, and still holding the quota
  std::vector<QuotaAmount> usage;
  bool preemptible = true;  // else no rule evicts it
};

class QuotaState {
 public:
  explicit QuotaState(QuotaTree tree) : tree_(std::move(tree)), by_queue_(tree_.queues()) {}

  const QuotaTree& tree() const { return tree_; }
  const AdmittedWorkload& workload(QuotaHandle handle) const { return workloads_[handle]; }
  // Those of a queue, in no order.
  std::span<const QuotaHandle> workloads(QuotaNode queue) const { return by_queue_[queue]; }

  // Whether there is enough is not asked. REQUIRES: a queue and cells of the tree
  QuotaHandle Admit(AdmittedWorkload workload);
  void Release(QuotaHandle handle);
  void MarkEvicted(QuotaHandle handle) { workloads_[handle].evicted = true; }

  // What-if: takes the workload's usage off the tree and puts it back; nothing else changes.
  void RemoveUsage(QuotaHandle handle) {
    tree_.Remove(workloads_[handle].queue, workloads_[handle].usage);
  }
  void AddUsage(QuotaHandle handle) {
    tree_.Add(workloads_[handle].queue, workloads_[handle].usage);
  }
  // The same of amounts that no workload holds yet: a reservation.
  void AddUsage(QuotaNode queue, std::span<const QuotaAmount> amounts) {
    tree_.Add(queue, amounts);
  }
  void RemoveUsage(QuotaNode queue, std::span<const QuotaAmount> amounts) {
    tree_.Remove(queue, amounts);
  }

 private:
  QuotaTree tree_;
  std::vector<AdmittedWorkload> workloads_;
  std::vector<std::uint32_t> place_;  // in by_queue_ of its queue
  std::vector<QuotaHandle> free_;
  std::vector<std::vector<QuotaHandle>> by_queue_;
};

}  // namespace plimsoll
