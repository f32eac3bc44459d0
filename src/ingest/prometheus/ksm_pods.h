// KsmPods: pods as kube-state-metrics showed them, to holdings and waits (ingest/pod.h).
//
// The key is the uid, so two shards or a restarted exporter count a pod once. A pod ends at
// its completion time, however long it stays exported; one whose series vanish without it
// ends at its last sample plus the hold; one still there at the last sample of all is held.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/pod.h"
#include "ingest/prometheus/ksm_series.h"
#include "units/time.h"

namespace plimsoll {

struct KsmOptions {
  std::string cluster;
  Duration hold = Minutes(5);
};

struct KsmPods {
  std::vector<PodRecord> pods;    // by (ns, name, uid)
  std::int64_t without_node = 0;  // seen running, but no series says where: not among the pods
};
KsmPods PodsOf(const KsmStore& store, const KsmOptions& options);

}  // namespace plimsoll
