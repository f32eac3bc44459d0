// WaitMetrics: histograms of queue waits in exposition text: Kueue's, or any of its form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/model/wait_histogram.h"

namespace plimsoll {

struct WaitMetrics {
  std::vector<WaitHistogram>
      histograms;                  // by metric and queue; of priorities and replicas added up
  std::vector<std::string> notes;  // series that cannot be used, one sentence each
};

// Takes every series `*wait_time_seconds_bucket` with a label `le`; the queue is its label
// cluster_queue, local_queue (or name), queue or partition. Fails with kBadData, naming the file,
// if there is none.
Result<WaitMetrics> ReadWaitMetrics(const std::string& file, std::string_view text);

}  // namespace plimsoll
