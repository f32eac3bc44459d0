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
  bool has_claims = false;         // devices by resource claims, which no request shows
  bool has_unknown_share = false;  // a share of a GPU given in memory only
};

// For each resource max(largest init container with the sidecars started before it, sum of
// containers and sidecars) + overhead; a sidecar is an init container with restartPolicy
// Always. CPU and memory of the whole pod (spec.resources) come before its containers'.
// A container's limit is its request where it states none. Besides named devices it knows
// fractions by annotation ("gpu-fraction", KAI) and by core percentage ("nvidia.com/gpucores",
// HAMi).
PodRequests EffectiveRequests(const FieldReader& pod);

}  // namespace plimsoll
