// KueueWorkloads: quota that Kueue has reserved for workloads whose pods do not hold it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/kubernetes/owners.h"
#include "ingest/kubernetes/pod_object.h"
#include "ingest/kubernetes/set_asides.h"

namespace plimsoll {

class KueueWorkloads {
 public:
  void Add(const FieldReader& object, const Sighting& sighting);

  // Gives the pod to its workload: by the workload's owner among the pod and its owners, or by
  // annotation kueue.x-k8s.io/workload.
  void TakePod(const PodObject& pod, const OwnerIndex& owners);

  // From QuotaReserved on, what was reserved less what pods held at each time; nothing once the
  // quota is given back (Finished, evicted and requeued, deleted). A pod that completed holds
  // on as far as status.reclaimablePods says that its part was given back.
  std::vector<SetAsideHistory> Histories(Instant as_of) const;

  bool empty() const { return workloads_.empty(); }

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name
  struct HeldSpan {
    Instant begin;
    std::optional<Instant> until;
    std::int64_t micros = 0;
    bool completed = false;
  };
  struct Workload {
    std::string resource_version, queue, cluster_queue;
    std::vector<std::string> owners;  // uids
    std::optional<Instant> reserved;  // since when
    std::optional<Instant> released;  // when quota was given back, if it was
    bool evicted = false, gone = false;
    std::optional<Instant> at;
    std::int64_t micros = 0;  // cards reserved
    std::int64_t reclaimable = 0;
    std::vector<HeldSpan> held;
  };
  static void ReadConditions(const FieldReader& object, Workload& workload);
  static void ReadPodSets(const FieldReader& object, Workload& workload);
  static std::vector<Sighted> StepsOf(const Workload& workload, Instant as_of);

  std::map<Name, Workload> workloads_;
  std::map<std::string, Name> by_owner_;
};

}  // namespace plimsoll
