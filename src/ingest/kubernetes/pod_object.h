// PodObject: a Kubernetes Pod as a PodRecord, before its owners and namespace are known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ingest/kubernetes/field_reader.h"
#include "ingest/kubernetes/owners.h"
#include "ingest/pod.h"

namespace plimsoll {

struct PodObject {
  PodRecord pod;
  OwnerRef owner;
  std::string resource_version;
  bool has_claims = false;
  bool has_unknown_share = false;
};

// Reads the pod; what cannot be read is in the reader's error.
//   scheduled  PodScheduled became True, else startTime, else creation, if it has a node
//   ready      the last container's first known start, once all containers have one
//   ended      terminal phase: the last container's end, else the last change of a condition;
//              a pod that was told to go ends at its deletionTimestamp
PodObject ReadPod(const FieldReader& object);

// Of two sightings of one pod keeps that of the later resourceVersion, with the earliest
// scheduled and ready times and the known end of either.
void KeepLaterSighting(PodObject& kept, PodObject other);

}  // namespace plimsoll
