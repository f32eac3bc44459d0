// PodRequests: what the scheduler counts for a pod, by resource.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ingest/kubernetes/field_reader.h"
#include "ingest/pod.h"

namespace plimsoll {

struct PodRequests {
  std::map<std::string, std::int64_t> amounts;  // as PodRecord::requests
  std::map<std::string, DeviceUnit> units;      // as PodRecord::units
  // Shares given in memory only: MiB of each device, by resource. The share is of the memory
  // that the node's cards have (ApplyMemoryShares).
  std::map<std::string, std::int64_t> memory_mib;
};

// For each resource max(largest init container with the sidecars started before it, sum of
// containers and sidecars) + overhead; a sidecar is an init container with restartPolicy
// Always. CPU and memory of the whole pod (spec.resources) come before its containers'.
// A container's limit is its request where it states none; while a resize is in flight, what
// its status still has counts if it is more. Besides named devices it knows fractions by
// annotation ("gpu-fraction", "gpu-memory", KAI) and by percentage ("nvidia.com/gpucores",
// else "gpumem-percentage" or "gpumem", HAMi).
PodRequests EffectiveRequests(const FieldReader& pod);

// Turns shares in memory into units of a node whose cards have `card_mib` (label
// nvidia.com/gpu.memory). False if a share stays unknown, as `card_mib` is 0.
bool ApplyMemoryShares(const std::map<std::string, std::int64_t>& memory_mib, std::int64_t card_mib,
                       std::map<std::string, DeviceUnit>& units);

}  // namespace plimsoll
