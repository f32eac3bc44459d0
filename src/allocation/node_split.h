// NodeSplit: how a node's price divides into GPU, CPU and memory (rule S7).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "allocation/node_table.h"

namespace plimsoll {

using NodeSplit = std::array<std::int64_t, 3>;  // weights of GPU, CPU, memory

// Unit weights times physical GPUs, vCPUs and GiB, brought to one scale of whole numbers.
// `cards` counts the GPUs of a node whose count nothing says. All to the GPUs if no capacity
// is known, to the CPU if there is no GPU either.
// Fails with kOutOfRange if the weights have no common scale in 64 bits.
Result<NodeSplit> SplitOfNode(const NodeFact& node, std::int32_t cards,
                              const NodeSplitWeights& weights);

}  // namespace plimsoll
