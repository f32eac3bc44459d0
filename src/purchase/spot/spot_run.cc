#include "purchase/spot/spot_run.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/check.h"
#include "sim/distributions.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kLossesMax = 100'000;  // of one run: it is given up then
constexpr std::size_t kAgedIntervalsMax = 10'000;
constexpr std::size_t kSpot = 0, kOnDemand = 1;

Duration Rounded(double ms) {
  constexpr double kLongest = 4e15;  // a hundred thousand years
  return Millis(std::llround(std::clamp(ms, 0.0, kLongest)));
}

// When the next node of a gang is lost, in time during which nodes are exposed.
class Gang {
 public:
  Gang(const SpotRunModel& model, RandomStream& random) : model_(&model), random_(&random) {
    if (model.nodes == 1 || model.lifetime.memoryless()) return;
    ends_.resize(static_cast<std::size_t>(model.nodes));
    for (double& end : ends_) end = model.lifetime.Draw(random);
    std::make_heap(ends_.begin(), ends_.end(), std::greater<>());
  }

  // From the last loss until the next one; the lost node is replaced by a new one.
  Duration NextLoss() {
    if (ends_.empty()) {
      // The least of n lives without memory has the n-th part of the mean.
      return Rounded(model_->lifetime.Draw(*random_) / static_cast<double>(model_->nodes));
    }
    std::pop_heap(ends_.begin(), ends_.end(), std::greater<>());
    const double end = ends_.back(), lived = end - exposed_;
    exposed_ = end;
    ends_.back() = end + model_->lifetime.Draw(*random_);
    std::push_heap(ends_.begin(), ends_.end(), std::greater<>());
    return Rounded(lived);
  }

 private:
  const SpotRunModel* model_;
  RandomStream* random_;
  double exposed_ = 0;        // of the gang, in all
  std::vector<double> ends_;  // of each node's life, as a heap; empty: no need to know
};

class Run {
 public:
  Run(const SpotRunModel& model, SpotPolicy policy, SpotSeed seed)
      : model_(model),
        policy_(policy),
        evictions_(seed.seed, "evictions", seed.replication),
        notice_(seed.seed, "notice", seed.replication),
        hardware_(seed.seed, "hardware", seed.replication) {}

  SpotRunTimes Simulate() {
    if (policy_ != SpotPolicy::kOnDemand) OnSpot();
    if (!Ended()) OnDemand();
    times_.finish = now_;
    times_.finished = durable_ == model_.work;
    times_.fingerprint.Add(now_.base());
    times_.fingerprint.Add(durable_.base());
    return times_;
  }

 private:
  bool Ended() const {
    return durable_ == model_.work || now_ >= model_.give_up ||
           times_.evictions + times_.hardware_failures >= kLossesMax;
  }

  void Spend(std::size_t where, SpotTime what, Duration time) {
    times_.spent[where][static_cast<std::size_t>(what)] += time;
    now_ += time;
  }

  // True if the deadline can still be met on demand after a step of that length that fails.
  bool MayRisk(Duration step) const {
    if (policy_ != SpotPolicy::kFallback) return true;
    return now_ + step + model_.restart + (model_.work - durable_) <= *model_.deadline;
  }

  void OnSpot() {
    Gang gang(model_, evictions_);
    while (!Ended()) {
      const bool lost = Attempt(gang.NextLoss());
      if (!lost) return;
      ++times_.evictions;
      needs_restart_ = true;
      times_.fingerprint.Add(now_.base());
      if (!MayRisk(model_.wait)) return;
      Spend(kSpot, SpotTime::kWaiting, model_.wait);
    }
  }

  // One stay on spot until a node is lost after `life`. False if the run left before: done, out of
  // time, or off to on demand.
  bool Attempt(Duration life) {
    Duration age;
    const bool restarted = needs_restart_;
    if (restarted) {
      if (!MayRisk(model_.restart)) return false;
      ++times_.restarts;
      age = std::min(life, model_.restart);
      Spend(kSpot, SpotTime::kRestarts, age);
      if (age < model_.restart) return true;
      needs_restart_ = false;
    }
    for (std::size_t segment = 0; now_ < model_.give_up; ++segment) {
      const Duration length = std::min(IntervalOf(segment, restarted), model_.work - durable_);
      const bool last = durable_ + length == model_.work;
      const Duration save = last && !model_.last_is_saved ? Duration() : model_.save;
      if (!MayRisk(length + save)) return false;
      if (life < age + length + save) {
        Lose(length, life - age);
        return true;
      }
      Spend(kSpot, SpotTime::kWork, length);
      Spend(kSpot, SpotTime::kCheckpoints, save);
      age += length + save;
      durable_ += length;
      if (last) return false;
    }
    return false;
  }

  Duration IntervalOf(std::size_t segment, bool restarted) const {
    const auto& aged = restarted ? model_.aged_intervals : model_.aged_first_intervals;
    return aged.empty() ? model_.interval : aged[std::min(segment, aged.size() - 1)];
  }

  // Evicted `used` into a segment of `length` of work.
  void Lose(Duration length, Duration used) {
    const Duration worked = std::min(used, length);
    Duration kept;
    if (model_.save_per_billion > 0 && model_.save <= model_.notice &&
        notice_.Below(1'000'000'000) < model_.save_per_billion) {
      // What was done when the notice came is saved; what came after is not.
      kept = std::clamp(used - model_.notice, Duration(), length);
      times_.saved_on_notice += kept > Duration();
    }
    Spend(kSpot, SpotTime::kWork, kept);
    Spend(kSpot, SpotTime::kRecomputation, worked - kept);
    Spend(kSpot, SpotTime::kCheckpoints, used - worked);
    durable_ += kept;
  }

  // To the end, on nodes that fail only by their hardware.
  void OnDemand() {
    bool needs_restart = times_.evictions > 0 || now_ > Duration();
    while (!Ended()) {
      const Duration life = HardwareLife();
      Duration age;
      if (needs_restart) {
        ++times_.restarts;
        age = std::min(life, model_.restart);
        Spend(kOnDemand, SpotTime::kRestarts, age);
      }
      const bool works = !needs_restart || age == model_.restart;
      if (works && WorkOnDemand(life, age)) return;
      ++times_.hardware_failures;
      needs_restart = true;
      times_.fingerprint.Add(now_.base());
    }
  }

  Duration HardwareLife() {
    if (!model_.hardware_mtbf) return Days(400'000'000);
    return Rounded(DrawExponential(hardware_, static_cast<double>(model_.hardware_mtbf->base()) /
                                                  static_cast<double>(model_.nodes)));
  }

  // True when done.
  bool WorkOnDemand(Duration life, Duration age) {
    while (now_ < model_.give_up) {
      const Duration rest = model_.work - durable_;
      const Duration length =
          model_.hardware_mtbf ? std::min(model_.on_demand_interval, rest) : rest;
      const bool last = length == rest;
      const Duration save = last ? Duration() : model_.save;
      if (life < age + length + save) {
        const Duration used = life - age, worked = std::min(used, length);
        Spend(kOnDemand, SpotTime::kRecomputation, worked);
        Spend(kOnDemand, SpotTime::kCheckpoints, used - worked);
        return false;
      }
      Spend(kOnDemand, SpotTime::kWork, length);
      Spend(kOnDemand, SpotTime::kCheckpoints, save);
      age += length + save;
      durable_ += length;
      if (last) return true;
    }
    return true;
  }

  const SpotRunModel& model_;
  SpotPolicy policy_;
  RandomStream evictions_, notice_, hardware_;
  Duration now_, durable_;  // wall time, and work that no eviction can take
  bool needs_restart_ = false;
  SpotRunTimes times_;
};

}  // namespace

SpotRunTimes SimulateSpotRun(const SpotRunModel& model, SpotPolicy policy, SpotSeed seed) {
  PLIMSOLL_CHECK(model.work > Duration() && model.interval > Duration() && model.nodes > 0);
  PLIMSOLL_CHECK(model.give_up > Duration());
  PLIMSOLL_CHECK(policy != SpotPolicy::kFallback || model.deadline.has_value());
  PLIMSOLL_CHECK(!model.hardware_mtbf || model.on_demand_interval > Duration());
  return Run(model, policy, seed).Simulate();
}

Duration NextAgedInterval(const Lifetime& lifetime, const SpotRunModel& model, Duration age) {
  const auto save = static_cast<double>(model.save.base());
  double low = 1, high = static_cast<double>(model.work.base());
  while (high - low > 0.5) {
    const double middle = (low + high) / 2;
    const double hazard = lifetime.CumulativeHazard(static_cast<double>(age.base()), middle);
    const bool is_long = hazard * middle > 2 * save;
    (is_long ? high : low) = middle;
  }
  return std::max(Rounded(high), Millis(1));
}

std::vector<Duration> AgedIntervals(const Lifetime& lifetime, const SpotRunModel& model,
                                    Duration age) {
  std::vector<Duration> intervals;
  for (Duration sum; sum < model.work && intervals.size() < kAgedIntervalsMax;) {
    if (!intervals.empty() && lifetime.Survival(static_cast<double>(age.base())) <= 0) break;
    intervals.push_back(NextAgedInterval(lifetime, model, age));
    sum += intervals.back();
    age += intervals.back() + model.save;
  }
  return intervals;
}

}  // namespace plimsoll
