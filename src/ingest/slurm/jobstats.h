// Jobstats: the GPU use that jobstats leaves in a job's AdminComment when the job ends.
//
// The text is "JS1:" and base64 of gzipped JSON, {"nodes": {"g01": {"gpu_utilization":
// {"0": 87.5, "1": 91}}}}: a mean percent over the job for each GPU that it had on the node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

inline constexpr const char* kSignalJobstats = "jobstats";

// Unpacked bytes of one comment; more is an attack on memory, not a summary.
inline constexpr std::size_t kJobstatsBytesMax = 16 * 1024 * 1024;

// Mean busy fraction of the job's GPUs on each node, in parts per million.
using JobstatsUse = std::map<std::string, std::int64_t>;

// Null if the comment is none of jobstats' ("a note") or says that nothing was measured
// ("JS1:Short", "JS1:None"). A node without GPU figures is left out.
// Fails with kBadData if it begins with "JS1:" and cannot be unpacked or read.
Result<std::optional<JobstatsUse>> ReadJobstats(std::string_view admin_comment);

}  // namespace plimsoll
