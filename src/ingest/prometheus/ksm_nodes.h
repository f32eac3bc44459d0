// KsmNodes: nodes as kube-state-metrics showed them, to NodeBatch.
//
// gpu_count is physical cards: the exporter's capacity counts time-slices and MIG devices,
// so it is divided by the replicas, and by the devices a card carries of the profile where
// every card is cut alike (mig.strategy=single).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/prometheus/ksm_pods.h"
#include "model/fleet.h"

namespace plimsoll {

// One row a node, in order of name; snapshot_id 0.
NodeBatch NodesOf(const KsmStore& store, const KsmOptions& options);

}  // namespace plimsoll
