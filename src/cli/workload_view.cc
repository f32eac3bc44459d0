#include "cli/workload_view.h"

#include <algorithm>

#include "base/limits.h"
#include "cli/plan_input.h"
#include "units/money.h"

namespace plimsoll {
namespace {

// Milliseconds as seconds: 1'500 is "1.500".
std::string SecondsText(Duration duration) {
  const std::string thousandths = std::to_string(duration.base() % 1'000);
  return std::to_string(duration.base() / 1'000) + "." + std::string(3 - thousandths.size(), '0') +
         thousandths;
}

Cell SecondsCell(const std::optional<Duration>& duration) {
  return duration ? Cell(SecondsText(*duration)) : std::nullopt;
}

Cell Ratio(const std::optional<std::int64_t>& billionths) {
  return billionths ? Cell(BillionthsText(*billionths)) : std::nullopt;
}

Cell Thousandths(std::int64_t value) { return BillionthsText(value * 1'000'000); }

std::vector<TableColumn> KeyColumns(SummaryBy by) {
  std::vector<TableColumn> columns;
  if (by != SummaryBy::kSize) columns.push_back({"queue"});
  if (by != SummaryBy::kQueue) columns.push_back({"gpus"});
  return columns;
}

Row KeyCells(const SummaryRow& row) {
  Row cells;
  if (row.queue) cells.emplace_back(*row.queue);
  if (row.size) cells.emplace_back(*row.size);
  return cells;
}

Table RunsTable(const WorkloadReport& report, const std::vector<SummaryRow>& rows) {
  Table table;
  table.name = "classes";
  table.title = "Jobs and how long they ran (seconds)";
  table.columns = KeyColumns(report.by);
  for (const TableColumn& column : {TableColumn{"jobs", CellKind::kNumber},
                                    {"gpu_hours", CellKind::kDecimal, 0},
                                    {"mean_s", CellKind::kNumber, 0},
                                    {"median_s", CellKind::kNumber, 0},
                                    {"p95_s", CellKind::kNumber, 0},
                                    {"cs2", CellKind::kNumber, 1},
                                    {"ks", CellKind::kNumber, 3},
                                    {"tail", CellKind::kNumber, 2},
                                    {"top_share", CellKind::kNumber, 3}}) {
    table.columns.push_back(column);
  }
  for (const SummaryRow& row : rows) {
    Row cells = KeyCells(row);
    for (Cell& cell : Row{std::to_string(row.jobs), ToDecimalHours(row.gpu_time),
                          SecondsText(row.run_mean), SecondsText(row.run_median),
                          SecondsText(row.run_p95), Ratio(row.run_cs2), Ratio(row.run_ks_lognormal),
                          Ratio(row.run_tail_index), Ratio(row.run_share_of_longest)}) {
      cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table WaitsTable(const WorkloadReport& report, const std::vector<SummaryRow>& rows) {
  Table table;
  table.name = "waits";
  table.title = "Waits on record (seconds)";
  table.columns = KeyColumns(report.by);
  for (const TableColumn& column : {TableColumn{"jobs_known", CellKind::kNumber},
                                    {"median_s", CellKind::kNumber, 0},
                                    {"p95_s", CellKind::kNumber, 0},
                                    {"p95_bound_s", CellKind::kNumber, 0}}) {
    table.columns.push_back(column);
  }
  for (const SummaryRow& row : rows) {
    if (row.waits == 0) continue;
    Row cells = KeyCells(row);
    cells.emplace_back(std::to_string(row.waits));
    cells.push_back(SecondsCell(row.wait_median));
    cells.push_back(SecondsCell(row.wait_p95));
    cells.push_back(SecondsCell(row.wait_bound));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table ArrivalsTable(const WorkloadFit& fit) {
  Table table;
  table.name = "arrivals";
  table.title = "Arrivals by queue";
  table.columns = {{"queue"},
                   {"jobs", CellKind::kNumber},
                   {"submissions", CellKind::kNumber},
                   {"per_hour", CellKind::kNumber, 2},
                   {"ca2", CellKind::kNumber, 1},
                   {"day_variance", CellKind::kNumber, 2},
                   {"hour_variance", CellKind::kNumber, 2},
                   {"busiest_ratio", CellKind::kNumber, 1}};
  for (const ArrivalRow& row : SummarizeArrivals(fit)) {
    table.rows.push_back({row.queue, std::to_string(row.jobs), std::to_string(row.submissions),
                          Ratio(row.per_hour), Ratio(row.ca2), Ratio(row.day_variance),
                          Ratio(row.hour_variance), Ratio(row.busiest_ratio)});
  }
  return table;
}

Cell Low(const std::optional<WaitRange>& range) {
  return range ? Cell(SecondsText(range->low)) : std::nullopt;
}

Cell High(const std::optional<WaitRange>& range) {
  return range && range->high ? Cell(SecondsText(*range->high)) : std::nullopt;
}

Table HistogramTable(const std::vector<WaitHistogram>& histograms) {
  Table table;
  table.name = "wait_metrics";
  table.title = "Waits by metric, as intervals between buckets (seconds)";
  table.columns = {{"metric"},
                   {"queue"},
                   {"count", CellKind::kNumber},
                   {"p50_s.low", CellKind::kNumber, 1},
                   {"p50_s.high", CellKind::kNumber, 1},
                   {"p95_s.low", CellKind::kNumber, 1},
                   {"p95_s.high", CellKind::kNumber, 1}};
  for (const WaitHistogram& histogram : histograms) {
    const auto median = QuantileRange(histogram, 500), p95 = QuantileRange(histogram, 950);
    table.rows.push_back({histogram.metric, histogram.queue,
                          std::to_string(histogram.buckets.back().count), Low(median), High(median),
                          Low(p95), High(p95)});
  }
  return table;
}

Table RefusedTable(const std::vector<RefusedJob>& refused) {
  Table table;
  table.name = "refused";
  table.title = "Rows that were not taken";
  if (refused.size() > kRejectionsShownMax) {
    table.title += ": the first " + std::to_string(kRejectionsShownMax) + " of " +
                   std::to_string(refused.size());
  }
  table.columns = {
      {"line", CellKind::kNumber}, {"field"}, {"gpu_hours", CellKind::kDecimal, 1}, {"reason"}};
  for (std::size_t i = 0; i < std::min(refused.size(), kRejectionsShownMax); ++i) {
    const RefusedJob& job = refused[i];
    table.rows.push_back({job.line > 0 ? Cell(std::to_string(job.line)) : std::nullopt, job.field,
                          job.gpu_time ? Cell(ToDecimalHours(*job.gpu_time)) : std::nullopt,
                          job.reason});
  }
  return table;
}

Table LeftOutTable(const std::map<std::string, std::int64_t>& left_out) {
  Table table;
  table.name = "left_out";
  table.title = "Left out, for there is no finished job in them";
  table.columns = {{"reason"}, {"rows", CellKind::kNumber}};
  for (const auto& [why, count] : left_out) table.rows.push_back({why, std::to_string(count)});
  return table;
}

std::string RoundedHours(GpuHours time) {
  return std::to_string(static_cast<std::int64_t>(DivideHalfEven(time.base(), 3'600'000)));
}

// One place after the point.
std::string Gpus(std::int64_t milli) {
  const auto tenths = static_cast<std::int64_t>(DivideHalfEven(milli, 100));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

void AddLines(const WorkloadReport& report, Answer& answer) {
  const WorkloadReading& reading = report.reading;
  const std::int64_t offered = OfferedMilliGpus(report.fit);
  answer.lines.push_back(std::to_string(reading.workload.jobs.size()) + " jobs (" + reading.format +
                         "), " + RoundedHours(reading.gpu_time()) + " GPU-hours, submitted " +
                         ToString(report.fit.window));
  std::string load = "Offered load: " + Gpus(offered) + " GPUs on average";
  if (report.cluster_gpus > 0) load += " of " + std::to_string(report.cluster_gpus);
  answer.lines.push_back(load);
  if (reading.refused.empty()) return;
  answer.lines.push_back(std::to_string(reading.refused.size()) + " of " +
                         std::to_string(reading.rows) +
                         " rows were not taken; what is known of "
                         "them is " +
                         RoundedHours(reading.refused_gpu_time()) + " GPU-hours");
}

}  // namespace

Answer WorkloadAnswer(const WorkloadReport& report) {
  const WorkloadReading& reading = report.reading;
  Answer answer;
  AddLines(report, answer);
  std::int64_t left_out = 0;
  for (const auto& [why, count] : reading.left_out) left_out += count;
  const auto number = [](std::int64_t value) { return Cell(std::to_string(value)); };
  answer.facts = {
      {"format", CellKind::kText, reading.format},
      {"begin", CellKind::kText, ToString(report.fit.window.begin)},
      {"until", CellKind::kText, ToString(report.fit.window.until)},
      {"rows", CellKind::kNumber, number(reading.rows)},
      {"jobs", CellKind::kNumber, number(static_cast<std::int64_t>(reading.workload.jobs.size()))},
      {"rows_left_out", CellKind::kNumber, number(left_out)},
      {"rows_refused", CellKind::kNumber,
       number(static_cast<std::int64_t>(reading.refused.size()))},
      {"gpu_hours", CellKind::kDecimal, ToDecimalHours(reading.gpu_time())},
      {"gpu_hours_refused", CellKind::kDecimal, ToDecimalHours(reading.refused_gpu_time())},
      {"gpus_offered", CellKind::kNumber, Thousandths(OfferedMilliGpus(report.fit))},
      {"gpus", CellKind::kNumber,
       report.cluster_gpus > 0 ? number(report.cluster_gpus) : std::nullopt}};
  const std::vector<SummaryRow> rows = SummarizeJobs(reading.workload, report.by);
  answer.tables = {RunsTable(report, rows), ArrivalsTable(report.fit)};
  Table waits = WaitsTable(report, rows);
  if (!waits.rows.empty()) answer.tables.push_back(std::move(waits));
  if (!report.waits.empty()) answer.tables.push_back(HistogramTable(report.waits));
  if (!reading.left_out.empty()) answer.tables.push_back(LeftOutTable(reading.left_out));
  if (!reading.refused.empty()) answer.tables.push_back(RefusedTable(reading.refused));
  answer.notes = reading.notes;
  return answer;
}

}  // namespace plimsoll
