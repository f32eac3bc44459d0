// OpenbPods: the pods of public GPU cluster traces, as shapes (docs/formats/openb.md).
//
// Alibaba cluster-trace-gpu-v2023 ("openb": name, cpu_milli, memory_mib, num_gpu, gpu_milli and
// maybe gpu_spec, times; the multigpu lists have the first five columns only) and gpu-v2025
// (instance_sn, cpu_request, gpu_request, memory_request in GiB). A column mig_profile is ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/model/pod_shape.h"
#include "units/time.h"

namespace plimsoll {

struct OpenbPods {
  std::vector<std::string> names;
  std::vector<PodShape> shapes;  // by pod, in the file's order
  // "3g.40gb" of pods that ask for a MIG instance, which their shapes do not hold yet; else empty.
  std::vector<std::string> mig_profiles;
  // Since the trace's start; null where the file does not say.
  std::vector<std::optional<Duration>> created, scheduled, deleted;
  std::vector<std::string> unknown_models;  // that pods ask for and no flavor is, by name
  std::int64_t pods_without_flavor = 0;     // that accept none of the flavors: they never run
};

// A pod's flavors are those of `flavors` that its gpu_spec names ("V100M16|V100M32"), or any.
// Fails with kBadData, naming each line that is wrong, its field and what would be right.
Result<OpenbPods> ReadOpenbPods(const std::string& file, std::string_view text,
                                std::span<const std::string> flavors);

}  // namespace plimsoll
