#include "units/split.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace plimsoll {
namespace {

Result<int128> SumOfWeights(std::span<const std::int64_t> weights) {
  int128 sum = 0;
  for (const std::int64_t weight : weights) {
    if (weight < 0) return Error{ErrorCode::kInvalidArgument, "split weight is negative"};
    sum += weight;
  }
  if (sum == 0) return Error{ErrorCode::kInvalidArgument, "split has no positive weight"};
  return sum;
}

}  // namespace

Result<std::vector<Money>> SplitByWeight(Money total, std::span<const std::int64_t> weights) {
  PLIMSOLL_TRY(const int128 weight_sum, SumOfWeights(weights));
  const int128 sign = total.nanos() < 0 ? -1 : 1;
  const int128 magnitude = total.nanos() * sign;

  std::vector<Money> parts(weights.size());
  std::vector<int128> remainders(weights.size());
  int128 left_over = magnitude;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    int128 scaled = 0;
    if (__builtin_mul_overflow(magnitude, int128{weights[i]}, &scaled)) {
      return Error{ErrorCode::kOutOfRange, "split total times weight exceeds 38 digits"};
    }
    parts[i] = Money::FromNanos(sign * (scaled / weight_sum));
    remainders[i] = scaled % weight_sum;
    left_over -= scaled / weight_sum;
  }
  PLIMSOLL_CHECK(left_over >= 0);
  PLIMSOLL_CHECK(left_over <= static_cast<int128>(weights.size()));

  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(left_over); ++i) {
    parts[order[i]] += Money::FromNanos(sign);
  }
  PLIMSOLL_CHECK(std::accumulate(parts.begin(), parts.end(), Money()) == total);
  return parts;
}

}  // namespace plimsoll
