#include "capacity/workload/workload_fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr double kMsPerHour = 3.6e6;

double GpuHoursOf(const TrainingJob& job) {
  return static_cast<double>(GpuMilli(job)) / kMilliPerGpu *
         (static_cast<double>(job.run.base()) / kMsPerHour);
}

struct Batch {
  Instant first, last;
  std::size_t size_class = 0;
  std::uint32_t jobs = 0;
};

bool IsAlike(const TrainingJob& a, const TrainingJob& b) {
  return a.user == b.user && a.pods == b.pods && a.shape == b.shape;
}

// Submissions of one queue: a job joins the last batch of its user and shape if that is recent.
std::vector<Batch> BatchesOf(const TrainingWorkload& workload,
                             const std::vector<std::uint32_t>& jobs) {
  std::vector<Batch> batches;
  std::map<std::string, std::pair<std::size_t, std::uint32_t>> last;  // by user: batch, a job of it
  for (const std::uint32_t index : jobs) {
    const TrainingJob& job = workload.jobs[index];
    const auto found = last.find(job.user);
    const bool joins = found != last.end() && IsAlike(job, workload.jobs[found->second.second]) &&
                       Between(batches[found->second.first].last, job.submitted) <= kBatchGap;
    if (!joins) {
      last[job.user] = {batches.size(), index};
      batches.push_back({job.submitted, job.submitted, SizeClassOf(job), 0});
    }
    Batch& batch = batches[last[job.user].first];
    batch.last = job.submitted;
    ++batch.jobs;
  }
  return batches;
}

ClassFit FitClass(const TrainingWorkload& workload, std::size_t size_class,
                  std::vector<std::uint32_t> jobs) {
  std::vector<Duration> runs;
  double gpu_hours = 0;
  for (const std::uint32_t index : jobs) {
    runs.push_back(workload.jobs[index].run);
    gpu_hours += GpuHoursOf(workload.jobs[index]);
  }
  return {size_class, std::move(jobs), {}, RunTimeFit(runs), gpu_hours};
}

QueueFit FitQueue(const TrainingWorkload& workload, std::uint32_t queue,
                  const std::vector<std::uint32_t>& jobs, Window window) {
  QueueFit fit;
  fit.queue = queue;
  std::vector<std::vector<std::uint32_t>> by_size(kSizeClasses);
  for (const std::uint32_t index : jobs) {
    by_size[SizeClassOf(workload.jobs[index])].push_back(index);
  }
  std::vector<std::size_t> class_at(kSizeClasses);
  for (std::size_t size = 0; size < kSizeClasses; ++size) {
    if (by_size[size].empty()) continue;
    class_at[size] = fit.classes.size();
    fit.classes.push_back(FitClass(workload, size, std::move(by_size[size])));
  }
  std::vector<Instant> times;
  for (const Batch& batch : BatchesOf(workload, jobs)) {
    times.push_back(batch.first);
    fit.classes[class_at[batch.size_class]].batches.push_back(batch.jobs);
  }
  fit.arrivals = FitArrivals(times, window);
  return fit;
}

// Streams of one queue, so that one more draw in a queue leaves the others as they were.
class QueueDraw {
 public:
  QueueDraw(const WorkloadFit& fit, const QueueFit& queue, const WorkloadDraw& draw)
      : fit_(fit),
        queue_(queue),
        draw_(draw),
        name_("workload/" + fit.source.queues[queue.queue]),
        arrivals_(draw.seed, name_ + "/arrivals", draw.replication),
        marks_(draw.seed, name_ + "/marks", draw.replication),
        runs_(draw.seed, name_ + "/runs", draw.replication) {
    for (const ClassFit& one : queue.classes) submissions_ += one.batches.size();
  }

  void Append(std::vector<TrainingJob>& jobs) {
    const ArrivalDraw draw{draw_.arrivals, draw_.window, draw_.scale};
    for (const Instant at : DrawArrivals(queue_.arrivals, draw, arrivals_)) Submit(at, jobs);
  }

 private:
  // A submission that was seen, each as likely: its class and how many jobs it brought.
  void Submit(Instant at, std::vector<TrainingJob>& jobs) {
    std::uint64_t pick = marks_.Below(submissions_);
    const ClassFit* of = &queue_.classes.front();
    for (const ClassFit& one : queue_.classes) {
      of = &one;
      if (pick < one.batches.size()) break;
      pick -= one.batches.size();
    }
    const std::uint32_t count = of->batches[pick];
    const TrainingJob& mark = fit_.source.jobs[of->jobs[marks_.Below(of->jobs.size())]];
    for (std::uint32_t i = 0; i < count; ++i) jobs.push_back(Like(mark, *of, at));
  }

  TrainingJob Like(const TrainingJob& mark, const ClassFit& of, Instant at) {
    TrainingJob job = mark;
    job.submitted = at;
    job.started.reset();
    job.ended.reset();
    job.end = JobEnd::kUnknown;
    if (mark.deadline) job.deadline = at + Between(mark.submitted, *mark.deadline);
    const TrainingJob& run = fit_.source.jobs[of.jobs[runs_.Below(of.jobs.size())]];
    job.run = draw_.run == RunTimeModel::kEmpirical ? run.run : of.run.Draw(draw_.run, runs_);
    // The limit goes with the run: users ask for what their job needs.
    job.time_limit = run.time_limit;
    if (job.time_limit && draw_.run == RunTimeModel::kLognormal) {
      job.time_limit = std::max(*job.time_limit, job.run);
    }
    return job;
  }

  const WorkloadFit& fit_;
  const QueueFit& queue_;
  const WorkloadDraw& draw_;
  std::string name_;
  RandomStream arrivals_, marks_, runs_;
  std::uint64_t submissions_ = 0;
};

void SortBySubmission(TrainingWorkload& workload) {
  std::stable_sort(
      workload.jobs.begin(), workload.jobs.end(),
      [](const TrainingJob& a, const TrainingJob& b) { return a.submitted < b.submitted; });
}

}  // namespace

std::size_t SizeClassOf(const TrainingJob& job) {
  const std::int64_t milli = GpuMilli(job);
  if (milli == 0) return 0;
  if (milli < kMilliPerGpu) return 1;
  const std::int64_t limits[] = {1, 2, 4, 8, 16, 32, 64};
  std::size_t size_class = 2;
  for (const std::int64_t limit : limits) {
    if (milli <= limit * kMilliPerGpu) return size_class;
    ++size_class;
  }
  return size_class;
}

const char* SizeClassName(std::size_t size_class) {
  constexpr const char* kNames[kSizeClasses] = {"0",   "<1",   "1",     "2",     "3-4",
                                                "5-8", "9-16", "17-32", "33-64", ">64"};
  PLIMSOLL_CHECK(size_class < kSizeClasses);
  return kNames[size_class];
}

double WorkloadFit::offered_gpus() const {
  double gpu_hours = 0;
  for (const TrainingJob& job : source.jobs) gpu_hours += GpuHoursOf(job);
  return gpu_hours / (static_cast<double>(window.length().base()) / kMsPerHour);
}

WorkloadFit FitWorkload(const TrainingWorkload& workload, Window window) {
  PLIMSOLL_CHECK(!window.empty());
  WorkloadFit fit;
  fit.window = window;
  fit.source.queues = workload.queues;
  for (const TrainingJob& job : workload.jobs) {
    if (window.contains(job.submitted)) fit.source.jobs.push_back(job);
  }
  SortBySubmission(fit.source);
  std::vector<std::vector<std::uint32_t>> by_queue(workload.queues.size());
  for (std::uint32_t i = 0; i < fit.source.jobs.size(); ++i) {
    by_queue[fit.source.jobs[i].queue].push_back(i);
  }
  for (std::uint32_t queue = 0; queue < by_queue.size(); ++queue) {
    if (by_queue[queue].empty()) continue;
    fit.queues.push_back(FitQueue(fit.source, queue, by_queue[queue], window));
  }
  return fit;
}

TrainingWorkload DrawWorkload(const WorkloadFit& fit, const WorkloadDraw& draw) {
  TrainingWorkload workload;
  workload.queues = fit.source.queues;
  for (const QueueFit& queue : fit.queues) QueueDraw(fit, queue, draw).Append(workload.jobs);
  SortBySubmission(workload);
  return workload;
}

TrainingWorkload ScaleTrace(const TrainingWorkload& workload, double scale, std::uint64_t seed) {
  PLIMSOLL_CHECK(scale >= 0);
  RandomStream random(seed, "workload/scale", 0);
  TrainingWorkload scaled;
  scaled.queues = workload.queues;
  const double whole = std::floor(scale);
  for (const TrainingJob& job : workload.jobs) {
    // As many draws for each job whatever the scale: a larger one keeps what a smaller one has.
    const bool once_more = random.Uniform() < scale - whole;
    const auto copies = static_cast<std::int64_t>(whole) + (once_more ? 1 : 0);
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      TrainingJob& added = scaled.jobs.emplace_back(job);
      if (copy == 0) continue;
      const Duration later = Millis(
          static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(Hours(1).base()))));
      added.submitted = job.submitted + later;
      if (job.deadline) added.deadline = *job.deadline + later;
      added.started.reset();
      added.ended.reset();
    }
  }
  SortBySubmission(scaled);
  return scaled;
}

void ShiftTo(Instant begin, TrainingWorkload& workload) {
  if (workload.jobs.empty()) return;
  const Duration by = Between(workload.jobs.front().submitted, begin);
  for (TrainingJob& job : workload.jobs) {
    job.submitted = job.submitted + by;
    if (job.deadline) job.deadline = *job.deadline + by;
    if (job.started) job.started = *job.started + by;
    if (job.ended) job.ended = *job.ended + by;
  }
}

}  // namespace plimsoll
