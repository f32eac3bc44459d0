#include "economics/unit_trend.h"

#include <algorithm>

namespace plimsoll {
namespace {

struct Sum {
  std::int64_t output = 0;
  Money cost;

  bool Add(const Segments& segments) {
    for (const auto& [name, segment] : segments) {
      if (__builtin_add_overflow(output, segment.output, &output)) return false;
      cost += segment.cost;
    }
    return true;
  }
};

Error TooMuch() { return {ErrorCode::kOutOfRange, "a cost or an output has more than 38 digits"}; }

Result<Money> PerBlock(const Sum& sum, std::int64_t block) {
  int128 product = 0;
  if (__builtin_mul_overflow(sum.cost.nanos(), int128{block}, &product)) return TooMuch();
  return Money::FromNanos(DivideHalfEven(product, sum.output));
}

}  // namespace

Result<std::optional<Money>> UnitCostOf(const Segments& segments, std::int64_t block) {
  Sum sum;
  if (!sum.Add(segments)) return TooMuch();
  if (sum.output <= 0) return std::optional<Money>();
  PLIMSOLL_TRY(const Money cost, PerBlock(sum, block));
  return std::optional(cost);
}

Result<std::optional<UnitMove>> MoveOf(const std::vector<UnitPoint>& points, std::int64_t block,
                                       const UnitBand& band) {
  if (points.empty()) return std::optional<UnitMove>();
  PLIMSOLL_TRY(const std::optional<Money> now, UnitCostOf(points.back().segments, block));
  Sum before;
  const auto count = static_cast<std::int64_t>(points.size()) - 1;
  for (std::int64_t i = std::max<std::int64_t>(0, count - band.windows); i < count; ++i) {
    const Segments& segments = points[static_cast<std::size_t>(i)].segments;
    Sum one;
    if (!one.Add(segments) || (one.output > 0 && !before.Add(segments))) return TooMuch();
  }
  if (!now || before.output <= 0) return std::optional<UnitMove>();
  PLIMSOLL_TRY(const Money usual, PerBlock(before, block));
  if (usual <= Money()) return std::optional<UnitMove>();
  int128 change = 0;
  if (__builtin_mul_overflow((*now - usual).nanos(), int128{1'000}, &change)) return TooMuch();
  UnitMove move{usual, *now, 0, false};
  const int128 permille = DivideHalfEven(change, usual.nanos());
  move.permille = static_cast<std::int64_t>(std::clamp<int128>(permille, INT64_MIN, INT64_MAX));
  const int128 limit = int128{band.percent} * 10 * usual.nanos();
  move.is_alert = change > limit || -change > limit;
  return std::optional(move);
}

}  // namespace plimsoll
