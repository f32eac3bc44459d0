// The published traces that are one table of jobs: Philly's subset, Helios, Acme, PAI, Tiresias.
#include <cstdlib>

#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"

namespace plimsoll {
namespace {

constexpr WholeLimits kGpus{0, kJobGpusMax};
constexpr WholeLimits kNodes{0, kJobGpusMax};
constexpr WholeLimits kCpus{0, 100'000'000};
constexpr std::int64_t kCpuMilli = 1'000;
constexpr const char* kNeverStarted = "never started";

// Pods of a job that says its nodes; GPUs and CPUs are of the whole job. One that does not divide
// is spread like a job that says its GPUs only.
void SpreadOverNodes(std::int64_t gpus, std::int64_t nodes, std::int64_t cpus,
                     const WorkloadBuilder& builder, TrainingJob& job) {
  if (nodes > 0 && gpus % nodes == 0 && gpus / nodes <= kGpusPerNodeMax) {
    job.pods = job.pods_min = static_cast<std::int32_t>(nodes);
    job.shape.gpus = static_cast<std::int32_t>(gpus / nodes);
  } else {
    builder.Spread(gpus, job);
  }
  job.shape.cpu_milli = cpus * kCpuMilli / job.pods;
}

// Submitted, started and ended of a job whose duration is its run.
void SetTimes(Instant submitted, std::optional<Instant> started, Duration run, TrainingJob& job) {
  job.submitted = submitted;
  job.run = run;
  job.started = started;
  if (started) job.ended = *started + run;
}

std::optional<TrainingJob> ReadPhillySubsetRow(RowFields& row, WorkloadBuilder& builder) {
  const std::int64_t gpus = row.RequiredWhole("num_gpus", {1, kJobGpusMax});
  const Duration run = row.RequiredSeconds("duration");
  row.WouldTake(gpus, run);
  const std::optional<Duration> gpu_time = row.Seconds("gpu_time");
  const std::string queue = row.Required("cluster");
  const Instant submitted = row.RequiredTime("timestamp");
  if (row.failed()) return std::nullopt;
  if (gpu_time && std::llabs(gpu_time->base() - gpus * run.base()) > gpus) {
    row.Fail("gpu_time", "is not duration times num_gpus");
    return std::nullopt;
  }
  TrainingJob job;
  job.queue = builder.Queue(queue);
  SetTimes(submitted, std::nullopt, run, job);
  builder.Spread(gpus, job);
  return job;
}

// Helios and Acme: Slurm's log of one row a job, in two sets of columns.
std::optional<TrainingJob> ReadSenseTimeRow(const char* queue_column, RowFields& row,
                                            WorkloadBuilder& builder) {
  const std::int64_t gpus = row.RequiredWhole("gpu_num", kGpus);
  const std::optional<Duration> run = row.Seconds("duration");
  row.WouldTake(gpus, run);
  const std::int64_t nodes = row.Whole("node_num", kNodes).value_or(0);
  const std::int64_t cpus = row.Whole("cpu_num", kCpus).value_or(0);
  const std::string queue = row.Required(queue_column);
  const Instant submitted = row.RequiredTime("submit_time");
  const std::optional<Instant> started = row.Time("start_time");
  if (row.failed()) return std::nullopt;
  if (!started) {
    builder.LeaveOut(kNeverStarted);
    return std::nullopt;
  }
  if (!run) row.Fail("duration", "is missing");
  if (*started < submitted) row.Fail("start_time", "is before submit_time");
  if (row.failed()) return std::nullopt;
  TrainingJob job;
  job.name = row.Text("job_id");
  job.user = row.Text("user");
  job.queue = builder.Queue(queue);
  job.end = EndOfState(row.Text("state")).value_or(JobEnd::kUnknown);
  SetTimes(submitted, started, *run, job);
  SpreadOverNodes(gpus, nodes, cpus, builder, job);
  return job;
}

// plan_gpu is percent of a card: 25 is a quarter, 200 two cards. Parts of more than one card are
// no shape that a scheduler gives: they round up to whole cards.
bool ReadPlanGpu(RowFields& row, WorkloadBuilder& builder, PodShape& shape) {
  const std::string_view text = row.Text("plan_gpu");
  if (text.empty()) return true;
  const auto percent = ParseThousandths(text);
  if (!percent || *percent > 100'000 * kGpusPerNodeMax) {
    row.Fail("plan_gpu", "is no percentage of a GPU up to that of 64");
    return false;
  }
  const std::int64_t milli = *percent / 100;
  if (milli > 0 && milli < kMilliPerGpu) {
    shape.gpus = 1;
    shape.gpu_milli = static_cast<std::int32_t>(milli);
    return true;
  }
  shape.gpus = static_cast<std::int32_t>((milli + kMilliPerGpu - 1) / kMilliPerGpu);
  if (milli % kMilliPerGpu != 0) builder.Note("GPU shares above one card count as whole cards");
  return true;
}

constexpr std::int64_t kMibPerGb = 1'024;

void ReadPlan(RowFields& row, WorkloadBuilder& builder, TrainingJob& job) {
  if (!ReadPlanGpu(row, builder, job.shape)) return;
  // plan_cpu is percent of a core, plan_mem in GB.
  if (const auto cpu = row.Thousandths("plan_cpu")) job.shape.cpu_milli = *cpu / 100;
  if (const auto memory = row.Thousandths("plan_mem")) {
    job.shape.memory_mib = *memory * kMibPerGb / 1'000;
  }
  const std::string_view type = row.Text("gpu_type");
  if (type.empty() || type == "MISC") return;
  const auto flavor = builder.Flavor(type);
  if (!flavor) {
    row.Fail("gpu_type", "is one type more than a cluster may have");
    return;
  }
  job.shape.flavors = FlavorSet{1} << *flavor;
}

std::optional<TrainingJob> ReadPaiRow(RowFields& row, WorkloadBuilder& builder) {
  TrainingJob job;
  job.pods = job.pods_min =
      static_cast<std::int32_t>(row.RequiredWhole("inst_num", {1, kJobGpusMax}));
  ReadPlan(row, builder, job);
  const std::optional<Duration> begin = row.Seconds("start_time");
  const std::optional<Duration> end = row.Seconds("end_time");
  if (begin && end && *end >= *begin) {
    row.WouldTake(GpuMilli(job) / kMilliPerGpu, *end - *begin);
  }
  const std::string status = row.Required("status");
  job.name = row.Required("job_name") + "/" + std::string(row.Text("task_name"));
  if (row.failed()) return std::nullopt;
  if (!begin || *begin == Duration()) {
    builder.LeaveOut(kNeverStarted);
    return std::nullopt;
  }
  if (!end || *end == Duration()) {
    builder.LeaveOut("still running: its run time is not known");
    return std::nullopt;
  }
  if (*end < *begin) {
    row.Fail("end_time", "is before start_time");
    return std::nullopt;
  }
  job.queue = builder.Queue("pai");
  job.end = EndOfState(status).value_or(JobEnd::kUnknown);
  const Instant started = AtMillis(begin->base());
  SetTimes(started, started, *end - *begin, job);
  builder.Note("the trace tells no time of submission: a task counts as submitted when it started");
  return job;
}

std::optional<TrainingJob> ReadTiresiasRow(RowFields& row, WorkloadBuilder& builder) {
  const std::int64_t gpus = row.RequiredWhole("num_gpu", {1, kJobGpusMax});
  const Duration run = row.RequiredSeconds("duration");
  row.WouldTake(gpus, run);
  const Duration submitted = row.RequiredSeconds("submit_time");
  const std::string name = row.Required("job_id");
  if (row.failed()) return std::nullopt;
  TrainingJob job;
  job.name = name;
  job.queue = builder.Queue("tiresias");
  SetTimes(AtMillis(submitted.base()), std::nullopt, run, job);
  builder.Spread(gpus, job);
  return job;
}

}  // namespace

Result<WorkloadReading> ReadPhillySubset(const WorkloadSource& source) {
  return ReadJobTable(source, {{"timestamp", "duration", "num_gpus", "cluster"}, {}},
                      ReadPhillySubsetRow);
}

Result<WorkloadReading> ReadHeliosJobs(const WorkloadSource& source) {
  return ReadJobTable(source, {{"vc", "gpu_num", "submit_time", "start_time", "duration"}, {}},
                      [](RowFields& row, WorkloadBuilder& builder) {
                        return ReadSenseTimeRow("vc", row, builder);
                      });
}

Result<WorkloadReading> ReadAcmeJobs(const WorkloadSource& source) {
  return ReadJobTable(source, {{"type", "gpu_num", "submit_time", "start_time", "duration"}, {}},
                      [](RowFields& row, WorkloadBuilder& builder) {
                        builder.Note("the trace tells no queues: a queue is a type of job");
                        return ReadSenseTimeRow("type", row, builder);
                      });
}

Result<WorkloadReading> ReadPaiTasks(const WorkloadSource& source) {
  const std::vector<std::string> columns = {"job_name",   "task_name", "inst_num", "status",
                                            "start_time", "end_time",  "plan_cpu", "plan_mem",
                                            "plan_gpu",   "gpu_type"};
  const bool header =
      source.text.substr(0, source.text.find('\n')).find("plan_gpu") != std::string_view::npos;
  return ReadJobTable(source,
                      {{"job_name", "inst_num", "status", "start_time", "end_time", "plan_gpu"},
                       header ? std::vector<std::string>() : columns},
                      ReadPaiRow);
}

Result<WorkloadReading> ReadTiresiasJobs(const WorkloadSource& source) {
  return ReadJobTable(source, {{"job_id", "num_gpu", "submit_time", "duration"}, {}},
                      ReadTiresiasRow);
}

}  // namespace plimsoll
