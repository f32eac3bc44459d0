// StartFile: the ticks of a trace at which jobs begin, as a table of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// CSV with a column `start_index` or `start`, or one number a line without a header: ticks from 0
// to below `ticks`. Fails with kBadData, naming file, line and field.
Result<std::vector<std::int64_t>> ReadStarts(const std::string& file, std::string_view text,
                                             std::int64_t ticks);

}  // namespace plimsoll
