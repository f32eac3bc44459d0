#include "units/quantity.h"

#include "units/money.h"

namespace plimsoll {

std::string ToDecimalHours(GpuHours hours) {
  constexpr std::int64_t kMillisPerHour = 3'600'000;
  const int128 scaled = int128{hours.base()} * Money::kNanosPerUnit;
  return Money::FromNanos(DivideHalfEven(scaled, kMillisPerHour)).ToString();
}

}  // namespace plimsoll
