#include "capacity/workload/workload_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "capacity/workload/wait_bound.h"
#include "sim/statistics.h"
#include "units/money.h"

namespace plimsoll {
namespace {

std::int64_t Billionths(double value) {
  constexpr double kMost = 9e9;  // nine billion, as billionths just within 63 bits
  return std::llround(std::clamp(value, -kMost, kMost) * 1e9);
}

Duration OfSeconds(double seconds) { return Millis(std::llround(seconds * 1'000)); }

struct Group {
  std::vector<Duration> runs, waits;
  int128 gpu_ms = 0;  // thousandths of a GPU x ms
};

void SetWaits(std::vector<Duration>& waits, SummaryRow& row) {
  row.waits = static_cast<std::int64_t>(waits.size());
  if (waits.empty()) return;
  row.wait_bound = WaitUpperBound(waits, {});
  std::sort(waits.begin(), waits.end());
  row.wait_median = waits[QuantileRank(waits.size(), 0.5)];
  row.wait_p95 = waits[QuantileRank(waits.size(), 0.95)];
}

SummaryRow RowOf(Group& group) {
  SummaryRow row;
  const RunTimeFit fit(group.runs);
  const RunTimeQuality& quality = fit.quality();
  row.jobs = quality.count;
  row.gpu_time = GpuMillis(static_cast<std::int64_t>(
      std::min<int128>(group.gpu_ms / kMilliPerGpu, std::numeric_limits<std::int64_t>::max())));
  row.run_mean = OfSeconds(quality.mean_s);
  row.run_median = OfSeconds(quality.median_s);
  row.run_p95 = OfSeconds(quality.p95_s);
  row.run_cs2 = Billionths(quality.cs2);
  row.run_ks_lognormal = Billionths(quality.ks_lognormal);
  row.run_share_of_longest = Billionths(quality.share_of_longest);
  if (quality.tail_index) row.run_tail_index = Billionths(*quality.tail_index);
  SetWaits(group.waits, row);
  return row;
}

}  // namespace

std::vector<SummaryRow> SummarizeJobs(const TrainingWorkload& workload, SummaryBy by) {
  std::map<std::pair<std::uint32_t, std::size_t>, Group> groups;
  for (const TrainingJob& job : workload.jobs) {
    const std::uint32_t queue = by == SummaryBy::kSize ? 0 : job.queue;
    const std::size_t size = by == SummaryBy::kQueue ? 0 : SizeClassOf(job);
    Group& group = groups[{queue, size}];
    group.runs.push_back(job.run);
    if (job.started) group.waits.push_back(Between(job.submitted, *job.started));
    group.gpu_ms += int128{GpuMilli(job)} * job.run.base();
  }
  std::vector<SummaryRow> rows;
  for (auto& [key, group] : groups) {
    SummaryRow& row = rows.emplace_back(RowOf(group));
    if (by != SummaryBy::kSize) row.queue = workload.queues[key.first];
    if (by != SummaryBy::kQueue) row.size = SizeClassName(key.second);
  }
  return rows;
}

std::vector<ArrivalRow> SummarizeArrivals(const WorkloadFit& fit) {
  std::vector<ArrivalRow> rows;
  for (const QueueFit& queue : fit.queues) {
    const ArrivalFit& arrivals = queue.arrivals;
    ArrivalRow& row = rows.emplace_back();
    row.queue = fit.source.queues[queue.queue];
    row.submissions = arrivals.count;
    for (const ClassFit& one : queue.classes) row.jobs += one.run.quality().count;
    row.per_hour = Billionths(arrivals.per_hour);
    if (arrivals.count < kArrivalsLeast) continue;
    row.ca2 = Billionths(arrivals.ca2);
    row.day_variance = Billionths(arrivals.day_variance);
    row.hour_variance = Billionths(arrivals.hour_variance);
    row.busiest_ratio =
        Billionths(*std::max_element(arrivals.profile.begin(), arrivals.profile.end()));
  }
  return rows;
}

std::optional<Window> WindowOf(const TrainingWorkload& workload) {
  if (workload.jobs.empty()) return std::nullopt;
  Window window{workload.jobs.front().submitted, workload.jobs.front().submitted};
  for (const TrainingJob& job : workload.jobs) {
    window.begin = std::min(window.begin, job.submitted);
    window.until = std::max(window.until, job.submitted);
  }
  window.until = FloorTo(window.until, Hours(1)) + Hours(1);
  return window;
}

std::int64_t OfferedMilliGpus(const WorkloadFit& fit) {
  return std::llround(std::min(fit.offered_gpus(), 1e15) * kMilliPerGpu);
}

}  // namespace plimsoll
