#include "purchase/schedule/fleet_schedule.h"

#include <bit>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

std::int64_t CountOf(MinuteMask mask) { return std::popcount(mask); }

// One instance while controls take minutes from it.
class InstanceRun {
 public:
  InstanceRun(const InstanceActivity& activity, std::span<const std::int64_t> wall_ms,
              const ScheduleRules& rules)
      : activity_(activity),
        wall_ms_(wall_ms),
        rules_(rules),
        on_(activity.hour.size(), kWholeHour) {}

  void Apply(ControlKind control) {
    if (control == ControlKind::kIdle) {
      if (!rules_.idle_share) StopIdle();
      return;
    }
    for (std::size_t i = 0; i < on_.size(); ++i) {
      on_[i] &= control == ControlKind::kBusinessHours
                    ? MinutesWithin(wall_ms_[i], rules_.business, rules_.holidays)
                    : MinutesOutside(wall_ms_[i], rules_.weekend, rules_.holidays);
    }
  }

  void AddTo(ScheduleOutcome& out) const {
    bool cut_before = false;
    for (std::size_t i = 0; i < on_.size(); ++i) {
      out.minutes_on += CountOf(on_[i]);
      const bool cut = IsActive(i) && on_[i] != kWholeHour;
      if (cut) {
        out.minutes_cut += 60 - CountOf(on_[i]);
        const bool goes_on = cut_before && IsNext(i);
        out.interruptions += goes_on ? 0 : 1;
      }
      cut_before = cut;
    }
    out.wake_ups += wake_ups_;
  }

 private:
  // Without activity of its own a fleet of a declared idle share is never interrupted.
  bool IsActive(std::size_t i) const {
    return !rules_.idle_share && activity_.active[i] >= rules_.idle_below;
  }
  bool IsNext(std::size_t i) const {
    return i > 0 && Between(activity_.hour[i - 1], activity_.hour[i]) == Hours(1);
  }

  // Minutes on without activity in a row, across hours; once they reach idle_after it is off until
  // an hour that is worked in, or until a schedule turns it off and on again.
  void StopIdle() {
    std::int64_t idle = 0;
    bool stopped = false;
    for (std::size_t i = 0; i < on_.size(); ++i) {
      if (!IsNext(i)) {
        idle = 0;
        stopped = false;
      }
      if (IsActive(i)) {
        wake_ups_ += stopped && on_[i] != 0 ? 1 : 0;
        idle = 0;
        stopped = false;
        continue;
      }
      for (int minute = 0; minute < 60; ++minute) {
        const MinuteMask bit = MinuteMask{1} << minute;
        if ((on_[i] & bit) == 0) {
          idle = 0;
          stopped = false;
          continue;
        }
        stopped = stopped || idle >= rules_.idle_after;
        ++idle;
        if (stopped) on_[i] &= ~bit;
      }
    }
  }

  const InstanceActivity& activity_;
  std::span<const std::int64_t> wall_ms_;
  const ScheduleRules& rules_;
  std::vector<MinuteMask> on_;
  std::int64_t wake_ups_ = 0;
};

Money PriceOfMinutes(std::int64_t minutes, Money price) {
  return Money::FromNanos(DivideHalfEven(minutes * price.nanos(), 60));
}

}  // namespace

ScheduleOutcome RunSchedule(const FleetHours& fleet, std::span<const ControlKind> controls,
                            const ScheduleRules& rules) {
  PLIMSOLL_CHECK(fleet.wall_ms.size() == fleet.instances.size());
  ScheduleOutcome out;
  std::int64_t minutes_all = 0;
  for (std::size_t i = 0; i < fleet.instances.size(); ++i) {
    const InstanceActivity& instance = fleet.instances[i];
    InstanceRun run(instance, fleet.wall_ms[i], rules);
    for (const ControlKind control : controls) run.Apply(control);
    run.AddTo(out);
    minutes_all += static_cast<std::int64_t>(instance.hour.size()) * 60;
  }
  for (std::int64_t* count :
       {&minutes_all, &out.minutes_on, &out.minutes_cut, &out.interruptions, &out.wake_ups}) {
    *count *= fleet.copies;
  }
  for (const ControlKind control : controls) {
    if (control != ControlKind::kIdle || !rules.idle_share) continue;
    out.minutes_on = static_cast<std::int64_t>(
        DivideHalfEven(int128{out.minutes_on} * (kBillion - *rules.idle_share), kBillion));
  }
  out.waiting = Millis(rules.wake_up.base() * (out.interruptions + out.wake_ups));
  out.cost = PriceOfMinutes(out.minutes_on, rules.price);
  out.saving = PriceOfMinutes(minutes_all, rules.price) - out.cost;
  out.cost_cut = PriceOfMinutes(out.minutes_cut, rules.price);
  if (rules.people_cost) {
    out.cost_waiting = Money::FromNanos(
        DivideHalfEven(out.waiting.base() * rules.people_cost->nanos(), Hours(1).base()));
  }
  out.saving_net = out.saving - out.cost_cut - out.cost_waiting;
  return out;
}

std::int64_t CompoundShares(std::span<const std::int64_t> shares) {
  int128 left = kBillion;
  int128 scale = kBillion;  // of digits kept while multiplying
  left *= scale;
  for (const std::int64_t share : shares)
    left = DivideHalfEven(left * (kBillion - share), kBillion);
  return static_cast<std::int64_t>(kBillion - DivideHalfEven(left, scale));
}

}  // namespace plimsoll
