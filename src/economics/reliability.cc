#include "economics/reliability.h"

#include <cmath>

#include "base/check.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr double kBillionths = 1e9;

double InMillis(Duration duration) { return static_cast<double>(duration.base()); }

}  // namespace

std::optional<Duration> MeanTimeToFailure(Duration observed, std::int64_t failures) {
  if (failures <= 0) return std::nullopt;
  return Millis(static_cast<std::int64_t>(DivideHalfEven(observed.base(), failures)));
}

std::optional<Duration> JobMeanTimeToFailure(std::int64_t nodes, std::int64_t failures,
                                             std::int64_t node_days) {
  if (nodes <= 0 || failures <= 0 || node_days <= 0) return std::nullopt;
  const int128 time = int128{node_days} * Days(1).base();
  return Millis(static_cast<std::int64_t>(DivideHalfEven(time, int128{nodes} * failures)));
}

std::optional<std::int64_t> FirstOrderEttr(const FailureModel& model) {
  PLIMSOLL_CHECK(model.mttf > Duration() && model.work > Duration());
  PLIMSOLL_CHECK(model.interval > Duration());
  const int128 mttf = model.mttf.base(), work = model.work.base();
  const int128 restart = model.restart.base(), queue = model.queue.base();
  // Both sides of the fraction times 2 x mttf x work.
  const int128 gain = 2 * mttf - 2 * restart - int128{model.interval.base()};
  if (gain <= 0) return std::nullopt;
  const int128 whole = 2 * (mttf * work + (restart + queue) * mttf + queue * work);
  return static_cast<std::int64_t>(DivideHalfEven(gain * work * kBillion, whole));
}

std::int64_t RenewalEttr(const FailureModel& model) {
  PLIMSOLL_CHECK(model.mttf > Duration() && model.interval > Duration());
  const double mttf = InMillis(model.mttf), interval = InMillis(model.interval);
  const double restart = InMillis(model.restart), queue = InMillis(model.queue);
  const double a_failure = (mttf + queue) * std::exp(restart / mttf);
  const double one = a_failure * std::expm1((interval + InMillis(model.save)) / mttf);
  double ratio = interval / one;
  if (model.work > Duration()) {
    const double work = InMillis(model.work);
    const double first = queue + (mttf + queue) * std::expm1(restart / mttf);
    ratio = work / (first + work / interval * one);
  }
  return static_cast<std::int64_t>(std::llround(ratio * kBillionths));
}

}  // namespace plimsoll
