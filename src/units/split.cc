#include "units/split.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/check.h"

namespace plimsoll {
namespace {

__extension__ using uint128 = unsigned __int128;
constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kInlineWeights = 64;

// Null (0) if a weight is negative, none is positive or the sum overflows.
template <class W>
uint128 SumOf(std::span<const W> weights) {
  int128 sum = 0;
  for (const W weight : weights) {
    if (weight < 0) return 0;
    if (__builtin_add_overflow(sum, int128{weight}, &sum)) return 0;
  }
  return static_cast<uint128>(sum);
}

// quotient and remainder of magnitude * weight / sum; false if the product overflows.
struct Share {
  uint128 quotient, remainder;
};
bool ShareOf(uint128 magnitude, uint128 weight, uint128 sum, Share& share) {
  if (magnitude <= kMax64 && weight <= kMax64) {
    const uint128 product = magnitude * weight;
    if (product <= kMax64 && sum <= kMax64) {  // one machine division
      const auto low = static_cast<std::uint64_t>(product);
      const auto divisor = static_cast<std::uint64_t>(sum);
      share = {low / divisor, low % divisor};
      return true;
    }
    share.quotient = product / sum;
    share.remainder = product - share.quotient * sum;
    return true;
  }
  int128 product = 0;
  if (__builtin_mul_overflow(static_cast<int128>(magnitude), static_cast<int128>(weight),
                             &product)) {
    return false;
  }
  share.quotient = static_cast<uint128>(product) / sum;
  share.remainder = static_cast<uint128>(product) - share.quotient * sum;
  return true;
}

// Gives one unit each to the `left_over` largest remainders, ties to the earlier index.
template <class Part>
void GiveLeftOver(std::size_t left_over, Part sign, std::span<uint128> remainders,
                  std::span<Part> parts) {
  if (parts.size() <= kInlineWeights) {
    for (; left_over > 0; --left_over) {
      const auto largest = std::max_element(remainders.begin(), remainders.end());
      parts[static_cast<std::size_t>(largest - remainders.begin())] += sign;
      *largest = 0;  // taken: a part that gets a unit has a positive remainder
    }
    return;
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto first_out = order.begin() + static_cast<std::ptrdiff_t>(left_over);
  std::nth_element(order.begin(), first_out, order.end(), [&](std::size_t a, std::size_t b) {
    return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
  });
  for (auto it = order.begin(); it != first_out; ++it) parts[*it] += sign;
}

template <class Part, class W>
bool Split(Part total, std::span<const W> weights, std::span<Part> parts) {
  const uint128 sum = SumOf(weights);
  if (sum == 0) return false;
  if (weights.size() == 1) {
    parts[0] = total;
    return true;
  }
  const Part sign = total < 0 ? -1 : 1;
  const uint128 magnitude =
      total < 0 ? uint128{0} - static_cast<uint128>(int128{total}) : static_cast<uint128>(total);
  std::array<uint128, kInlineWeights> few;
  std::vector<uint128> many(weights.size() > kInlineWeights ? weights.size() : 0);
  const std::span<uint128> remainders =
      many.empty() ? std::span(few).first(weights.size()) : std::span(many);
  uint128 left_over = magnitude;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Share share;
    if (!ShareOf(magnitude, static_cast<uint128>(weights[i]), sum, share)) return false;
    parts[i] = static_cast<Part>(share.quotient) * sign;
    remainders[i] = share.remainder;
    left_over -= share.quotient;
  }
  PLIMSOLL_CHECK(left_over < weights.size());
  GiveLeftOver(static_cast<std::size_t>(left_over), sign, remainders, parts);
  return true;
}

}  // namespace

bool SplitInto(int128 total, std::span<const std::int64_t> weights, std::span<int128> parts) {
  return Split(total, weights, parts);
}
bool SplitInto(int128 total, std::span<const int128> weights, std::span<int128> parts) {
  return Split(total, weights, parts);
}
bool SplitInto(std::int64_t total, std::span<const std::int64_t> weights,
               std::span<std::int64_t> parts) {
  return Split(total, weights, parts);
}

Result<std::vector<Money>> SplitByWeight(Money total, std::span<const std::int64_t> weights) {
  std::vector<int128> nanos(weights.size());
  if (!SplitInto(total.nanos(), weights, nanos)) {
    const auto negative = [](std::int64_t weight) { return weight < 0; };
    if (std::any_of(weights.begin(), weights.end(), negative)) {
      return Error{ErrorCode::kInvalidArgument, "split weight is negative"};
    }
    if (SumOf(weights) == 0) {
      return Error{ErrorCode::kInvalidArgument, "split has no positive weight"};
    }
    return Error{ErrorCode::kOutOfRange, "split total times weight exceeds 38 digits"};
  }
  std::vector<Money> parts;
  parts.reserve(nanos.size());
  for (const int128 part : nanos) parts.push_back(Money::FromNanos(part));
  PLIMSOLL_CHECK(std::accumulate(parts.begin(), parts.end(), Money()) == total);
  return parts;
}

}  // namespace plimsoll
