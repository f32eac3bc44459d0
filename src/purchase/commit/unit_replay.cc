#include "purchase/commit/unit_replay.h"

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

constexpr int128 kBillion = 1'000'000'000;

// The first multiple of `step` that `holds`, which once true stays true up to `most`.
template <class Holds>
std::int64_t FirstMultiple(std::int64_t most, std::int64_t step, const Holds& holds) {
  std::int64_t low = 0, high = most / step + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle * step)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low * step;
}

int128 UnscaledBelow(const UsageCurve& curve, std::int64_t units) {
  return curve.Below(units * kUnitHour) / UsageCurve::kWhole;
}

}  // namespace

std::optional<std::int64_t> ShareOf(int128 part, int128 whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<std::int64_t>(DivideHalfEven(part * kBillion, whole));
}

std::optional<std::int64_t> UnitReplay::coverage() const { return ShareOf(covered, used); }

std::optional<std::int64_t> UnitReplay::utilization() const { return ShareOf(covered, committed); }

std::optional<std::int64_t> UnitReplay::effective_savings_rate() const {
  return ShareOf(saving.nanos(), cost_on_demand.nanos());
}

UnitReplay Replay(const UsageCurve& curve, Money on_demand,
                  std::span<const ReplayUnits> commitments) {
  UnitReplay out;
  out.hours = curve.hours();
  for (const ReplayUnits& commitment : commitments) {
    out.units += commitment.units;
    out.cost_committed +=
        Money::FromNanos(DivideHalfEven(commitment.term_cost.nanos() * commitment.units * out.hours,
                                        int128{kHoursPerMonth} * commitment.months));
  }
  out.used = curve.total();
  out.covered = UnscaledBelow(curve, out.units);
  out.committed = int128{out.units} * kUnitHour * out.hours;
  const auto priced = [&](int128 unit_millis) {
    return Money::FromNanos(DivideHalfEven(unit_millis * on_demand.nanos(), kUnitHour));
  };
  out.cost_on_demand = priced(out.used);
  out.cost = out.cost_committed + priced(out.used - out.covered);
  out.saving = out.cost_on_demand - out.cost;
  if (const auto unused = ShareOf(out.committed - out.covered, out.committed)) {
    out.stranded = Money::FromNanos(DivideHalfEven(out.cost_committed.nanos() * *unused, kBillion));
  }
  return out;
}

std::int64_t UnitsAtUtilization(const UsageCurve& curve, std::int64_t existing,
                                std::int64_t billionths, std::int64_t step) {
  const int128 below = UnscaledBelow(curve, existing);
  const auto too_many = [&](std::int64_t units) {
    const int128 used = UnscaledBelow(curve, existing + units) - below;
    return used * kBillion < int128{units} * kUnitHour * curve.hours() * billionths;
  };
  if (curve.hours() == 0 || billionths <= 0) return 0;
  const std::int64_t most = curve.max() / kUnitHour + step;
  return std::max<std::int64_t>(0, FirstMultiple(most, step, too_many) - step);
}

std::int64_t UnitsAtCoverage(const UsageCurve& curve, std::int64_t existing,
                             std::int64_t billionths, std::int64_t step) {
  return FirstMultiple(curve.max() / kUnitHour + step, step, [&](std::int64_t units) {
    return UnscaledBelow(curve, existing + units) * kBillion >= curve.total() * billionths;
  });
}

}  // namespace plimsoll
