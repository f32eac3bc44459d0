// PodObject: a Kubernetes Pod as a PodRecord, before its owners and namespace are known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/kubernetes/field_reader.h"
#include "ingest/kubernetes/owners.h"
#include "ingest/pod.h"

namespace plimsoll {

struct PodObject {
  PodRecord pod;
  OwnerRef owner;
  std::string resource_version;
  std::map<std::string, std::int64_t> memory_mib;  // as PodRequests::memory_mib
  std::vector<std::string> claims;                 // names of its ResourceClaims (DRA)
  std::vector<std::string> volumes;                // names of its PersistentVolumeClaims
  std::string kueue_workload;                      // annotation kueue.x-k8s.io/workload
  bool is_resized = false;                         // sightings differ in CPU or memory
};

// Reads the pod; what cannot be read is in the reader's error.
//   scheduled  PodScheduled became True, else startTime, else creation, if it has a node
//   ready      the last container's first known start, once all containers have one
//   ended      terminal phase: the last container's end, else the last change of a condition;
//              a pod that was told to go ends at its deletionTimestamp
PodObject ReadPod(const FieldReader& object);

// Of two sightings of one pod keeps that of the later resourceVersion, with the earliest
// scheduled and ready times, the known end of either and the larger of the requests: a holding
// has one amount for its whole time, and a resize must not make the past cheaper.
void KeepLaterSighting(PodObject& kept, PodObject other);

// Whether resourceVersion `a` is later than `b`: an opaque text, but in practice a number.
bool IsLaterVersion(const std::string& a, const std::string& b);

}  // namespace plimsoll
