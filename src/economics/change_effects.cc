#include "economics/change_effects.h"

namespace plimsoll {
namespace {

// total x numerator / denominator, half to even.
Result<Money> Scaled(Money total, std::int64_t numerator, std::int64_t denominator) {
  int128 product = 0;
  if (__builtin_mul_overflow(total.nanos(), int128{numerator}, &product)) {
    return Error{ErrorCode::kOutOfRange, "a cost times an output has more than 38 digits"};
  }
  return Money::FromNanos(DivideHalfEven(product, denominator));
}

struct Total {
  std::int64_t output = 0;
  Money cost;
};

Total TotalOf(const Segments& segments) {
  Total total;
  for (const auto& [name, segment] : segments) {
    total.output += segment.output;
    total.cost += segment.cost;
  }
  return total;
}

bool IsProductive(const SegmentOutput& segment) {
  return segment.output > 0 && segment.gpu_time > GpuHours();
}

}  // namespace

Result<ChangeEffects> EffectsOf(const Segments& before, const Segments& after) {
  const Total old_total = TotalOf(before);
  const Total new_total = TotalOf(after);
  if (old_total.output <= 0 || new_total.output <= 0) {
    return Error{ErrorCode::kInvalidArgument, "one of the two windows has no output"};
  }
  PLIMSOLL_TRY(const Money at_old_mix, Scaled(old_total.cost, new_total.output, old_total.output));
  Money at_old_intensity;  // the new output of each segment, at its old GPU-time and price
  Money at_old_price;      // the new GPU-time of each segment, at its old price
  for (const auto& [name, now] : after) {
    const auto found = before.find(name);
    if (found == before.end() || !IsProductive(found->second) || !IsProductive(now)) {
      at_old_intensity += now.cost;
      at_old_price += now.cost;
      continue;
    }
    const SegmentOutput& then = found->second;
    PLIMSOLL_TRY(const Money by_output, Scaled(then.cost, now.output, then.output));
    PLIMSOLL_TRY(const Money by_time, Scaled(then.cost, now.gpu_time.base(), then.gpu_time.base()));
    at_old_intensity += by_output;
    at_old_price += by_time;
  }
  ChangeEffects effects;
  effects.before = old_total.cost;
  effects.after = new_total.cost;
  effects.volume = at_old_mix - old_total.cost;
  effects.mix = at_old_intensity - at_old_mix;
  effects.efficiency = at_old_price - at_old_intensity;
  effects.price = new_total.cost - at_old_price;
  return effects;
}

}  // namespace plimsoll
