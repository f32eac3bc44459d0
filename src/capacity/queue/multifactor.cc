#include "capacity/queue/multifactor.h"

#include <algorithm>
#include <cmath>

#include "sim/portable_math.h"

namespace plimsoll {
namespace {

constexpr double kLn2 = 0.69314718055994531;

double Ratio(std::int64_t a, std::int64_t b) {
  return b <= 0 ? 0 : std::clamp(static_cast<double>(a) / static_cast<double>(b), 0.0, 1.0);
}

}  // namespace

Multifactor::Multifactor(const MultifactorWeights& weights, const TrainingWorkload& workload,
                         std::int64_t cluster_gpu_milli)
    : weights_(weights), cluster_gpu_milli_(cluster_gpu_milli) {
  const std::size_t queues = QueuesOf(workload);
  usage_.assign(queues, 0);
  weights_.shares.resize(queues, weights.shares.empty() ? 1 : 0);
  for (const std::int64_t share : weights_.shares) shares_sum_ += static_cast<double>(share);
  if (workload.jobs.empty()) return;
  const auto [low, high] = std::ranges::minmax(workload.jobs, {}, &TrainingJob::priority);
  priority_min_ = low.priority;
  priority_max_ = high.priority;
}

void Multifactor::AddUsage(const std::vector<std::int64_t>& by_queue, Instant now) {
  const auto halves = static_cast<double>(Between(decayed_, now).base()) /
                      static_cast<double>(std::max<std::int64_t>(weights_.half_life.base(), 1));
  const double kept = portable::Exp(-kLn2 * halves);
  decayed_ = now;
  usage_sum_ = 0;
  for (std::size_t i = 0; i < usage_.size(); ++i) {
    usage_[i] = usage_[i] * kept + static_cast<double>(by_queue[i]);
    usage_sum_ += usage_[i];
  }
}

std::int64_t Multifactor::Priority(const TrainingJob& job, Instant waits_since, Instant now) const {
  const double age = Ratio(Between(waits_since, now).base(), weights_.age_max.base());
  const double size = Ratio(GpuMilli(job), cluster_gpu_milli_);
  const double priority = Ratio(std::int64_t{job.priority} - priority_min_,
                                std::int64_t{priority_max_} - priority_min_);
  double fairshare = 1;
  if (usage_sum_ > 0) {
    const double share = static_cast<double>(weights_.shares[job.queue]) / shares_sum_;
    const double used = usage_[job.queue] / usage_sum_;
    fairshare = share > 0 ? portable::Exp(-kLn2 * used / share) : 0;
  }
  const double sum = static_cast<double>(weights_.age) * age +
                     static_cast<double>(weights_.size) * size +
                     static_cast<double>(weights_.priority) * priority +
                     static_cast<double>(weights_.fairshare) * fairshare;
  return std::llround(sum * 1e6);
}

}  // namespace plimsoll
