#include "ingest/slurm/slurm_import.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <utility>

#include "base/limits.h"
#include "ingest/slurm/slurm_text.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

Status ReadFile(const std::string& path, const SlurmClock& clock, const SlurmOptions& options,
                SlurmReading& reading) {
  SlurmTextOptions text{path, options.cluster, options.catalog, options.as_of, options.progress};
  if (path == "-") {
    text.file = "standard input";
    return ReadSlurmText(std::cin, clock, text, reading);
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be opened"};
  PLIMSOLL_RETURN_IF_ERROR(ReadSlurmText(file, clock, text, reading));
  if (file.bad()) return Error{ErrorCode::kUnavailable, path + ": cannot be read to its end"};
  return Ok();
}

// Nodes name no cluster themselves: it is the option's, else that of the jobs beside them.
Status NameNodesCluster(const SlurmOptions& options, SlurmReading& reading) {
  if (RowsOf(reading.nodes) == 0) return Ok();
  std::string cluster = options.cluster;
  if (cluster.empty() && reading.jobs.by_cluster.size() == 1) {
    cluster = reading.jobs.by_cluster.begin()->first;
  }
  if (cluster.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "scontrol output does not name its cluster; name it with --cluster"};
  }
  std::fill(reading.nodes.cluster.begin(), reading.nodes.cluster.end(), cluster);
  reading.jobs.by_cluster[cluster].nodes = std::move(reading.nodes);
  return Ok();
}

void AddCount(std::vector<std::string>& texts, std::int64_t count, const std::string& text) {
  if (count > 0) texts.push_back(std::to_string(count) + " " + text);
}

void Describe(const SlurmReading& reading, std::int64_t nodes, ImportReport& report) {
  const SacctFacts& jobs = reading.jobs;
  report.accepted = jobs.jobs + nodes;
  report.duplicates = jobs.duplicates;
  report.rejected = static_cast<std::int64_t>(reading.rejections.size());
  const std::size_t shown = std::min(reading.rejections.size(), kRejectionsShownMax);
  report.first_rejections.assign(reading.rejections.begin(),
                                 reading.rejections.begin() + static_cast<std::ptrdiff_t>(shown));
  AddCount(report.ignored, jobs.steps, "job steps (.batch, .extern, .0): part of their job");
  AddCount(report.ignored, jobs.never_started, "jobs that ended before they started");
  std::string columns;
  for (const std::string& name : reading.unused_columns) {
    columns += (columns.empty() ? "columns not used: " : ", ") + name;
  }
  if (!columns.empty()) report.ignored.push_back(columns);
  AddCount(report.warnings, jobs.elapsed_differs,
           "jobs have an End that is not Start + Elapsed (suspension or a clock change): Elapsed "
           "is what counts");
  AddCount(report.warnings, jobs.queued_unclear,
           "jobs have a Submit time that a clock change repeats or skips: their wait is not known");
  AddCount(report.warnings, reading.empty_files, "files are empty");
}

Status StoreReading(Store& store, const SlurmOptions& options, SlurmReading& reading,
                    ImportReport& report) {
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  std::int64_t first_id = 0;
  for (auto& [cluster, facts] : reading.jobs.by_cluster) {
    const SnapshotKey key{"slurm", cluster, {}};
    PLIMSOLL_RETURN_IF_ERROR(StoreFleet(store, load, key, std::move(facts)));
    PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
    if (first_id == 0) first_id = id;
    const auto found = reading.jobs.as_of.find(cluster);
    std::optional<Instant> as_of = options.as_of;
    if (!as_of && found != reading.jobs.as_of.end()) as_of = found->second;
    if (as_of) load.CoverTime(id, {*as_of, *as_of});
  }
  RejectionBatch rejections;
  for (const Rejection& rejection : reading.rejections) Append(rejections, rejection);
  std::fill(rejections.snapshot_id.begin(), rejections.snapshot_id.end(), first_id);
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(rejections));
  return load.Commit(report);
}

}  // namespace

Result<ImportReport> ImportSlurm(Store& store, const SlurmOptions& options) {
  PLIMSOLL_TRY(const SlurmClock clock, SlurmClock::Open(options.time_zone));
  SlurmReading reading;
  for (const std::string& path : options.files) {
    PLIMSOLL_RETURN_IF_ERROR(ReadFile(path, clock, options, reading));
  }
  const auto nodes = static_cast<std::int64_t>(RowsOf(reading.nodes));
  PLIMSOLL_RETURN_IF_ERROR(NameNodesCluster(options, reading));
  ImportReport report;
  report.kind = "slurm";
  Describe(reading, nodes, report);
  PLIMSOLL_RETURN_IF_ERROR(StoreReading(store, options, reading, report));
  return report;
}

}  // namespace plimsoll
