#include "capacity/workload/censored_times.h"

#include <algorithm>

#include "base/check.h"
#include "sim/portable_math.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kLongestMs = std::int64_t{10} * 365 * 24 * 3'600'000;

// A time beyond `from` with survival (t / from)^-kTailBeyond.
Duration Beyond(Duration from, double uniform) {
  const double ms = static_cast<double>(std::max<std::int64_t>(from.base(), 1)) *
                    portable::Power(1 / uniform, 1 / kTailBeyond);
  return Millis(static_cast<std::int64_t>(std::min(ms, static_cast<double>(kLongestMs))) + 1);
}

}  // namespace

void CensoredTimes::Add(Duration time, bool ended) {
  PLIMSOLL_CHECK(time >= Duration());
  samples_.push_back({time, ended});
}

void CensoredTimes::Settle() {
  // Of equal times those that ended come first: who was cut off then was still there.
  std::sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) {
    return a.time != b.time ? a.time < b.time : a.ended && !b.ended;
  });
  steps_.clear();
  double survival = 1;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    if (!samples_[i].ended) continue;
    survival *= 1 - 1 / static_cast<double>(samples_.size() - i);
    if (!steps_.empty() && steps_.back().time == samples_[i].time) {
      steps_.back().survival = survival;
    } else {
      steps_.push_back({samples_[i].time, survival});
    }
  }
}

double CensoredTimes::Survival(Duration t) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), t,
                                      [](Duration at, const Step& step) { return at < step.time; });
  return after == steps_.begin() ? 1 : std::prev(after)->survival;
}

Duration CensoredTimes::Draw(Duration age, RandomStream& random) const {
  PLIMSOLL_CHECK(!steps_.empty());
  const double uniform = random.UniformPositive();
  const double alive = Survival(age);
  if (alive <= 0 || age >= steps_.back().time) return Beyond(age, uniform);
  const double target = uniform * alive;  // the survival at the drawn time
  const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.time > age && step.survival < target;
  });
  if (at != steps_.end()) return at->time;
  const double last = steps_.back().survival;
  return Beyond(steps_.back().time, last > 0 ? target / last : 1);
}

}  // namespace plimsoll
