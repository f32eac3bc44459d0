#include "cli/capacity_week.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/week_jobs.h"
#include "cli/week_pools.h"
#include "ledger/facts.h"
#include "store/select.h"

namespace plimsoll {
namespace {

struct SinceRow {
  std::vector<std::optional<Instant>> since;
  static constexpr std::tuple kColumns{MakeColumn("since", &SinceRow::since)};
};

// As in the ledger, a node of which nothing tells since when it exists is there from the first
// fact of the fleet on.
Status SetBegins(Store& store, NodeBatch& nodes) {
  PLIMSOLL_TRY(const SinceRow rows,
               Query<SinceRow>(store,
                               "SELECT min(data_begin) AS since FROM snapshot WHERE active = 1 AND "
                               "kind IN ('usage', 'kubernetes', 'kube-state-metrics', 'slurm', "
                               "'bindings')"));
  if (rows.since.empty()) return Ok();
  for (std::optional<Instant>& begin : nodes.begin) {
    if (!begin) begin = rows.since[0];
  }
  return Ok();
}

}  // namespace

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
  PLIMSOLL_TRY(OccupancyFacts facts, ReadOccupancy(ledger.store(), window));
  PLIMSOLL_RETURN_IF_ERROR(SetBegins(ledger.store(), facts.nodes));
  CapacityWeek week = CapacityWeekOf(facts, *catalog, window);
  if (week.pools.empty() && week.by_queue.empty()) return std::optional<CapacityWeek>();
  return std::optional(std::move(week));
}

}  // namespace plimsoll
