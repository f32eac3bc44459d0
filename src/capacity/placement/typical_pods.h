// TypicalPods: the shapes that stand for a workload, with how often each occurs.
//
// The most frequent shapes that together make `share_percent` of the pods (Weng et al., USENIX
// ATC 2023: 95 %). Pods without GPUs count too: while one of them takes a node's CPUs, the
// node's idle GPUs wait. Memory is no part of such a shape.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capacity/model/pod_shape.h"

namespace plimsoll {

struct TypicalPod {
  PodShape shape;
  std::int64_t count = 0;
};

struct TypicalPods {
  std::vector<TypicalPod> pods;  // the most frequent first
  std::int64_t count = 0;        // of all of them: what their shares are of
  std::int64_t shapes_seen = 0;  // rare ones too
};

// REQUIRES: 0 < share_percent <= 100
TypicalPods TypicalPodsOf(std::span<const PodShape> pods, std::int64_t share_percent = 95);

}  // namespace plimsoll
