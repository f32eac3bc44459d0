// Billing: Slurm's `billing` TRES, which weighs priority and limits and is no price.
//
// Shown so that nobody takes it for one: many clusters give GPUs no weight, and their billing
// figures then follow CPUs or memory alone. Nothing is priced by it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

// How weighted resources become one figure (PriorityFlags of slurm.conf).
enum class BillingRule : unsigned char {
  kSum,         // default: all of them added
  kMaxTres,     // the greatest of a node's resources, and licences and burst buffers added
  kMaxTresGres  // the same, but GRES are added beside the greatest of the others
};

// The rule that a PriorityFlags value ("MAX_TRES,CALCULATE_RUNNING") sets.
BillingRule BillingRuleOf(std::string_view priority_flags);

// The billing of what a job holds ("cpu=1,mem=8G,gres/gpu=1") by a partition's
// TRESBillingWeights ("CPU=1.0,Mem=0.25G,GRES/gpu=2.0"), truncated to a whole number.
// A weight's suffix K, M, G, T, P names its unit of memory; without one it is a MiB. Names are
// compared without case; resources without a weight count nothing.
// Fails with kBadData on a weight or amount that cannot be read.
Result<std::int64_t> BillingOf(std::string_view tres, std::string_view weights, BillingRule rule);

// True if no GPU weighs anything: neither gres/gpu nor a typed gres/gpu:TYPE.
// Fails like BillingOf.
Result<bool> GpusWeighNothing(std::string_view weights);

struct PartitionNote {
  std::string note;     // the weights, for people
  std::string warning;  // "" unless billing ignores GPUs
};

// What to tell of a partition, from `scontrol show partition` or a line of slurm.conf. Fails
// with kBadData on weights that cannot be read.
Result<PartitionNote> NoteOfPartition(const std::map<std::string, std::string>& record);

}  // namespace plimsoll
