#include "cli/training_record.h"

#include <algorithm>

#include "cli/training_cells.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr Duration kNever = Days(36'500);  // sorts behind every wait

struct Waits {
  std::vector<Duration> recorded, simulated;
};

void Add(const TrainingJob& job, const JobOutcome& outcome, Waits& waits) {
  waits.recorded.push_back(Between(job.submitted, *job.started));
  waits.simulated.push_back(outcome.started ? outcome.first_wait.total() : kNever);
}

void AddRow(bool is_queue, const std::string& name, Waits& waits, std::vector<RecordRow>& rows) {
  if (waits.recorded.empty()) return;
  std::sort(waits.recorded.begin(), waits.recorded.end());
  std::sort(waits.simulated.begin(), waits.simulated.end());
  RecordRow row{is_queue, name, std::ssize(waits.recorded), {}, {}};
  for (std::size_t i = 0; i < kRecordQuantiles.size(); ++i) {
    const std::size_t rank = QuantileRank(waits.recorded.size(), kRecordQuantiles[i]);
    row.recorded[i] = waits.recorded[rank];
    if (waits.simulated[rank] < kNever) row.simulated[i] = waits.simulated[rank];
  }
  rows.push_back(std::move(row));
}

}  // namespace

std::vector<RecordRow> CompareWithRecord(const SizingTargets& targets,
                                         const TrainingWorkload& workload, const QueueOutcome& run,
                                         Instant from) {
  std::vector<Waits> by_class(targets.classes.size()), by_queue(workload.queues.size());
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const TrainingJob& job = workload.jobs[i];
    if (!job.started || job.submitted < from) continue;
    if (const auto at = ClassOf(targets, job)) Add(job, run.jobs[i], by_class[*at]);
    if (job.queue < by_queue.size()) Add(job, run.jobs[i], by_queue[job.queue]);
  }
  std::vector<RecordRow> rows;
  for (std::size_t i = 0; i < by_class.size(); ++i) {
    AddRow(false, targets.classes[i].name, by_class[i], rows);
  }
  for (std::size_t i = 0; i < by_queue.size(); ++i) {
    AddRow(true, workload.queues[i], by_queue[i], rows);
  }
  return rows;
}

Table RecordTable(const std::vector<RecordRow>& rows, bool for_people) {
  const CellKind kind = for_people ? CellKind::kText : CellKind::kDecimal;
  Table table;
  table.name = "record";
  table.title = "Waits on record, and of the same jobs simulated";
  table.columns = {{for_people ? "of" : "by"}, {"name"}, {"jobs", CellKind::kNumber}};
  for (const char* const at : {"p50", "p90", "p95"}) {
    const std::string name = at;
    table.columns.push_back({for_people ? name : "recorded." + name + "_wait_hours", kind});
    table.columns.push_back(
        {for_people ? name + " sim" : "simulated." + name + "_wait_hours", kind});
  }
  for (const RecordRow& row : rows) {
    Row cells = {row.is_queue ? "queue" : "class", row.name, std::to_string(row.jobs)};
    for (std::size_t i = 0; i < kRecordQuantiles.size(); ++i) {
      cells.push_back(WaitCell(row.recorded[i], for_people));
      cells.push_back(WaitCell(row.simulated[i], for_people));
    }
    if (for_people) {
      for (std::size_t i = 0; i < kRecordQuantiles.size(); ++i) {
        cells[3 + 2 * i] = WaitText(row.recorded[i]);
        if (row.simulated[i]) cells[4 + 2 * i] = WaitText(*row.simulated[i]);
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace plimsoll
