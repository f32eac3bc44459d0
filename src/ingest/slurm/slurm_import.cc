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

// Nodes and reservations name no cluster themselves: it is the option's, else that of the jobs
// beside them. "" if there are none.
Result<std::string> ClusterOfRecords(const SlurmOptions& options, const SlurmReading& reading) {
  if (RowsOf(reading.nodes.rows) == 0 && reading.reservations.empty()) return std::string();
  if (!options.cluster.empty()) return options.cluster;
  if (reading.jobs.by_cluster.size() == 1) return reading.jobs.by_cluster.begin()->first;
  return Error{ErrorCode::kInvalidArgument,
               "scontrol output does not name its cluster; name it with --cluster"};
}

// When the files were printed, as far as they tell; null if they tell no time.
std::optional<Instant> PrintedAt(const SlurmOptions& options, const std::string& cluster,
                                 const SlurmReading& reading) {
  if (options.as_of) return options.as_of;
  std::optional<Instant> latest;
  if (const auto found = reading.jobs.as_of.find(cluster); found != reading.jobs.as_of.end()) {
    latest = found->second;
  }
  for (const NodeSighting& sighting : reading.nodes.sightings) {
    if (sighting.latest && (!latest || *latest < *sighting.latest)) latest = sighting.latest;
  }
  return latest;
}

// Puts what scontrol said of nodes and reservations into the facts of its cluster.
Status PlaceRecords(const SlurmOptions& options, SlurmReading& reading, ImportReport& report) {
  PLIMSOLL_TRY(const std::string cluster, ClusterOfRecords(options, reading));
  if (cluster.empty()) return Ok();
  NodeBatch& nodes = reading.nodes.rows;
  std::fill(nodes.cluster.begin(), nodes.cluster.end(), cluster);
  const std::optional<Instant> printed = PrintedAt(options, cluster, reading);
  FleetFacts& facts = reading.jobs.by_cluster[cluster];
  for (const NodeSighting& sighting : reading.nodes.sightings) {
    if (printed) AppendSighting(sighting, cluster, *printed, facts.states);
  }
  if (!printed && !reading.nodes.sightings.empty()) {
    report.warnings.emplace_back(
        "the states of the nodes are not kept, as nothing says when they were printed; give --at");
  }
  for (auto& [reservation, rejection] : reading.reservations) {
    const Instant seen = printed.value_or(reservation.begin);
    const Status added = AppendSetAside(reservation, nodes, cluster, seen, facts.set_asides);
    if (added) {
      ++report.accepted;
      continue;
    }
    rejection.reason = added.error().message;
    reading.rejections.push_back(rejection);
  }
  if (printed) {
    const auto [at, is_new] = reading.jobs.as_of.emplace(cluster, *printed);
    if (!is_new) at->second = std::max(at->second, *printed);
  }
  facts.nodes = std::move(nodes);
  return Ok();
}

void AddCount(std::vector<std::string>& texts, std::int64_t count, const std::string& text) {
  if (count > 0) texts.push_back(std::to_string(count) + " " + text);
}

void DescribeUse(const SacctFacts& jobs, ImportReport& report) {
  if (jobs.jobstats_broken.empty()) return;
  const auto& [job, reason] = *jobs.jobstats_broken.begin();
  report.warnings.push_back(std::to_string(jobs.jobstats_broken.size()) +
                            " jobs have an AdminComment that cannot be read, first job " + job +
                            ": " + reason);
}

void Describe(const SlurmReading& reading, ImportReport& report) {
  const SacctFacts& jobs = reading.jobs;
  report.accepted += jobs.jobs;
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
           "is what counts; with the column Suspended the time that they were suspended does too");
  AddCount(report.warnings, jobs.queued_unclear,
           "jobs have a Submit time that a clock change repeats or skips: their wait is not known");
  AddCount(report.warnings, reading.empty_files, "files are empty");
  DescribeUse(jobs, report);
  report.ignored.insert(report.ignored.end(), reading.notes.begin(), reading.notes.end());
  report.warnings.insert(report.warnings.end(), reading.warnings.begin(), reading.warnings.end());
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
  ApplyStepUse(reading.jobs);
  ImportReport report;
  report.kind = "slurm";
  report.accepted = static_cast<std::int64_t>(RowsOf(reading.nodes.rows));
  PLIMSOLL_RETURN_IF_ERROR(PlaceRecords(options, reading, report));
  Describe(reading, report);
  PLIMSOLL_RETURN_IF_ERROR(StoreReading(store, options, reading, report));
  return report;
}

}  // namespace plimsoll
