#include "cli/capacity_week.h"

#include <algorithm>
#include <utility>

#include "cli/week_jobs.h"
#include "cli/week_pools.h"
#include "ledger/facts.h"

namespace plimsoll {

CapacityWeek CapacityWeekOf(const OccupancyFacts& facts, const Catalog& catalog, Window window) {
  const WeekJobs jobs = WeekJobsOf(facts, window);
  WeekPools pools = WeekPoolsOf(facts, jobs.jobs, catalog, window);
  CapacityWeek week;
  week.until = window.until;
  week.by_size = WaitsBySize(jobs.jobs, window);
  week.by_queue = WaitsByQueue(jobs.jobs, window);
  week.service_pods = jobs.service_pods;
  week.causes = std::move(pools.causes);
  week.reasons = ReasonsAt(jobs.jobs, window.until);
  week.pools = std::move(pools.pools);
  week.unfit = std::move(pools.unfit);
  const std::vector<Symbol>& kinds = facts.conditions.set_asides.kind;
  week.has_kueue = std::find(kinds.begin(), kinds.end(), "kueue-workload") != kinds.end();
  week.overbooked = pools.overbooked;
  return week;
}

Result<std::optional<CapacityWeek>> GatherCapacityWeek(Context& context, Ledger& ledger,
                                                       Window window) {
  PLIMSOLL_TRY(const Catalog* const catalog, context.catalog());
  PLIMSOLL_TRY(const Instant data_until, ledger.DataAsOf());
  if (data_until != Instant()) window.until = std::min(window.until, data_until);
  if (window.empty()) return std::optional<CapacityWeek>();
  PLIMSOLL_TRY(const OccupancyFacts facts, ReadOccupancy(ledger.store(), window));
  CapacityWeek week = CapacityWeekOf(facts, *catalog, window);
  if (week.pools.empty() && week.by_queue.empty()) return std::optional<CapacityWeek>();
  return std::optional(std::move(week));
}

}  // namespace plimsoll
