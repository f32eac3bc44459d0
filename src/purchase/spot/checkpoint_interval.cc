#include "purchase/spot/checkpoint_interval.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace plimsoll {

double YoungInterval(double save, double mtbf) { return std::sqrt(2 * save * mtbf); }

double DalyInterval(double save, double mtbf) {
  if (save >= 2 * mtbf) return mtbf;
  const double ratio = save / (2 * mtbf);
  return YoungInterval(save, mtbf) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - save;
}

double OptimalInterval(double save, double mtbf) {
  PLIMSOLL_CHECK(save > 0 && mtbf > 0);
  // With u = tau / M = 1 + W0(-e^(-1 - c)) and c = C / M: -log(1 - u) = u + c. The left side
  // minus u is convex, so that Newton's steps from above come down to the root.
  const double c = save / mtbf;
  if (c > 30) return mtbf;  // W0 is -e^(-1 - c): nothing, next to 1
  double u = c < 1 ? std::min(std::sqrt(2 * c), 1 - std::exp(-1 - c)) : 1 - std::exp(-1 - c);
  for (int i = 0; i < 100; ++i) {
    const double step = (-std::log1p(-u) - u - c) * (1 - u) / u;
    const double next = u - step;
    u = next >= 1 ? (u + 1) / 2 : next <= 0 ? u / 2 : next;
    if (std::abs(step) < 1e-15 * u) break;
  }
  return mtbf * u;
}

double AgeAwareInterval(double save, double hazard) { return std::sqrt(2 * save / hazard); }

double SegmentEvictions(const CheckpointModel& model, double length) {
  return std::exp(model.restart / model.mtbf) * std::expm1(length / model.mtbf);
}

double SegmentTime(const CheckpointModel& model, double length) {
  return (model.mtbf + model.wait) * SegmentEvictions(model, length);
}

double EvenExpectedTime(const CheckpointModel& model, double work, double interval) {
  return work / interval * SegmentTime(model, interval + model.save);
}

double ExpectedTime(const CheckpointModel& model, double work, double interval,
                    bool last_is_saved) {
  const double segments = std::max(std::ceil(work / interval - 1e-9), 1.0);
  const double last = work - (segments - 1) * interval;
  return (segments - 1) * SegmentTime(model, interval + model.save) +
         SegmentTime(model, last + (last_is_saved ? model.save : 0));
}

double FirstOrderWaste(const CheckpointModel& model, double interval) {
  return model.save / interval + interval / (2 * model.mtbf) +
         (model.restart + model.wait) / model.mtbf;
}

double BilledSlowdown(const CheckpointModel& model, double kept) {
  const double interval = OptimalInterval(model.save, model.mtbf);
  return (model.mtbf + kept * model.wait) * SegmentEvictions(model, interval + model.save) /
         interval;
}

std::optional<double> BreakEvenMtbf(CheckpointModel model, double kept, double price_ratio) {
  PLIMSOLL_CHECK(price_ratio > 0 && model.save > 0);
  if (price_ratio >= 1) return std::nullopt;
  // The slowdown falls to 1 as the MTBF grows.
  const double scale = model.save + model.restart + model.wait;
  double low = std::log(scale * 1e-3), high = std::log(scale * 1e12);
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    model.mtbf = std::exp(middle);
    (price_ratio * BilledSlowdown(model, kept) > 1 ? low : high) = middle;
  }
  return std::exp(high);
}

}  // namespace plimsoll
