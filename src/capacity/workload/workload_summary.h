// WorkloadSummary: what a workload is made of and how its jobs ran and waited, as exact rows.
//
// Ratios are in billionths. A wait is known of jobs whose start is on record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capacity/model/training_job.h"
#include "capacity/workload/workload_fit.h"

namespace plimsoll {

enum class SummaryBy : unsigned char { kSize, kQueue, kQueueAndSize };

struct SummaryRow {
  std::optional<std::string> queue;  // null: all of them
  std::optional<std::string> size;   // in GPUs: "5-8"; null: all of them
  std::int64_t jobs = 0;
  GpuHours gpu_time;
  Duration run_mean, run_median, run_p95;
  std::int64_t run_cs2 = 0, run_ks_lognormal = 0, run_share_of_longest = 0;
  std::optional<std::int64_t> run_tail_index;
  std::int64_t waits = 0;  // jobs whose wait is known
  std::optional<Duration> wait_median, wait_p95;
  std::optional<Duration> wait_bound;  // above the 95 % quantile with 95 % confidence (59 waits)
};

// In order of queues and sizes; rows without a job are left out.
std::vector<SummaryRow> SummarizeJobs(const TrainingWorkload& workload, SummaryBy by);

struct ArrivalRow {
  std::string queue;
  std::int64_t submissions = 0, jobs = 0;
  std::int64_t per_hour = 0;  // submissions, billionths
  // Null of fewer than kArrivalsLeast submissions, which tell nothing of it.
  std::optional<std::int64_t> ca2, day_variance, hour_variance;
  std::optional<std::int64_t> busiest_ratio;  // of the week, against the mean
};
inline constexpr std::int64_t kArrivalsLeast = 30;

std::vector<ArrivalRow> SummarizeArrivals(const WorkloadFit& fit);

// From the first submission to the end of the last hour with one; null without jobs.
std::optional<Window> WindowOf(const TrainingWorkload& workload);

// GPU-hours an hour, in thousandths of a GPU.
std::int64_t OfferedMilliGpus(const WorkloadFit& fit);

}  // namespace plimsoll
