#include "cli/week_jobs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "allocation/holding_table.h"
#include "ingest/pod.h"
#include "ingest/slurm/sacct_row.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr Duration kOneStart = Minutes(10);
constexpr std::int64_t kMilli = 1'000;

// Kinds of owners that run for good, and notebooks, which end when somebody remembers them.
constexpr const char* kServices[] = {
    "Deployment",      "ReplicaSet", "StatefulSet",           "DaemonSet", "InferenceService",
    "LeaderWorkerSet", "Node",       "ReplicationController", "Notebook"};

// Slurm's reasons of jobs that could not start however many GPUs were idle.
constexpr const char* kNotEligible[] = {"Dependency",   "DependencyNeverSatisfied",
                                        "BeginTime",    "JobHeldUser",
                                        "JobHeldAdmin", "JobArrayTaskLimit"};

bool IsEligible(const std::string& reason) {
  return std::find(std::begin(kNotEligible), std::end(kNotEligible), reason) ==
         std::end(kNotEligible);
}

bool IsService(const std::string& kind) {
  return std::find(std::begin(kServices), std::end(kServices), kind) != std::end(kServices);
}

// Thousandths of a card, a part of one rounded up.
std::int64_t MilliOf(std::int64_t devices, std::int64_t num, std::int64_t den) {
  const int128 parts = int128{std::clamp<std::int64_t>(devices, 0, kNodeDevicesMax)} *
                       std::max<std::int64_t>(num, 0) * kMilli;
  const int128 by = std::max<std::int64_t>(den, 1);
  return static_cast<std::int64_t>((parts + by - 1) / by);
}

// A pod (of Slurm: a job's part of a node), held or waiting.
struct Pod {
  std::string cluster, queue, name, node, reason;
  std::optional<Instant> queued, begin;
  std::int64_t milli = 0, cpu_milli = 0;
  std::int64_t count = 1;  // tasks of an array, alike
  std::int64_t nodes = 1;  // that a job which waits asks for as one row
  bool is_shape_known = true;

  Instant made() const { return queued.value_or(begin.value_or(Instant())); }
};

using Key = std::tuple<std::string, std::string, std::string, std::string>;
using Pods = std::map<Key, std::vector<Pod>>;

std::string QueueOf(const std::string& queue, std::string_view ns) {
  if (!queue.empty()) return queue;
  return ns.empty() ? "default" : std::string(ns);
}

// GPU pods that held something, by the start of a Slurm job or by Kubernetes owner.
Pods HeldPods(const OccupancyFacts& facts, Window window, WeekJobs& week) {
  const HoldingBatch& held = facts.holdings;
  std::map<std::tuple<Symbol, std::string, Symbol>, std::pair<Key, Pod>> by_pod;
  // What holds on without an end counts, whenever it began.
  constexpr Instant kEver = Instant::FromBase(std::numeric_limits<std::int64_t>::max());
  for (const std::size_t row : UniqueHoldings(held, kEver)) {
    if (!held.role[row].text().empty() || held.devices[row] <= 0) continue;
    if (IsService(held.workload_kind[row])) {
      week.service_pods += window.contains(held.begin[row]) ? 1 : 0;
      continue;
    }
    const std::string cluster(held.cluster[row].text());
    const bool is_slurm = held.source[row].text() == "slurm";
    const Key key = is_slurm ? Key{cluster, "", "SlurmJob", held.uid[row]}
                             : Key{cluster, std::string(held.ns[row].text()),
                                   held.workload_kind[row], held.workload[row]};
    auto& [of, pod] = by_pod[{held.cluster[row], held.uid[row], held.node[row]}];
    of = key;
    pod.cluster = cluster;
    pod.queue = QueueOf(held.queue[row], held.ns[row].text());
    pod.name = is_slurm ? held.name[row] : held.workload[row];
    pod.node = held.node[row].text();
    pod.queued = held.queued[row];
    pod.begin = held.begin[row];
    if (pod.queued && *pod.queued > *pod.begin) pod.queued.reset();  // clocks that disagree
    pod.milli += MilliOf(held.devices[row], held.share_num[row], held.share_den[row]);
    pod.cpu_milli += held.cpu_milli[row];
  }
  Pods pods;
  for (auto& [id, of] : by_pod) pods[of.first].push_back(std::move(of.second));
  return pods;
}

void AddWaitingPods(const PendingBatch& pending, Window window, Pods& pods) {
  for (std::size_t row = 0; row < RowsOf(pending); ++row) {
    if (pending.devices[row] <= 0 || pending.queued[row] >= window.until) continue;
    if (IsService(pending.workload_kind[row])) continue;
    Pod pod;
    pod.cluster = pending.cluster[row];
    pod.queue = QueueOf(pending.queue[row], pending.ns[row]);
    const bool is_slurm = pending.source[row] == "slurm";
    if (is_slurm && !IsEligible(pending.reason[row])) continue;
    pod.name = is_slurm ? pending.name[row] : pending.workload[row];
    pod.reason = pending.reason[row];
    pod.queued = pending.queued[row];
    pod.count = is_slurm ? WaitingTasks(pending.name[row]) : 1;
    const std::string& kind = pending.device_kind[row];
    const std::optional<DeviceUnit> mig =
        kind.starts_with("mig-") ? MigUnitOf(std::string_view(kind).substr(4)) : std::nullopt;
    const DeviceUnit unit = mig.value_or(DeviceUnit{"gpu", 1, 1});
    const std::int64_t devices = pending.devices[row] / pod.count;
    pod.milli = MilliOf(devices, unit.share_num, unit.share_den);
    pod.is_shape_known = pending.unit_devices[row] > 0;
    if (pod.is_shape_known) {
      pod.nodes = std::max<std::int64_t>(
          1, (devices + pending.unit_devices[row] - 1) / pending.unit_devices[row]);
    }
    const Key key = is_slurm ? Key{pod.cluster, "", "pending", pending.name[row]}
                             : Key{pod.cluster, pending.ns[row], pending.workload_kind[row],
                                   pending.workload[row]};
    pods[key].push_back(std::move(pod));
  }
}

// One start: pods [first, last) of one owner.
WeekJob JobOf(const std::vector<Pod>& pods, std::size_t first, std::size_t last) {
  WeekJob job;
  job.cluster = pods[first].cluster;
  job.queue = pods[first].queue;
  job.name = pods[first].name;
  job.count = pods[first].count;
  job.pods = 0;
  bool has_begun = true, is_shape_known = true;
  for (std::size_t i = first; i < last; ++i) {
    const Pod& pod = pods[i];
    job.gpu_milli += pod.milli;
    job.pods += pod.nodes;
    job.pod_milli = std::max(job.pod_milli, (pod.milli + pod.nodes - 1) / pod.nodes);
    job.pod_cpu_milli = std::max(job.pod_cpu_milli, pod.cpu_milli);
    if (pod.queued) job.queued = std::min(job.queued.value_or(*pod.queued), *pod.queued);
    has_begun = has_begun && pod.begin;
    is_shape_known = is_shape_known && pod.is_shape_known;
    if (pod.begin) {
      job.begin = std::max(job.begin.value_or(*pod.begin), *pod.begin);
      job.node = pod.node;
    }
    if (!pod.reason.empty()) job.reason = pod.reason;
  }
  if (!has_begun) job.begin.reset();
  if (!is_shape_known) job.pod_milli = 0;
  return job;
}

void AddStarts(std::vector<Pod> pods, std::vector<WeekJob>& jobs) {
  std::stable_sort(pods.begin(), pods.end(),
                   [](const Pod& a, const Pod& b) { return a.made() < b.made(); });
  for (std::size_t first = 0, last = 0; first < pods.size(); first = last) {
    while (last < pods.size() && pods[last].made() <= pods[first].made() + kOneStart) ++last;
    jobs.push_back(JobOf(pods, first, last));
  }
}

std::optional<WaitQuantiles> QuantilesOf(std::vector<Duration> waits) {
  if (waits.empty()) return std::nullopt;
  std::sort(waits.begin(), waits.end());
  const auto at = [&](auto p) { return waits[QuantileRank(waits.size(), p)]; };
  WaitQuantiles quantiles{at(0.5), at(0.9), at(0.95), waits.back(), {}, {}};
  if (const auto ranks = QuantileRanks(waits.size(), 0.95, 0.95)) {
    quantiles.p95_low = waits[ranks->low];
    quantiles.p95_high = waits[ranks->high];
  }
  return quantiles;
}

// Adds up the jobs of one class.
class Class {
 public:
  void Add(const WeekJob& job, Window window) {
    const bool has_begun = job.begin && window.contains(*job.begin);
    if (has_begun && !job.queued) out_.unknown += job.count;
    if (has_begun && job.queued) {
      out_.started += job.count;
      waits_.push_back(Between(*job.queued, *job.begin));
    }
    if (job.WaitsAt(window.until)) out_.waiting += job.count;
    const Window wait = job.WaitIn(window);
    if (!wait.empty()) waited_ += int128{job.gpu_milli} * job.count * wait.length().base();
  }
  bool empty() const { return out_.started + out_.unknown + out_.waiting == 0 && waited_ == 0; }
  WaitsOfJobs Finish() {
    out_.waits = QuantilesOf(std::move(waits_));
    out_.waited = GpuMillis(static_cast<std::int64_t>(waited_ / kMilli));
    return std::move(out_);
  }
  WaitsOfJobs& out() { return out_; }

 private:
  WaitsOfJobs out_;
  std::vector<Duration> waits_;
  int128 waited_ = 0;
};

}  // namespace

Window WeekJob::WaitIn(Window window) const {
  if (!queued) return {window.begin, window.begin};
  return Intersect({*queued, begin.value_or(window.until)}, window);
}

WeekJobs WeekJobsOf(const OccupancyFacts& facts, Window window) {
  WeekJobs week;
  Pods pods = HeldPods(facts, window, week);
  AddWaitingPods(facts.conditions.pending, window, pods);
  for (auto& [key, of] : pods) AddStarts(std::move(of), week.jobs);
  std::stable_sort(week.jobs.begin(), week.jobs.end(), [](const WeekJob& a, const WeekJob& b) {
    return a.queued.value_or(a.begin.value_or(Instant())) <
           b.queued.value_or(b.begin.value_or(Instant()));
  });
  return week;
}

const char* SizeClassOf(std::int64_t gpu_milli) {
  if (gpu_milli < kMilli) return "<1";
  if (gpu_milli <= kMilli) return "1";
  if (gpu_milli < 8 * kMilli) return "2-7";
  if (gpu_milli == 8 * kMilli) return "8";
  return gpu_milli < 32 * kMilli ? "9-31" : "32+";
}

std::vector<WaitsOfJobs> WaitsBySize(const std::vector<WeekJob>& jobs, Window window) {
  static constexpr std::array<std::string_view, 6> kSizes = {"<1", "1", "2-7", "8", "9-31", "32+"};
  std::array<Class, kSizes.size()> classes;
  for (const WeekJob& job : jobs) {
    const auto at = std::find(kSizes.begin(), kSizes.end(), SizeClassOf(job.gpu_milli));
    classes[static_cast<std::size_t>(at - kSizes.begin())].Add(job, window);
  }
  std::vector<WaitsOfJobs> out;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    if (classes[i].empty()) continue;
    classes[i].out().size = kSizes[i];
    out.push_back(classes[i].Finish());
  }
  return out;
}

std::vector<WaitsOfJobs> WaitsByQueue(const std::vector<WeekJob>& jobs, Window window) {
  std::map<std::pair<std::string, std::string>, Class> classes;
  for (const WeekJob& job : jobs) classes[{job.cluster, job.queue}].Add(job, window);
  std::vector<WaitsOfJobs> out;
  for (auto& [key, one] : classes) {
    if (one.empty()) continue;
    one.out().cluster = key.first;
    one.out().queue = key.second;
    out.push_back(one.Finish());
  }
  return out;
}

std::vector<WaitReason> ReasonsAt(const std::vector<WeekJob>& jobs, Instant time) {
  std::map<std::pair<std::string, std::string>, WaitReason> reasons;
  for (const WeekJob& job : jobs) {
    // What began since has no reason left on record.
    if (!job.WaitsAt(time) || job.begin) continue;
    WaitReason& reason = reasons[{job.cluster, job.reason}];
    reason.cluster = job.cluster;
    reason.reason = job.reason;
    reason.jobs += job.count;
    reason.gpu_milli += job.gpu_milli * job.count;
  }
  std::vector<WaitReason> out;
  for (auto& [key, reason] : reasons) out.push_back(std::move(reason));
  return out;
}

}  // namespace plimsoll
