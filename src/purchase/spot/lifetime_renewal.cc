#include "purchase/spot/lifetime_renewal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kNobody = 1e-17;          // a survival that adds nothing any more
constexpr double kSegmentsMax = 10'000;    // of a run that is looked at for the best interval
constexpr double kSegmentsSearched = 300;  // of Young's interval

// What an attempt lives through: after its restart one full segment after another.
class Attempt {
 public:
  Attempt(const Lifetime& lifetime, double restart, double segment)
      : lifetime_(&lifetime), segment_(segment) {
    at_.push_back(restart);
    alive_.push_back(lifetime.Survival(restart));
    lived_.push_back(lifetime.SurvivalIntegral(0, restart));
  }

  // P(lives to the end of full segment j), and the mean time lived until then.
  double Alive(std::size_t j) { return Reach(j) ? alive_[j] : 0; }
  double Lived(std::size_t j) { return Reach(j) ? lived_[j] : lived_.back(); }
  // The same at the end of a last segment of `length` after j full ones.
  double AliveAfter(std::size_t j, double length) {
    return Reach(j) ? lifetime_->Survival(at_[j] + length) : 0;
  }
  double LivedAfter(std::size_t j, double length) {
    if (!Reach(j)) return lived_.back();
    return lived_[j] + lifetime_->SurvivalIntegral(at_[j], at_[j] + length);
  }

 private:
  bool Reach(std::size_t j) {
    while (alive_.size() <= j) {
      if (alive_.back() < kNobody) return false;
      const double next = at_.back() + segment_;
      lived_.push_back(lived_.back() + lifetime_->SurvivalIntegral(at_.back(), next));
      alive_.push_back(lifetime_->Survival(next));
      at_.push_back(next);
    }
    return true;
  }

  const Lifetime* lifetime_;
  double segment_;
  std::vector<double> at_, alive_, lived_;
};

struct Shape {
  double last = 0;  // length of the last segment, its save too if there is one
  double wait = 0;
};

// The time of a run with `left` segments to go, whose later attempts take `after[...]`. With
// `itself`: a failure in the first segment begins the same again.
double TimeOf(Attempt& attempt, const Shape& shape, std::size_t left,
              const std::vector<double>& after, bool itself) {
  const double done = attempt.AliveAfter(left - 1, shape.last);
  double sum = attempt.LivedAfter(left - 1, shape.last) + shape.wait * (1 - done);
  for (std::size_t j = 1; j < left; ++j) {
    const double alive = attempt.Alive(j);
    if (alive < kNobody) break;
    const double next = j + 1 == left ? done : attempt.Alive(j + 1);
    sum += (alive - next) * after[left - j];
  }
  const double first = left == 1 ? done : attempt.Alive(1);
  if (itself) return first > 0 ? sum / first : kForever;
  return first < 1 ? sum + (1 - first) * after[left] : sum;
}

}  // namespace

double RenewalTime(const Lifetime& lifetime, const RenewalRun& run) {
  PLIMSOLL_CHECK(run.work > 0 && run.interval > 0);
  const double count = std::max(std::ceil(run.work / run.interval - 1e-9), 1.0);
  const auto segments = static_cast<std::size_t>(count);
  const Shape shape{run.work - (count - 1) * run.interval + (run.last_is_saved ? run.save : 0),
                    run.wait};
  Attempt restarted(lifetime, run.restart, run.interval + run.save);
  std::vector<double> after(segments + 1);
  for (std::size_t left = 1; left <= segments; ++left) {
    after[left] = TimeOf(restarted, shape, left, after, true);
    if (!std::isfinite(after[left])) return kForever;
  }
  Attempt first(lifetime, 0, run.interval + run.save);
  return TimeOf(first, shape, segments, after, false);
}

double BestInterval(const Lifetime& lifetime, RenewalRun run) {
  PLIMSOLL_CHECK(run.save > 0 && run.work > 0);
  // What is best hardly depends on the length of a long run: look at some hundred segments.
  const double whole = run.work;
  run.work = std::min(whole, kSegmentsSearched * std::sqrt(2 * run.save * lifetime.Mean()));
  const auto time_of = [&](double segments) {
    run.interval = run.work / segments;
    return RenewalTime(lifetime, run);
  };
  // Golden section over the logarithm of the number of segments, then its neighbours: an interval
  // far below the save cannot be best.
  double low = 0, high = std::log(std::clamp(4 * run.work / run.save, 1.0, kSegmentsMax));
  constexpr double kGolden = 0.6180339887498949;
  const auto at = [&](double x) { return time_of(std::max(std::round(std::exp(x)), 1.0)); };
  for (int i = 0; i < 40 && high - low > 1e-3; ++i) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    const double time_a = at(a);
    // Where neither ends, shorter segments are the way out.
    const bool is_left = std::isfinite(time_a) && time_a <= at(b);
    (is_left ? high : low) = is_left ? b : a;
  }
  double best = std::max(std::round(std::exp((low + high) / 2)), 1.0);
  double least = time_of(best);
  for (double segments = std::max(best - 3, 1.0), last = best + 3; segments <= last; ++segments) {
    const double time = time_of(segments);
    if (time >= least) continue;
    least = time;
    best = segments;
  }
  return whole / std::max(std::round(whole * best / run.work), 1.0);
}

}  // namespace plimsoll
