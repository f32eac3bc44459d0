// IdleSplit: what stands between one pod shape and the idle GPUs, in parts that add up.
//
// Per node and in this order: GPUs of a node that is down or of another flavor; parts of GPUs
// that are too small (fractional); whole GPUs short of a pod's number (stranded: 3 GPUs on a node
// of 4 strand one); GPUs that lack CPU or memory beside them; usable ones. The split that Alibaba
// publishes of its 2026 fleet (idle - floor(idle), floor(idle) < request, CPU), per GPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capacity/model/cluster.h"

namespace plimsoll {

struct IdleSplit {  // thousandths of GPUs
  std::int64_t down = 0;
  std::int64_t other_flavor = 0;
  std::int64_t fractional = 0;
  std::int64_t stranded = 0;
  std::int64_t lacks_cpu = 0;
  std::int64_t usable = 0;
  std::int64_t pods = 0;  // that usable takes

  std::int64_t total() const {
    return down + other_flavor + fractional + stranded + lacks_cpu + usable;
  }
  friend bool operator==(const IdleSplit&, const IdleSplit&) = default;
};

// Adds up to the cluster's gpu_milli_free. REQUIRES: shape.gpus > 0
IdleSplit SplitIdle(const Cluster& cluster, const PodShape& shape);
IdleSplit SplitIdle(const Cluster& cluster, NodeId id, const PodShape& shape);

}  // namespace plimsoll
