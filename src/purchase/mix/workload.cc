#include "purchase/mix/workload.h"

#include <numeric>

#include "model/commitment.h"

namespace plimsoll {
namespace {

std::int64_t PeriodOf(const MixWorkload& workload) {
  if (workload.run) return workload.run->every.base() / kUnitHour;
  return static_cast<std::int64_t>(workload.demand.size());
}

// Adds `nodes` in [from, until) milliseconds, around the end of the hours.
void AddBusy(std::vector<std::int64_t>& used, std::int64_t nodes, std::int64_t from,
             std::int64_t until) {
  const auto hours = static_cast<std::int64_t>(used.size());
  while (from < until) {
    const std::int64_t next = std::min(until, (from / kUnitHour + 1) * kUnitHour);
    used[static_cast<std::size_t>(from / kUnitHour % hours)] += nodes * (next - from);
    from = next;
  }
}

}  // namespace

std::optional<std::int64_t> CycleHours(const std::vector<MixWorkload>& workloads) {
  std::int64_t hours = 24;
  for (const MixWorkload& workload : workloads) {
    const std::int64_t period = PeriodOf(workload);
    if (period < 1 || period > kMixHoursMax) return std::nullopt;
    hours = std::lcm(hours, period);
    if (hours > kMixHoursMax) return std::nullopt;
  }
  return hours;
}

std::vector<std::int64_t> UseOf(const MixWorkload& workload, std::int64_t hours) {
  std::vector<std::int64_t> used(static_cast<std::size_t>(hours), 0);
  if (!workload.run) {
    for (std::size_t h = 0; h < used.size(); ++h) {
      used[h] = workload.demand[h % workload.demand.size()];
    }
    return used;
  }
  const WorkloadRun& run = *workload.run;
  for (std::int64_t at = 0; at < hours * kUnitHour; at += run.every.base()) {
    const std::int64_t from = at + run.start.base();
    AddBusy(used, run.nodes, from, from + run.work.base());
  }
  return used;
}

}  // namespace plimsoll
