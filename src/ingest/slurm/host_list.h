// HostList: Slurm's compressed node names, "gpu[01-04,07],node3", as single names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// One job's nodes at most; more is a broken row, not a job.
inline constexpr std::size_t kHostsMax = 65'536;

// Expands in written order; leading zeros are kept and several brackets multiply:
// "r[0-1]n[1-2]" is r0n1 r0n2 r1n1 r1n2. "None assigned", "(null)" and "" are no nodes.
// Fails with kBadData on brackets that do not close, ranges that run backwards, or more than
// kHostsMax names.
Result<std::vector<std::string>> ExpandHostList(std::string_view text);

}  // namespace plimsoll
