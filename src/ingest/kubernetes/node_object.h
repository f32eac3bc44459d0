// NodeObject: a Kubernetes Node as a row of the fleet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "catalog/catalog.h"
#include "ingest/kubernetes/field_reader.h"
#include "model/fleet.h"

namespace plimsoll {

using NodeLabels = std::map<std::string, std::string>;

// "spot", "on-demand", "reserved" or "unknown", from the labels of Karpenter, EKS, GKE and AKS
// in any case. A node of EKS, GKE or AKS that its platform would have marked as spot, and did
// not, is on-demand.
std::string CapacityTypeOf(const NodeLabels& labels);

// The GPU model as the labels name it, without what sharing and MIG append to it; "" if none.
std::string GpuProductOf(const NodeLabels& labels);

// Cards behind device resources (status.capacity or status.allocatable): MIG instances by their
// slices, replicas divided out; parts of cards are rounded up.
std::int64_t CardsOf(const NodeLabels& labels, const std::map<std::string, std::string>& amounts);

// Physical cards, by the first source that knows them: the catalog's shape for the instance
// type, the cloud's count labels, gpu.count (divided by the instances a card where every card
// is partitioned alike), capacity (divided by the replicas where cards are shared).
std::int64_t PhysicalGpus(const NodeLabels& labels,
                          const std::map<std::string, std::string>& capacity,
                          const InstanceShape* shape);

// Adds the node. Devices that are no whole number, or more than kNodeDevicesMax of a resource or
// kNodeGpusMax cards, are an error of their field. The Ready condition, unless True, and a cordon
// are labels "kubernetes/...". What cannot be read is in the reader's error; then nothing is added.
void AppendNode(const FieldReader& object, const std::string& cluster, const Catalog* catalog,
                NodeBatch& nodes);

}  // namespace plimsoll
