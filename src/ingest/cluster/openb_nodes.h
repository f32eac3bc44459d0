// OpenbNodes: the machines of public GPU cluster traces, as nodes (docs/formats/openb.md).
//
// Alibaba cluster-trace-gpu-v2023 ("openb": sn, cpu_milli, memory_mib, gpu, model), gpu-v2020
// (machine, gpu_type, cap_cpu, cap_mem, cap_gpu, also without a header) and v2026-spot-gpu
// (gpu_model, gpu_capacity_num, cpu_num, node_name; no memory).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/model/cluster.h"

namespace plimsoll {

// What a node without GPUs is in place of a GPU model.
inline constexpr std::string_view kCpuFlavor = "cpu";

struct OpenbNodes {
  std::vector<std::string> flavors;  // GPU models by name
  std::vector<NodeSpec> nodes;       // in the file's order
  bool memory_known = true;          // else no memory ever runs out
};

// Fails with kBadData, naming each line that is wrong, its field and what would be right; with
// more than kFlavorsMax models; a name twice would be capacity twice, and is an error too.
Result<OpenbNodes> ReadOpenbNodes(const std::string& file, std::string_view text);

}  // namespace plimsoll
