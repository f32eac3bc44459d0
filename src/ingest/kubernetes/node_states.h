// NodeStates: what a Node object says of how well its GPUs can be used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/kubernetes/field_reader.h"
#include "units/time.h"

namespace plimsoll {

// One aspect as the object has it now; values as NodeStateBatch.
struct NodeStateSighting {
  std::string aspect, value;
  std::int64_t gpus = 0;                          // of aspect gpus
  std::optional<Instant> changed = std::nullopt;  // since when, if the object says
  std::string reason = "";
  bool may_be_dra = false;  // no plugin shows GPUs here, as is right where DRA gives them out
};

// Of a node with GPUs (`gpus` physical cards, or a label that says so), else nothing:
//   health       failed: Ready is not True; initializing: no GPU can be allocated yet, a
//                start-up or status taint, karpenter.sh/unregistered; else ok
//   schedulable  no: cordoned, ToBeDeleted or disrupted taint; else yes
//   gpus         cards that can be allocated: those that the node has, less what capacity
//                shows and allocatable lacks
std::vector<NodeStateSighting> ReadNodeStates(const FieldReader& object, std::int64_t gpus);

}  // namespace plimsoll
