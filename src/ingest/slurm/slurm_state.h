// SlurmState: what a job's state says about what it holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

enum class SlurmPhase : unsigned char { kWaiting, kHeld, kEnded };

struct SlurmState {
  SlurmPhase phase = SlurmPhase::kEnded;
  std::string end_reason;  // as HoldingBatch::end_reason; "" unless ended
};

// Reads a state in its long or short form ("NODE_FAIL", "NF"), with what sacct appends to it
// ("CANCELLED by 1002"). Null if it is none of Slurm's.
std::optional<SlurmState> ParseSlurmState(std::string_view text);

}  // namespace plimsoll
