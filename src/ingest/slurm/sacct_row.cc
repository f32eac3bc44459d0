#include "ingest/slurm/sacct_row.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "ingest/slurm/host_list.h"
#include "ingest/slurm/jobstats.h"
#include "ingest/slurm/slurm_state.h"
#include "ingest/slurm/tres.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kTasksMax = 10'000'000;

using Fields = std::vector<std::string_view>;
using Labels = std::map<std::string, std::string>;

struct Job {
  std::string cluster, id, name, account, user, partition, labels, reason;
  SlurmState state;
  std::vector<Instant> submit, start, end;
  std::vector<Instant> eligible;    // when its dependencies, holds and begin time let it start
  std::optional<Duration> elapsed;  // with the time that it was suspended, where that is told
  Tres allocated, requested;
  bool allocates = false;  // AllocTRES is not empty
  std::vector<std::string> nodes;
  std::optional<JobstatsUse> use;
};

std::optional<SacctRefusal> Refuse(const char* field, const Error& error) {
  return SacctRefusal{field, error.message};
}

bool IsLabelKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
  });
}

Labels JsonLabels(std::string_view text) {
  const auto object = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  Labels labels;
  if (!object.is_object()) return labels;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string() && IsLabelKey(key)) labels[key] = value.get<std::string>();
  }
  return labels;
}

std::string LabelsOf(const SacctContext& context, const Fields& fields) {
  const auto get = [&](SacctField field) { return context.table.Get(fields, field); };
  Labels labels = CommentLabels(get(SacctField::kComment));
  std::string_view wckey = get(SacctField::kWcKey);
  if (wckey.starts_with('*')) wckey.remove_prefix(1);  // the user's default, not named
  if (!wckey.empty()) labels["wckey"] = wckey;
  if (!get(SacctField::kQos).empty()) labels["qos"] = get(SacctField::kQos);
  if (!get(SacctField::kReservation).empty()) {
    labels["reservation"] = get(SacctField::kReservation);
  }
  return LabelsJson(labels);
}

// "3000Mc" is for each CPU, "48000Mn" for each node, "64G" for the job.
std::optional<std::int64_t> RequestedMemory(std::string_view text, const Tres& tres) {
  std::int64_t times = 1;
  if (text.ends_with('c')) times = tres.cpus.value_or(1);
  if (text.ends_with('n')) times = tres.nodes.value_or(1);
  if (text.ends_with('c') || text.ends_with('n')) text.remove_suffix(1);
  const Result<std::int64_t> bytes = ParseSlurmMemory(text);
  std::int64_t total = 0;
  if (!bytes || __builtin_mul_overflow(*bytes, times, &total)) return std::nullopt;
  return total;
}

std::optional<SacctRefusal> ReadTimes(const SacctContext& context, const Fields& fields,
                                      SacctFacts& facts, Job& job) {
  const auto get = [&](SacctField field) { return context.table.Get(fields, field); };
  auto submit = context.clock.Read(get(SacctField::kSubmit));
  if (submit) {
    job.submit = *std::move(submit);
  } else if (job.state.phase == SlurmPhase::kWaiting) {
    return Refuse("Submit", submit.error());
  } else {
    ++facts.queued_unclear;  // costs nothing: only the wait is not known
  }
  // "Unknown" while it is held, and a column that many exports lack: submit counts then.
  if (auto eligible = context.clock.Read(get(SacctField::kEligible))) {
    job.eligible = *std::move(eligible);
  }
  auto start = context.clock.Read(get(SacctField::kStart));
  if (!start) return Refuse("Start", start.error());
  job.start = *std::move(start);
  const auto elapsed = ParseElapsed(get(SacctField::kElapsed));
  if (!elapsed) return Refuse("Elapsed", elapsed.error());
  job.elapsed = *elapsed;
  const auto suspended = ParseElapsed(get(SacctField::kSuspended));
  if (!suspended) return Refuse("Suspended", suspended.error());
  // A suspended job gives its CPUs back and keeps its GPUs: nobody else can have them.
  if (job.elapsed) job.elapsed = *job.elapsed + suspended->value_or(Duration());
  auto end = context.clock.Read(get(SacctField::kEnd));
  if (!end && !job.elapsed) return Refuse("End", end.error());
  if (end) job.end = *std::move(end);
  return std::nullopt;
}

std::optional<SacctRefusal> ReadResources(const SacctContext& context, const Fields& fields,
                                          Job& job) {
  const auto get = [&](SacctField field) { return context.table.Get(fields, field); };
  auto allocated = ParseTres(get(SacctField::kAllocTres));
  if (!allocated) return Refuse("AllocTRES", allocated.error());
  job.allocated = *std::move(allocated);
  job.allocates = !get(SacctField::kAllocTres).empty();
  auto requested = ParseTres(get(SacctField::kReqTres));
  if (!requested) return Refuse("ReqTRES", requested.error());
  job.requested = *std::move(requested);
  auto nodes = ExpandHostList(get(SacctField::kNodeList));
  if (!nodes) return Refuse("NodeList", nodes.error());
  job.nodes = *std::move(nodes);
  std::sort(job.nodes.begin(), job.nodes.end());
  job.nodes.erase(std::unique(job.nodes.begin(), job.nodes.end()), job.nodes.end());
  if (!job.allocated.cpus) {
    std::int64_t cpus = 0;
    const std::string_view text = get(SacctField::kCpus);
    std::from_chars(text.data(), text.data() + text.size(), cpus);
    job.allocated.cpus = std::max<std::int64_t>(cpus, 0);
  }
  if (!job.allocated.memory_bytes) {
    job.allocated.memory_bytes = RequestedMemory(get(SacctField::kReqMem), job.allocated);
  }
  return std::nullopt;
}

std::string ClusterOf(const SacctContext& context, const Fields& fields) {
  if (!context.cluster.empty()) return context.cluster;
  return std::string(context.table.Get(fields, SacctField::kCluster));
}

std::optional<SacctRefusal> ReadJob(const SacctContext& context, const Fields& fields,
                                    SacctFacts& facts, Job& job) {
  const auto get = [&](SacctField field) { return std::string(context.table.Get(fields, field)); };
  job.id = get(SacctField::kJobId);
  if (job.id.empty() || job.id[0] < '0' || job.id[0] > '9') {
    return SacctRefusal{"JobID", "'" + job.id.substr(0, 40) + "' is not a job id"};
  }
  job.cluster = ClusterOf(context, fields);
  if (job.cluster.empty()) {
    return SacctRefusal{"Cluster", "the row names no cluster; add the column or name it"};
  }
  const auto state = ParseSlurmState(context.table.Get(fields, SacctField::kState));
  if (!state) {
    return SacctRefusal{
        "State", "'" + get(SacctField::kState).substr(0, 40) + "' is not a state of Slurm's"};
  }
  job.state = *state;
  job.name = get(SacctField::kJobName);
  job.account = get(SacctField::kAccount);
  job.user = get(SacctField::kUser);
  job.partition = get(SacctField::kPartition);
  job.reason = get(SacctField::kReason);
  if (job.reason == "None") job.reason.clear();
  job.labels = LabelsOf(context, fields);
  auto use = ReadJobstats(context.table.Get(fields, SacctField::kAdminComment));
  if (use) {
    job.use = *std::move(use);
  } else {
    facts.jobstats_broken.emplace(job.id, use.error().message);
  }
  if (auto refusal = ReadTimes(context, fields, facts, job)) return refusal;
  return ReadResources(context, fields, job);
}

std::optional<Instant> QueuedAt(const Job& job, Instant begin) {
  std::optional<Instant> queued;
  for (const Instant submit : job.submit) {
    if (submit <= begin) queued = submit;
  }
  // Time before it could have started is no wait for GPUs.
  for (const Instant eligible : job.eligible) {
    if (queued && *queued < eligible && eligible <= begin) queued = eligible;
  }
  return queued;
}

void AppendHolding(const Job& job, const HeldTime& held, HoldingBatch& batch) {
  batch.snapshot_id.push_back(0);
  batch.cluster.push_back(job.cluster);
  batch.source.emplace_back("slurm");
  batch.ns.emplace_back();
  batch.name.push_back(job.id);
  batch.uid.push_back(job.id + "@" + ToString(held.begin));
  batch.workload_kind.emplace_back("SlurmJob");
  batch.workload.push_back(job.name);
  batch.account.push_back(job.account);
  batch.user_name.push_back(job.user);
  batch.queue.push_back(job.partition);
  batch.labels.push_back(job.labels);
  batch.queued.push_back(QueuedAt(job, held.begin));
  batch.begin.push_back(held.begin);
  batch.ready.emplace_back(held.begin);
  batch.until.push_back(held.until);
  batch.end_reason.push_back(job.state.end_reason);
  batch.role.emplace_back();
}

void AppendUse(const Job& job, const std::string& node, HoldingBatch& batch) {
  const auto found = job.use ? job.use->find(node) : JobstatsUse::const_iterator();
  const bool told = job.use && found != job.use->end();
  batch.used_ppm.push_back(told ? std::optional(found->second) : std::nullopt);
  batch.used_signal.emplace_back(told ? kSignalJobstats : "");
}

// The part of `total` that falls to the node at `index` of `count`.
std::int64_t PartOf(std::int64_t total, std::size_t index, std::size_t count) {
  const auto nodes = static_cast<std::int64_t>(count);
  return total / nodes + (static_cast<std::int64_t>(index) < total % nodes ? 1 : 0);
}

void AppendRun(const Job& job, const HeldTime& held, HoldingBatch& batch) {
  const std::size_t count = job.nodes.size();
  const std::vector<DeviceCount> devices = DevicesOf(job.allocated);
  for (std::size_t node = 0; node < count; ++node) {
    for (std::size_t kind = 0; kind < devices.size(); ++kind) {
      AppendHolding(job, held, batch);
      AppendUse(job, job.nodes[node], batch);
      batch.node.push_back(job.nodes[node]);
      batch.devices.push_back(PartOf(devices[kind].count, node, count));
      batch.device_kind.push_back(devices[kind].unit.kind);
      batch.share_num.push_back(devices[kind].unit.share_num);
      batch.share_den.push_back(devices[kind].unit.share_den);
      // CPU and memory are on one row a node, so that rows add up.
      const bool first = kind == 0;
      const std::int64_t cpu_milli = job.allocated.cpus.value_or(0) * 1'000;
      batch.cpu_milli.push_back(first ? PartOf(cpu_milli, node, count) : 0);
      batch.memory_bytes.push_back(
          first ? PartOf(job.allocated.memory_bytes.value_or(0), node, count) : 0);
    }
  }
}

// GPUs that one of the job's nodes must give; 0 if it wants none or names no nodes.
std::int64_t UnitDevices(const Tres& requested) {
  const std::int64_t nodes = requested.nodes.value_or(0);
  return nodes > 0 ? (requested.gpus + nodes - 1) / nodes : 0;
}

std::optional<SacctRefusal> TakeWaiting(const Job& job, SacctFacts& facts) {
  if (job.submit.empty()) return SacctRefusal{"Submit", "a waiting job needs its submit time"};
  if (job.submit.size() > 1) {
    return SacctRefusal{"Submit",
                        "falls into the hour that a clock change repeats; export with TZ=UTC"};
  }
  PendingBatch& batch = facts.by_cluster[job.cluster].pending;
  batch.snapshot_id.push_back(0);
  batch.cluster.push_back(job.cluster);
  batch.source.emplace_back("slurm");
  batch.ns.emplace_back();
  batch.name.push_back(job.id);
  batch.workload_kind.emplace_back("SlurmJob");
  batch.workload.push_back(job.name);
  batch.queue.push_back(job.partition);
  batch.labels.push_back(job.labels);
  batch.devices.push_back(std::min(job.requested.gpus, kTasksMax) * WaitingTasks(job.id));
  batch.queued.push_back(job.submit.front());
  batch.reason.push_back(job.reason);
  batch.unit_devices.push_back(UnitDevices(job.requested));
  const std::vector<DeviceCount> devices = DevicesOf(job.requested);
  batch.device_kind.emplace_back(
      job.requested.gpus > 0 && devices.size() == 1 ? devices.front().unit.kind : "");
  ++facts.jobs;
  if (!facts.seen.insert(job.cluster + "/" + job.id).second) ++facts.duplicates;
  return std::nullopt;
}

void CoverTime(SacctFacts& facts, const std::string& cluster, Instant time) {
  const auto [at, is_new] = facts.as_of.emplace(cluster, time);
  if (!is_new) at->second = std::max(at->second, time);
}

std::optional<SacctRefusal> TakeRun(const Job& job, SacctFacts& facts) {
  const auto resolved = ResolveHeld(job.start, job.end, job.elapsed);
  if (!resolved) return Refuse("Start", resolved.error());
  HeldTime held = *resolved;
  if (job.state.phase == SlurmPhase::kHeld) {
    // Held for Elapsed so far, to the second; the next load of the job says more.
    held.until.reset();
    if (job.elapsed) held.until = held.begin + *job.elapsed;
  } else if (!held.until && job.elapsed) {
    held.until = held.begin + *job.elapsed;
  }
  if (job.state.phase == SlurmPhase::kEnded && !held.until) {
    return SacctRefusal{"End", "the job ended, but neither End nor Elapsed says when"};
  }
  if (job.nodes.empty()) {
    return SacctRefusal{"NodeList", "the job held resources, but on no node"};
  }
  if (held.until) {
    CoverTime(facts, job.cluster, *held.until);
    if (held.differs) ++facts.elapsed_differs;
  }
  AppendRun(job, held, facts.by_cluster[job.cluster].holdings);
  ++facts.jobs;
  if (!facts.seen.insert(job.cluster + "/" + job.id + "@" + ToString(held.begin)).second) {
    ++facts.duplicates;
  }
  return std::nullopt;
}

// The percent of "gres/gpuutil=54" in a usage list; null if it has none.
std::optional<std::int64_t> GpuUtil(std::string_view usage) {
  constexpr std::string_view kKey = "gres/gpuutil=";
  while (!usage.empty()) {
    const std::size_t comma = std::min(usage.find(','), usage.size());
    const std::string_view entry = usage.substr(0, comma);
    usage = comma == usage.size() ? std::string_view() : usage.substr(comma + 1);
    if (!entry.starts_with(kKey)) continue;
    const std::string_view text = entry.substr(kKey.size());
    std::int64_t percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (error == std::errc() && end == text.data() + text.size() && percent >= 0) return percent;
  }
  return std::nullopt;
}

// The mean over the step's tasks. Without TRESUsageInAve it is TRESUsageInTot by the tasks,
// which is how Slurm makes it.
std::optional<std::int64_t> MeanGpuUtil(const SacctContext& context, const Fields& fields) {
  if (const auto mean = GpuUtil(context.table.Get(fields, SacctField::kUsageAve))) return mean;
  const auto total = GpuUtil(context.table.Get(fields, SacctField::kUsageTot));
  const std::string_view text = context.table.Get(fields, SacctField::kTasks);
  std::int64_t tasks = 0;
  std::from_chars(text.data(), text.data() + text.size(), tasks);
  if (!total || tasks <= 0) return std::nullopt;
  return *total / tasks;
}

// A step adds nothing to what its job held; it may tell how busy the GPUs were.
void TakeStep(const SacctContext& context, const Fields& fields, SacctFacts& facts) {
  const auto get = [&](SacctField field) { return context.table.Get(fields, field); };
  if (!context.table.Has(SacctField::kUsageAve) && !context.table.Has(SacctField::kUsageTot)) {
    return;
  }
  const auto start = context.clock.Read(get(SacctField::kStart));
  const auto elapsed = ParseElapsed(get(SacctField::kElapsed));
  const auto allocated = ParseTres(get(SacctField::kAllocTres));
  if (!start || start->empty() || !elapsed || !*elapsed || !allocated) return;
  const std::string id(get(SacctField::kJobId));
  const std::size_t point = id.find('.');
  facts.step_uses.Add(ClusterOf(context, fields), id.substr(0, point), id.substr(point + 1),
                      {start->front(), **elapsed, allocated->gpus, MeanGpuUtil(context, fields)});
}

// The count in one range of an array's ids: "3-9", "1-100:5", "7".
std::int64_t TasksInRange(std::string_view range) {
  std::int64_t bounds[3] = {0, 0, 1};
  std::size_t part = 0;
  for (std::size_t at = 0; at < range.size() && part < 3;) {
    const std::size_t end = std::min(range.find_first_of("-:", at), range.size());
    std::from_chars(range.data() + at, range.data() + end, bounds[part]);
    if (part == 0) bounds[1] = bounds[0];
    ++part;
    at = end + 1;
  }
  const std::int64_t width = bounds[1] - bounds[0];
  if (width < 0 || width > kTasksMax || bounds[2] < 1) return 1;
  return width / bounds[2] + 1;
}

}  // namespace

std::int64_t WaitingTasks(std::string_view job_id) {
  const std::size_t open = job_id.find("_[");
  if (open == std::string_view::npos) return 1;
  std::string_view list = job_id.substr(open + 2);
  list = list.substr(0, list.find_first_of("]%"));
  std::int64_t tasks = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view range = list.substr(0, comma);
    // "..." is where sacct cut a long list: what is written counts.
    if (range != "...") tasks += TasksInRange(range);
    list = comma == list.size() ? std::string_view() : list.substr(comma + 1);
  }
  return std::clamp<std::int64_t>(tasks, 1, kTasksMax);
}

std::map<std::string, std::string> CommentLabels(std::string_view comment) {
  if (comment.empty()) return {};
  if (comment.starts_with('{')) {
    if (Labels labels = JsonLabels(comment); !labels.empty()) return labels;
  }
  Labels labels;
  std::string_view rest = comment;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(",; \t"), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && IsLabelKey(pair.substr(0, equals))) {
      labels.emplace(pair.substr(0, equals), pair.substr(equals + 1));
    }
    rest = end == rest.size() ? std::string_view() : rest.substr(end + 1);
  }
  if (labels.empty()) labels["comment"] = comment;
  return labels;
}

std::optional<SacctRefusal> ReadSacctRow(const SacctContext& context, std::string_view line,
                                         SacctFacts& facts) {
  const auto fields = context.table.Split(line);
  if (!fields) return Refuse("", fields.error());
  return ReadSacctFields(context, *fields, facts);
}

void ApplyStepUse(SacctFacts& facts) {
  for (auto& [cluster, of_cluster] : facts.by_cluster) {
    facts.step_uses.ApplyTo(cluster, of_cluster.holdings);
  }
}

std::optional<SacctRefusal> ReadSacctFields(const SacctContext& context, const Fields& fields,
                                            SacctFacts& facts) {
  if (context.table.Get(fields, SacctField::kJobId).find('.') != std::string_view::npos) {
    ++facts.steps;
    TakeStep(context, fields, facts);
    return std::nullopt;
  }
  Job job;
  if (auto refusal = ReadJob(context, fields, facts, job)) return refusal;
  if (job.state.phase == SlurmPhase::kWaiting) return TakeWaiting(job, facts);
  const bool held_nothing = job.nodes.empty() && (!job.allocates || job.elapsed == Duration());
  if (job.state.phase == SlurmPhase::kEnded && (job.start.empty() || held_nothing)) {
    if (job.allocates && job.elapsed.value_or(Duration()) != Duration()) {
      return SacctRefusal{"Start", "the job held resources, but has no start"};
    }
    ++facts.never_started;
    for (const Instant submit : job.submit) {
      facts.by_cluster[job.cluster].ended_waits.insert({job.cluster, "", job.id, submit});
    }
    return std::nullopt;
  }
  return TakeRun(job, facts);
}

}  // namespace plimsoll
