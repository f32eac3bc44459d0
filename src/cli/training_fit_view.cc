#include "cli/training_fit_view.h"

#include "capacity/workload/workload_summary.h"
#include "cli/training_cells.h"

namespace plimsoll {
namespace {

Table ArrivalFits(const WorkloadFit& fit) {
  using enum CellKind;
  Table table;
  table.name = "arrival_fits";
  table.title = "Arrivals that are drawn";
  table.columns = {{"queue"},
                   {"submissions", kNumber},
                   {"jobs", kNumber},
                   {"per_hour", kNumber, 2},
                   {"ca2", kNumber, 1},
                   {"day_variance", kNumber, 2},
                   {"hour_variance", kNumber, 2}};
  for (const ArrivalRow& row : SummarizeArrivals(fit)) {
    table.rows.push_back({row.queue, std::to_string(row.submissions), std::to_string(row.jobs),
                          RatioCell(row.per_hour), RatioCell(row.ca2), RatioCell(row.day_variance),
                          RatioCell(row.hour_variance)});
  }
  return table;
}

Table RunFits(const WorkloadFit& fit, bool for_people) {
  const CellKind time = for_people ? CellKind::kText : CellKind::kDecimal;
  Table table;
  table.name = "run_fits";
  table.title = "Run times that are drawn";
  table.columns = {{"queue"},
                   {"size"},
                   {"jobs", CellKind::kNumber},
                   {for_people ? "mean" : "mean_run_hours", time},
                   {for_people ? "p95" : "p95_run_hours", time},
                   {"cs2", CellKind::kNumber, 1},
                   {"ks", CellKind::kNumber, 3},
                   {"tail", CellKind::kNumber, 2}};
  for (const SummaryRow& row : SummarizeJobs(fit.source, SummaryBy::kQueueAndSize)) {
    table.rows.push_back({row.queue.value_or(""), row.size.value_or(""), std::to_string(row.jobs),
                          WaitCell(row.run_mean, for_people), WaitCell(row.run_p95, for_people),
                          RatioCell(row.run_cs2), RatioCell(row.run_ks_lognormal),
                          RatioCell(row.run_tail_index)});
  }
  return table;
}

}  // namespace

void AddFit(const WorkloadFit& fit, bool for_people, Answer& answer) {
  answer.tables.push_back(ArrivalFits(fit));
  answer.tables.push_back(RunFits(fit, for_people));
  answer.notes.push_back(
      "drawn: submissions at the rate of their hour of the week, as uneven from day to day and "
      "hour "
      "to hour as on record; run times of jobs of the same queue and size. ca2 and cs2 are squared "
      "coefficients of variation (1: Poisson, exponential), ks is the distance of a lognormal, a "
      "tail below 2 has no finite variance");
}

}  // namespace plimsoll
