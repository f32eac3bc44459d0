// WorkloadView: what `plimsoll plan workload` prints of jobs, arrivals and waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capacity/model/wait_histogram.h"
#include "capacity/workload/workload_summary.h"
#include "cli/table.h"
#include "ingest/cluster/workload_reader.h"

namespace plimsoll {

struct WorkloadReport {
  WorkloadReading reading;
  WorkloadFit fit;
  SummaryBy by = SummaryBy::kSize;
  std::int64_t cluster_gpus = 0;  // 0: nobody said
  std::vector<WaitHistogram> waits;
};

Answer WorkloadAnswer(const WorkloadReport& report);

}  // namespace plimsoll
