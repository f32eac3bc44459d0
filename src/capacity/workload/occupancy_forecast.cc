#include "capacity/workload/occupancy_forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "capacity/workload/censored_times.h"
#include "sim/distributions.h"
#include "sim/portable_math.h"

namespace plimsoll {
namespace {

constexpr double kNextToNothing = 0.01;
constexpr double kBlockDays = 3;                // mean length of a block of days
constexpr double kRecencyDays[] = {2, 7, 1e9};  // how fast the past is forgotten: unknown
constexpr const char* kNames[kOccupancyMeasures] = {
    "pending_mean", "pending_p50", "pending_p90",   "idle_mean",         "idle_p10",
    "idle_p50",     "idle_p90",    "share_pending", "share_pending_idle"};

double QuantileOf(std::vector<std::int32_t>& values, double p) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(QuantileRank(values.size(), p));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

bool IsLarge(std::int32_t gpus) { return gpus >= OccupancySeries::kLargeFrom; }

// What the estimated jobs say of run times, and the past's days as lists of jobs.
class Past {
 public:
  Past(const OccupancyJobs& jobs) : jobs_(jobs) {
    for (const EstimatedJob& job : jobs.jobs) {
      if (!job.submitted) continue;
      const auto day = static_cast<std::size_t>(Between(jobs.window.begin, *job.submitted).base() /
                                                Days(1).base());
      if (days_.size() <= day) days_.resize(day + 1);
      days_[day].push_back(&job);
    }
    const auto whole = static_cast<std::size_t>(jobs.window.length().base() / Days(1).base());
    days_.resize(std::max<std::size_t>(whole, 1));
    for (const EstimatedJob& job : jobs.jobs) AddRun(job);
    for (CensoredTimes& times : runs_) times.Settle();
  }

  std::size_t days() const { return days_.size(); }
  const std::vector<const EstimatedJob*>& day(std::size_t i) const { return days_[i]; }

  // The run of a job as it was, or as it may have been where it was cut off.
  Duration RunOf(const EstimatedJob& job, RandomStream& random) const {
    if (job.started && job.ended) return Between(*job.started, *job.ended);
    const Duration age = job.started ? Between(*job.started, jobs_.window.until) : Duration();
    return DrawRun(job.gpus, age, random);
  }

  // What is left of the run of one that runs at the end of the past.
  Duration RestOf(const EstimatedJob& job, RandomStream& random) const {
    const Duration age = Between(job.started.value_or(jobs_.window.begin), jobs_.window.until);
    return DrawRun(job.gpus, age, random) - age;
  }

 private:
  // Of one that ran when the past began only a part is known: it ran longer than that.
  void AddRun(const EstimatedJob& job) {
    if (job.cancelled) return;
    const bool ran_before = !job.submitted && !job.started;
    if (!job.started && !ran_before) return;
    const Instant begin = job.started.value_or(jobs_.window.begin);
    const Instant end = job.ended.value_or(jobs_.window.until);
    runs_[IsLarge(job.gpus) ? 1 : 0].Add(Between(begin, end), job.ended && !ran_before);
  }

  Duration DrawRun(std::int32_t gpus, Duration age, RandomStream& random) const {
    const CensoredTimes& own = runs_[IsLarge(gpus) ? 1 : 0];
    const CensoredTimes& other = runs_[IsLarge(gpus) ? 0 : 1];
    if (!own.empty()) return own.Draw(age, random);
    if (!other.empty()) return other.Draw(age, random);
    return age + Millis(static_cast<std::int64_t>(DrawExponential(random, 3.6e6))) + Millis(1);
  }

  const OccupancyJobs& jobs_;
  std::vector<std::vector<const EstimatedJob*>> days_;
  std::array<CensoredTimes, 2> runs_;  // of small and large jobs
};

// Which day of the past each day of a future is: blocks of days on end.
std::vector<std::size_t> DrawDays(std::size_t past, std::size_t future, RandomStream& random) {
  const double forget = kRecencyDays[random.Below(std::size(kRecencyDays))];
  std::vector<double> sums;  // of weights
  double sum = 0;
  for (std::size_t day = 0; day < past; ++day) {
    sum += portable::Exp(-static_cast<double>(past - 1 - day) / forget);
    sums.push_back(sum);
  }
  std::vector<std::size_t> days;
  while (days.size() < future) {
    const bool goes_on =
        !days.empty() && days.back() + 1 < past && random.Uniform() >= 1 / kBlockDays;
    if (goes_on) {
      days.push_back(days.back() + 1);
      continue;
    }
    const double at = random.Uniform() * sum;
    const auto pick = std::upper_bound(sums.begin(), sums.end(), at);
    days.push_back(std::min<std::size_t>(
        static_cast<std::size_t>(std::distance(sums.begin(), pick)), past - 1));
  }
  return days;
}

void SortBySubmission(std::vector<QueueJob>& jobs) {
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const QueueJob& a, const QueueJob& b) { return a.submitted < b.submitted; });
}

QueueRun EmptyRun(const OccupancySeries& series, const ForecastOptions& options, Window window) {
  QueueRun run;
  run.gpus = series.gpus;
  run.gpus_per_node = options.gpus_per_node;
  run.window = window;
  run.step = series.step;
  return run;
}

// The past as it was: what ran at its begin, and what came. A run that was cut off lasts to the
// end of the past at least, which is all that its replay needs.
QueueRun ReplayOf(const OccupancySeries& series, const ForecastOptions& options,
                  const OccupancyJobs& past) {
  QueueRun run = EmptyRun(series, options, past.window);
  for (const EstimatedJob& job : past.jobs) {
    if (job.cancelled) continue;
    const Instant end = job.ended.value_or(past.window.until);
    if (!job.submitted && !job.started) {
      run.running.push_back({past.window.begin, job.gpus, Between(past.window.begin, end)});
      continue;
    }
    const Duration length = Between(job.started.value_or(past.window.begin), end);
    run.jobs.push_back({job.submitted.value_or(past.window.begin), job.gpus, length});
  }
  SortBySubmission(run.jobs);
  return run;
}

QueueRun FutureOf(const OccupancySeries& series, const ForecastOptions& options, const Past& past,
                  const OccupancyJobs& jobs, std::int64_t replication) {
  const Instant now = jobs.window.until;
  const auto steps = static_cast<std::int64_t>(options.forecast_steps);
  const Window window{now, now + Millis(series.step.base() * steps)};
  QueueRun run = EmptyRun(series, options, window);
  const auto number = static_cast<std::uint64_t>(replication);
  RandomStream days(options.seed, "occupancy/days/" + series.name, number);
  RandomStream runs(options.seed, "occupancy/runs/" + series.name, number);
  for (const EstimatedJob& job : jobs.jobs) {
    if (job.cancelled || job.ended) continue;
    const bool waits = job.submitted && !job.started;
    if (waits) {
      run.jobs.push_back({*job.submitted, job.gpus, past.RunOf(job, runs)});
    } else {
      run.running.push_back({now, job.gpus, past.RestOf(job, runs)});
    }
  }
  const auto future =
      static_cast<std::size_t>((window.length().base() + Days(1).base() - 1) / Days(1).base());
  const std::vector<std::size_t> picked = DrawDays(past.days(), future, days);
  for (std::size_t day = 0; day < future; ++day) {
    const Duration later = Days(static_cast<std::int64_t>(past.days() + day - picked[day]));
    for (const EstimatedJob* job : past.day(picked[day])) {
      const Instant at = *job->submitted + later;
      if (job->cancelled || !window.contains(at)) continue;
      run.jobs.push_back({at, job->gpus, past.RunOf(*job, runs)});
    }
  }
  SortBySubmission(run.jobs);
  return run;
}

// How far a replay is from the past, in GPUs waited for and in how often somebody waited.
double DistanceOf(const OccupancyFigures& seen, const OccupancyFigures& played, std::int32_t gpus) {
  const auto off = [&](OccupancyMeasure measure) {
    const auto at = static_cast<std::size_t>(measure);
    return std::abs(seen[at] - played[at]);
  };
  return off(OccupancyMeasure::kPendingMean) / std::max(gpus, 1) +
         off(OccupancyMeasure::kSharePending) + off(OccupancyMeasure::kSharePendingIdle);
}

// Seen against played, 1 where both are next to nothing: a hundredth of the queue (or of the steps)
// is added to either.
OccupancyFigures CorrectionOf(const OccupancyFigures& seen, const OccupancyFigures& played,
                              std::int32_t gpus) {
  const auto ratio = [&](OccupancyMeasure measure, double least) {
    const auto at = static_cast<std::size_t>(measure);
    return (seen[at] + least) / (played[at] + least);
  };
  OccupancyFigures correction;
  correction.fill(1);
  const double pending = ratio(OccupancyMeasure::kPendingMean, std::max(gpus, 1) * kNextToNothing);
  for (const OccupancyMeasure measure :
       {OccupancyMeasure::kPendingMean, OccupancyMeasure::kPendingP50,
        OccupancyMeasure::kPendingP90}) {
    correction[static_cast<std::size_t>(measure)] = pending;
  }
  for (const OccupancyMeasure measure :
       {OccupancyMeasure::kSharePending, OccupancyMeasure::kSharePendingIdle}) {
    correction[static_cast<std::size_t>(measure)] = ratio(measure, kNextToNothing);
  }
  return correction;
}

bool IsShare(std::size_t measure) {
  return measure >= static_cast<std::size_t>(OccupancyMeasure::kSharePending);
}

// What plays the queue: the caller's model, or the policy whose replay is nearest to the past.
QueueModel ChooseQueue(const QueueRun& replay, const QueueModel& given,
                       OccupancyForecast& forecast) {
  QueueModel chosen = given;
  if (given) forecast.fit_replayed = FiguresOf(given(replay));
  double best = std::numeric_limits<double>::infinity();
  for (const GangPolicy policy : {GangPolicy::kFifo, GangPolicy::kSkip}) {
    if (given) break;
    const OccupancyFigures played = FiguresOf(GangQueue(policy)(replay));
    const double distance = DistanceOf(forecast.fit_observed, played, replay.gpus);
    if (distance >= best) continue;
    best = distance;
    forecast.policy = policy;
    forecast.fit_replayed = played;
    chosen = GangQueue(policy);
  }
  forecast.correction = CorrectionOf(forecast.fit_observed, forecast.fit_replayed, replay.gpus);
  return chosen;
}

}  // namespace

const char* OccupancyMeasureName(std::size_t measure) {
  PLIMSOLL_CHECK(measure < kOccupancyMeasures);
  return kNames[measure];
}

OccupancyPath PathOf(const OccupancySeries& series, std::size_t from, std::size_t until) {
  PLIMSOLL_CHECK(from <= until && until <= series.size());
  OccupancyPath path;
  for (std::size_t t = from; t < until; ++t) {
    path.pending.push_back(series.pending(t));
    path.idle.push_back(series.idle(t));
  }
  return path;
}

OccupancyFigures FiguresOf(const OccupancyPath& path) {
  const std::size_t count = path.pending.size();
  PLIMSOLL_CHECK(count > 0 && path.idle.size() == count);
  double pending_sum = 0, idle_sum = 0, pending = 0, both = 0;
  for (std::size_t t = 0; t < count; ++t) {
    pending_sum += path.pending[t];
    idle_sum += path.idle[t];
    pending += path.pending[t] > 0 ? 1 : 0;
    both += path.pending[t] > 0 && path.idle[t] > 0 ? 1 : 0;
  }
  std::vector<std::int32_t> waits = path.pending, idle = path.idle;
  const auto n = static_cast<double>(count);
  return {pending_sum / n,
          QuantileOf(waits, 0.5),
          QuantileOf(waits, 0.9),
          idle_sum / n,
          QuantileOf(idle, 0.1),
          QuantileOf(idle, 0.5),
          QuantileOf(idle, 0.9),
          pending / n,
          both / n};
}

OccupancyForecast ForecastOccupancy(const OccupancySeries& series, const ForecastOptions& options) {
  PLIMSOLL_CHECK(options.fit_steps <= series.size() && options.forecast_steps > 0);
  PLIMSOLL_CHECK(series.step.base() * static_cast<std::int64_t>(options.fit_steps) >=
                 Days(1).base());
  PLIMSOLL_CHECK(options.replications > 0 && options.confidence > 0 && options.confidence < 1);
  OccupancyForecast forecast;
  forecast.past = EstimateJobs(series, 0, options.fit_steps, options.seed);
  for (const EstimatedJob& job : forecast.past.jobs) forecast.jobs += job.submitted ? 1 : 0;
  forecast.fit_observed = FiguresOf(PathOf(series, 0, options.fit_steps));
  const QueueModel queue =
      ChooseQueue(ReplayOf(series, options, forecast.past), options.queue, forecast);
  const Past past(forecast.past);
  std::array<std::vector<double>, kOccupancyMeasures> drawn;
  for (std::int64_t i = 0; i < options.replications; ++i) {
    const OccupancyFigures figures =
        FiguresOf(queue(FutureOf(series, options, past, forecast.past, i)));
    for (std::size_t m = 0; m < kOccupancyMeasures; ++m) {
      const double corrected = figures[m] * forecast.correction[m];
      drawn[m].push_back(IsShare(m) ? std::min(corrected, 1.0) : corrected);
    }
  }
  const double tail = (1 - options.confidence) / 2;
  for (std::size_t m = 0; m < kOccupancyMeasures; ++m) {
    std::sort(drawn[m].begin(), drawn[m].end());
    const auto at = [&](double p) { return drawn[m][QuantileRank(drawn[m].size(), p)]; };
    forecast.interval[m] = {at(tail), at(1 - tail)};
    forecast.median[m] = at(0.5);
  }
  return forecast;
}

}  // namespace plimsoll
