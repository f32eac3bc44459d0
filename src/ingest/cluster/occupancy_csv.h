// OccupancyCsv: the minute-by-minute sequences of HeliosData's virtual clusters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "capacity/model/occupancy_series.h"

namespace plimsoll {

// CSV with `time`, `total_gpu_num` and, for jobs of at least 8 GPUs (_noless_8) and others
// (_less_8), running and pending jobs and GPUs. The name is the file's ("Earth_vcpDC_...": vcpDC).
// Fails with kBadData, naming file, line and field, on a row that cannot be read, on steps that
// are not equal, and where the number of GPUs changes: a series with a hole is no series.
Result<OccupancySeries> ReadOccupancyCsv(const std::string& file, std::string_view text);

}  // namespace plimsoll
