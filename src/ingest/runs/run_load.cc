#include "ingest/runs/run_load.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ingest/runs/run_facts.h"
#include "ingest/runs/run_merge.h"

namespace plimsoll {
namespace {

struct OneRun {
  RunBatch runs;
  RunEventBatch events;
};

template <class Batch>
Status AddActive(Store& store, const std::string& table, std::int64_t snapshot_id, Batch& batch) {
  std::string columns;
  std::apply(
      [&](auto... column) {
        ((columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\""), ...);
      },
      Batch::kColumns);
  PLIMSOLL_TRY(
      const Batch active,
      Query<Batch>(store, "SELECT " + columns + " FROM " + table + " WHERE snapshot_id = ?",
                   {snapshot_id}));
  for (std::size_t row = 0; row < RowsOf(active); ++row) AppendRow(batch, active, row);
  return Ok();
}

// `one` is merged within itself.
Status StoreOne(Store& store, SnapshotLoad& load, OneRun one) {
  const SnapshotKey key{"run", one.runs.source.front() + "|" + one.runs.run.front(), {}};
  PLIMSOLL_TRY(const std::optional<std::int64_t> active, load.ActiveOf(key));
  PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
  if (active) {
    PLIMSOLL_RETURN_IF_ERROR(AddActive(store, "run", *active, one.runs));
    PLIMSOLL_RETURN_IF_ERROR(AddActive(store, "run_event", *active, one.events));
    MergeRuns(one.runs, one.events);
  }
  std::fill(one.runs.snapshot_id.begin(), one.runs.snapshot_id.end(), id);
  std::fill(one.events.snapshot_id.begin(), one.events.snapshot_id.end(), id);
  PLIMSOLL_RETURN_IF_ERROR(load.Append("run", one.runs));
  PLIMSOLL_RETURN_IF_ERROR(load.Append("run_event", one.events));
  const bool has_times = !RunLabelsOf(one.runs.labels.front()).contains(kRunTimesLabel);
  if (has_times && !one.events.at.empty()) {
    const auto [first, last] = std::minmax_element(one.events.at.begin(), one.events.at.end());
    load.CoverTime(id, {*first, *last});
  }
  return Ok();
}

}  // namespace

Status StoreRuns(Store& store, SnapshotLoad& load, const RunReading& reading) {
  // Both batches come in order of source and run: one run's rows are in memory twice, not all.
  std::size_t event = 0;
  for (std::size_t row = 0; row < RowsOf(reading.runs); ++row) {
    OneRun one;
    AppendRow(one.runs, reading.runs, row);
    for (; event < RowsOf(reading.events) && reading.events.run[event] == reading.runs.run[row] &&
           reading.events.source[event] == reading.runs.source[row];
         ++event) {
      AppendRow(one.events, reading.events, event);
    }
    PLIMSOLL_RETURN_IF_ERROR(StoreOne(store, load, std::move(one)));
  }
  PLIMSOLL_CHECK(event == RowsOf(reading.events));
  return Ok();
}

Result<ImportReport> ImportRuns(Store& store, const RunFileOptions& options) {
  PLIMSOLL_TRY(const RunReading reading, ReadRunFiles(options));
  ImportReport report = RunReportOf(reading);
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  PLIMSOLL_RETURN_IF_ERROR(StoreRuns(store, load, reading));
  RejectionBatch rejections;
  for (const Rejection& rejection : reading.rejections) Append(rejections, rejection);
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(rejections));
  PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
  return report;
}

}  // namespace plimsoll
