#include "allocation/spread.h"

#include <array>

namespace plimsoll {
namespace {

constexpr std::int64_t kHourMillis = Hours(1).base();

// The hours of a charge have at most three different weights: the first, the whole ones
// between, the last. So floor shares, remainders and ranks come in three groups.
struct Group {
  std::int64_t count = 0;  // of hours
  int128 quotient = 0, remainder = 0;
};

// How many hours of the charge come before hour `offset` of `groups[at]` in the order of
// remainders (largest first, ties to the earlier hour).
int128 RankOf(const std::array<Group, 3>& groups, std::size_t at, std::int64_t offset) {
  int128 rank = offset;  // earlier hours of the same group
  for (std::size_t other = 0; other < groups.size(); ++other) {
    if (other == at) continue;
    const bool ahead = groups[other].remainder > groups[at].remainder ||
                       (groups[other].remainder == groups[at].remainder && other < at);
    if (ahead) rank += groups[other].count;
  }
  return rank;
}

}  // namespace

Status SpreadOverHours(Money cost, const Window& charge, const Window& window,
                       std::vector<HourPart>& parts) {
  const Instant first_hour = FloorTo(charge.begin, Hours(1));
  if (charge.empty()) {
    if (window.contains(first_hour)) {
      parts.push_back({first_hour, {charge.begin, charge.begin}, cost});
    }
    return Ok();
  }
  const int128 sign = cost.nanos() < 0 ? -1 : 1;
  const int128 magnitude = cost.nanos() * sign;
  const int128 total = charge.length().base();
  const std::int64_t hours =
      Between(first_hour, CeilTo(charge.until, Hours(1))).base() / kHourMillis;
  const Instant last_hour = first_hour + Hours(hours - 1);
  const auto covered = [&](Instant hour) { return Intersect(charge, {hour, hour + Hours(1)}); };

  std::array<Group, 3> groups;
  groups[0].count = 1;
  groups[1].count = hours > 2 ? hours - 2 : 0;
  groups[2].count = hours > 1 ? 1 : 0;
  const std::array<std::int64_t, 3> weights = {covered(first_hour).length().base(), kHourMillis,
                                               covered(last_hour).length().base()};
  int128 left_over = magnitude;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    int128 product = 0;
    if (__builtin_mul_overflow(magnitude, int128{weights[i]}, &product)) {
      return Error{ErrorCode::kOutOfRange, "spread of a charge over its hours exceeds 38 digits"};
    }
    groups[i].quotient = product / total;
    groups[i].remainder = product % total;
    left_over -= groups[i].quotient * groups[i].count;
  }

  const Window inside = Intersect(window, {first_hour, last_hour + Hours(1)});
  for (Instant hour = inside.begin; hour < inside.until; hour = hour + Hours(1)) {
    const std::size_t at = hour == first_hour ? 0 : hour == last_hour ? 2 : 1;
    const std::int64_t offset = at == 1 ? Between(first_hour, hour).base() / kHourMillis - 1 : 0;
    const int128 extra = RankOf(groups, at, offset) < left_over ? 1 : 0;
    parts.push_back({hour, covered(hour), Money::FromNanos(sign * (groups[at].quotient + extra))});
  }
  return Ok();
}

Result<Money> PartInWindow(Money cost, const Window& charge, const Window& window) {
  std::vector<HourPart> parts;
  PLIMSOLL_RETURN_IF_ERROR(SpreadOverHours(cost, charge, window, parts));
  Money sum;
  for (const HourPart& part : parts) sum += part.cost;
  return sum;
}

}  // namespace plimsoll
