#include "purchase/spot/measured_life.h"

#include <algorithm>
#include <string>

namespace plimsoll {
namespace {

constexpr std::size_t kBinsMax = 12;
constexpr std::size_t kEvictionsPerBin = 10;

double InMs(Duration duration) { return static_cast<double>(duration.base()); }

}  // namespace

std::vector<ObservedLife> ObservedLives(std::span<const InstanceLifetimes> pools) {
  std::vector<ObservedLife> lives;
  for (const InstanceLifetimes& pool : pools) {
    for (std::size_t i = 0; i < pool.lifetime.size(); ++i) {
      if (pool.lifetime[i] > Duration())
        lives.push_back({pool.lifetime[i], pool.preempted[i] != 0});
    }
  }
  return lives;
}

Result<MeasuredLife> MeasuredLife::Of(std::vector<ObservedLife> lives) {
  MeasuredLife measured;
  for (const ObservedLife& life : lives) {
    if (life.length <= Duration()) {
      return Error{ErrorCode::kInvalidArgument, "a lifetime must be above 0"};
    }
    measured.evictions_ += life.evicted;
  }
  if (measured.evictions_ < 2) {
    return Error{ErrorCode::kInvalidArgument,
                 std::to_string(measured.evictions_) + " evictions among " +
                     std::to_string(lives.size()) +
                     " lifetimes: two at least must have ended by eviction to tell how long an "
                     "instance lives"};
  }
  measured.lives_ = static_cast<std::int64_t>(lives.size());
  // Of the same length evictions come first: who is alive then was at risk.
  std::sort(lives.begin(), lives.end(), [](const ObservedLife& a, const ObservedLife& b) {
    return a.length != b.length ? a.length < b.length : a.evicted > b.evicted;
  });
  measured.ends_alive_ = !lives.back().evicted;
  measured.BuildSteps(lives);
  measured.BuildBins(lives);
  return measured;
}

void MeasuredLife::BuildSteps(const std::vector<ObservedLife>& sorted) {
  double survival = 1;
  for (std::size_t i = 0; i < sorted.size();) {
    const Duration length = sorted[i].length;
    const auto at_risk = static_cast<double>(sorted.size() - i);
    double evicted = 0;
    for (; i < sorted.size() && sorted[i].length == length; ++i) evicted += sorted[i].evicted;
    if (evicted == 0 && i < sorted.size()) continue;
    survival *= i == sorted.size() ? 0 : 1 - evicted / at_risk;
    ends_.push_back(InMs(length));
    after_.push_back(survival);
  }
}

void MeasuredLife::BuildBins(const std::vector<ObservedLife>& sorted) {
  const auto evictions = static_cast<std::size_t>(evictions_);
  const std::size_t bins = std::clamp<std::size_t>(evictions / kEvictionsPerBin, 1, kBinsMax);
  double from = 0, exposure = 0, evicted = 0;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    // All from here on live from the previous end to this one.
    const auto alive = static_cast<double>(sorted.size() - i);
    const double before = i == 0 ? 0 : InMs(sorted[i - 1].length);
    exposure += alive * (InMs(sorted[i].length) - std::max(before, from));
    evicted += sorted[i].evicted;
    seen += sorted[i].evicted;
    const bool is_end = i + 1 == sorted.size();
    const bool is_full = seen * bins >= (bins_.size() + 1) * evictions && bins_.size() + 1 < bins &&
                         evicted > 0 && exposure > 0;
    if (!is_end && (!is_full || sorted[i + 1].length == sorted[i].length)) continue;
    if (exposure <= 0) continue;
    bins_.push_back({InMs(sorted[i].length), evicted / exposure});
    from = InMs(sorted[i].length);
    exposure = evicted = 0;
  }
}

double MeasuredLife::Survival(double age) const {
  const auto step = std::upper_bound(ends_.begin(), ends_.end(), age);
  return step == ends_.begin() ? 1 : after_[static_cast<std::size_t>(step - ends_.begin()) - 1];
}

double MeasuredLife::Hazard(double age) const {
  for (const Bin& bin : bins_) {
    if (age < bin.until) return bin.rate;
  }
  return bins_.back().rate;
}

double MeasuredLife::CumulativeHazard(double from, double until) const {
  double sum = 0, begin = from;
  for (std::size_t i = 0; i < bins_.size() && begin < until; ++i) {
    const double end = i + 1 == bins_.size() ? until : std::min(bins_[i].until, until);
    sum += bins_[i].rate * std::max(end - begin, 0.0);
    begin = std::max(begin, end);
  }
  return sum;
}

double MeasuredLife::SurvivalIntegral(double from, double until) const {
  double sum = 0, survival = 1, begin = 0;
  for (std::size_t i = 0; i < ends_.size() && begin < until; ++i) {
    sum += survival * std::max(std::min(ends_[i], until) - std::max(begin, from), 0.0);
    begin = ends_[i];
    survival = after_[i];
  }
  return sum;
}

double MeasuredLife::Draw(double uniform, double age) const {
  const double target = uniform * Survival(age);
  const auto step = std::lower_bound(after_.begin(), after_.end(), target,
                                     [](double after, double at) { return after >= at; });
  if (step == after_.end()) return 0;
  return std::max(ends_[static_cast<std::size_t>(step - after_.begin())] - age, 0.0);
}

}  // namespace plimsoll
