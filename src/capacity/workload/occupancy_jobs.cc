#include "capacity/workload/occupancy_jobs.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/check.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

// Sizes in GPUs that came and went between two steps.
struct Change {
  std::vector<std::int32_t> in, out;
};

// `jobs` sizes, at least 1 each, that add up to `gpus` as evenly as can be; of whole nodes where
// those add up.
void Split(std::int32_t gpus, std::int32_t jobs, std::vector<std::int32_t>& sizes) {
  constexpr std::int32_t kNode = OccupancySeries::kLargeFrom;
  const std::int32_t unit = gpus % kNode == 0 && gpus / kNode >= jobs ? kNode : 1;
  const std::int32_t units = std::max(gpus / unit, jobs);
  for (std::int32_t i = 0; i < jobs; ++i) {
    sizes.push_back(unit * (units / jobs + (i < units % jobs ? 1 : 0)));
  }
}

// One class's jobs in one state (running, or waiting).
class Pool {
 public:
  // The size of a present job that is nearest to `gpus`; 0 if there is none.
  std::int32_t Nearest(std::int32_t gpus) const {
    std::int32_t best = 0;
    for (const std::size_t job : present_) {
      if (best == 0 || std::abs(size_[job] - gpus) < std::abs(best - gpus)) best = size_[job];
    }
    return best;
  }

  void Add(std::size_t job, std::int32_t gpus) {
    present_.push_back(job);
    if (size_.size() <= job) size_.resize(job + 1);
    size_[job] = gpus;
  }

  // `count` present sizes that add up to `gpus`, the largest first; false if there are none.
  bool Subset(std::int32_t count, std::int32_t gpus, std::vector<std::int32_t>& sizes) const {
    std::vector<std::int32_t> sorted;
    for (const std::size_t job : present_) sorted.push_back(size_[job]);
    std::sort(sorted.rbegin(), sorted.rend());
    std::int32_t tries = kSubsetTries;
    std::vector<std::int32_t> chosen;
    if (!Choose(sorted, 0, {count, gpus}, chosen, tries)) return false;
    sizes.insert(sizes.end(), chosen.begin(), chosen.end());
    return true;
  }

  // The smallest present size of at least `gpus`, or the largest; 0 if there is none.
  std::int32_t AtLeast(std::int32_t gpus) const {
    std::int32_t best = 0;
    for (const std::size_t job : present_) {
      const std::int32_t size = size_[job];
      const bool enough = size >= gpus;
      if (best == 0 || (enough && (best < gpus || size < best)) ||
          (!enough && best < gpus && size > best)) {
        best = size;
      }
    }
    return best;
  }

  // Takes out a job of the size nearest to `gpus`: the one that came first, or any.
  std::optional<std::size_t> Take(std::int32_t gpus, RandomStream* random) {
    const std::int32_t size = Nearest(gpus);
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < present_.size(); ++i) {
      if (size_[present_[i]] == size) alike.push_back(i);
    }
    if (alike.empty()) return std::nullopt;
    const std::size_t at = random == nullptr ? alike[0] : alike[random->Below(alike.size())];
    const std::size_t job = present_[at];
    present_.erase(present_.begin() + static_cast<std::ptrdiff_t>(at));
    return job;
  }

  bool empty() const { return present_.empty(); }

 private:
  static constexpr std::int32_t kSubsetTries = 10'000;
  struct Want {
    std::int32_t count, gpus;
  };

  static bool Choose(const std::vector<std::int32_t>& sorted, std::size_t from, Want want,
                     std::vector<std::int32_t>& chosen, std::int32_t& tries) {
    if (want.count == 0) return want.gpus == 0;
    for (std::size_t i = from; i < sorted.size() && --tries > 0; ++i) {
      if (i > from && sorted[i] == sorted[i - 1]) continue;  // as good as the one before
      if (sorted[i] > want.gpus) continue;
      if (std::int64_t{sorted[i]} * want.count < want.gpus) return false;  // only smaller ones left
      chosen.push_back(sorted[i]);
      if (Choose(sorted, i + 1, {want.count - 1, want.gpus - sorted[i]}, chosen, tries))
        return true;
      chosen.pop_back();
    }
    return false;
  }

  std::vector<std::size_t> present_;  // in the order in which they came
  std::vector<std::int32_t> size_;    // by job
};

// The fewest events that explain a change of jobs and GPUs: sizes that leave are of present jobs,
// those that come have at least `least` GPUs.
Change Explain(std::int32_t jobs, std::int32_t gpus, const Pool& pool, std::int32_t least) {
  Change change;
  if (jobs > 0 && gpus > 0) {
    Split(gpus, jobs, change.in);
  } else if (jobs < 0 && gpus < 0) {
    if (!pool.Subset(-jobs, -gpus, change.out)) Split(-gpus, -jobs, change.out);
  } else if (jobs != 0 || gpus != 0) {
    // One more on either side: a job that left made room for those that came, or the reverse.
    const std::int32_t came = std::max(jobs, 0) + 1, left = std::max(-jobs, 0) + 1;
    const std::int32_t gone = pool.AtLeast((came * least - gpus + left - 1) / left);
    if (gone == 0) return change;
    Split(gone * left, left, change.out);
    Split(std::max(gone * left + gpus, came * least), came, change.in);
  }
  return change;
}

std::int32_t SumOf(const std::vector<std::int32_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0);
}

class ClassEstimate {
 public:
  ClassEstimate(const OccupancyClass& counts, std::int32_t least, RandomStream& random,
                OccupancyJobs& result)
      : counts_(counts), least_(least), random_(random), result_(result) {}

  void Begin(std::size_t t) {
    std::vector<std::int32_t> running, waiting;
    Split(counts_.running_gpus[t], counts_.running_jobs[t], running);
    Split(counts_.pending_gpus[t], counts_.pending_jobs[t], waiting);
    for (const std::int32_t gpus : running) running_.Add(New(gpus), gpus);
    for (const std::int32_t gpus : waiting) waiting_.Add(New(gpus), gpus);
  }

  void Step(std::size_t t, Instant now) {
    const auto change = [t](const std::vector<std::int32_t>& of) { return of[t] - of[t - 1]; };
    const std::int32_t jobs = change(counts_.running_jobs), gpus = change(counts_.running_gpus);
    const Change waits =
        Explain(change(counts_.pending_jobs), change(counts_.pending_gpus), waiting_, least_);
    // Those that left the queue started, unless that leaves what cannot be: runs that end and
    // are not there, or that end as others come.
    const auto starts = static_cast<std::int32_t>(waits.out.size());
    Change runs = Explain(jobs - starts, gpus - SumOf(waits.out), running_, least_);
    const bool started = starts == 0 || IsPossible(runs);
    if (!started) runs = Explain(jobs, gpus, running_, least_);
    Count(runs, waits);
    for (const std::int32_t size : runs.out) End(size, now);
    for (const std::int32_t size : waits.out) LeaveQueue(size, now, started);
    for (const std::int32_t size : runs.in) {
      const std::size_t job = New(size);
      result_.jobs[job].submitted = result_.jobs[job].started = now;
      running_.Add(job, size);
    }
    for (const std::int32_t size : waits.in) {
      const std::size_t job = New(size);
      result_.jobs[job].submitted = now;
      waiting_.Add(job, size);
    }
  }

 private:
  std::size_t New(std::int32_t gpus) {
    result_.jobs.push_back({gpus, {}, {}, {}, false});
    return result_.jobs.size() - 1;
  }

  void Count(const Change& runs, const Change& waits) {
    const std::size_t most =
        std::max({runs.in.size(), runs.out.size(), waits.in.size(), waits.out.size()});
    if (most == 1) ++result_.steps_of_one;
    if (most > 1) ++result_.steps_of_more;
  }

  void End(std::int32_t gpus, Instant now) {
    if (const auto job = running_.Take(gpus, &random_)) result_.jobs[*job].ended = now;
  }

  bool IsPossible(const Change& runs) const {
    if (!runs.in.empty() && !runs.out.empty()) return false;
    std::vector<std::int32_t> sizes;
    return runs.out.empty() ||
           running_.Subset(static_cast<std::int32_t>(runs.out.size()), SumOf(runs.out), sizes);
  }

  void LeaveQueue(std::int32_t gpus, Instant now, bool started) {
    const auto job = waiting_.Take(gpus, nullptr);
    if (!job) return;
    result_.jobs[*job].cancelled = !started;
    if (!started) return;
    result_.jobs[*job].started = now;
    running_.Add(*job, result_.jobs[*job].gpus);
  }

  const OccupancyClass& counts_;
  std::int32_t least_;  // GPUs of a job of the class
  RandomStream& random_;
  OccupancyJobs& result_;
  Pool running_, waiting_;
};

}  // namespace

OccupancyJobs EstimateJobs(const OccupancySeries& series, std::size_t from, std::size_t until,
                           std::uint64_t seed) {
  PLIMSOLL_CHECK(from < until && until <= series.size());
  const auto time_of = [&](std::size_t t) {
    return series.begin + Millis(series.step.base() * static_cast<std::int64_t>(t));
  };
  OccupancyJobs result;
  result.window = {time_of(from), time_of(until)};
  RandomStream random(seed, "occupancy/ends/" + series.name, 0);
  ClassEstimate small(series.small, 1, random, result);
  ClassEstimate large(series.large, OccupancySeries::kLargeFrom, random, result);
  small.Begin(from);
  large.Begin(from);
  for (std::size_t t = from + 1; t < until; ++t) {
    small.Step(t, time_of(t));
    large.Step(t, time_of(t));
  }
  std::stable_sort(result.jobs.begin(), result.jobs.end(),
                   [](const EstimatedJob& a, const EstimatedJob& b) {
                     return a.submitted.value_or(AtMillis(INT64_MIN)) <
                            b.submitted.value_or(AtMillis(INT64_MIN));
                   });
  return result;
}

}  // namespace plimsoll
