#include "sharing/divide.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "units/split.h"

namespace plimsoll {
namespace {

int128 WeightOf(const Taker& taker) {
  return std::max(int128{0}, taker.weight[kKept] + taker.weight[kDropped]);
}

bool AllZero(std::span<const int128> weights) {
  return std::all_of(weights.begin(), weights.end(), [](int128 weight) { return weight == 0; });
}

Status Split(int128 total, std::span<const int128> weights, std::span<int128> parts) {
  if (SplitInto(total, weights, parts)) return Ok();
  return Error{ErrorCode::kOutOfRange,
               "an amount times a weight exceeds 38 digits; share a shorter step"};
}

// As Split; evenly if nobody weighs anything.
Status SplitOrEven(int128 total, std::vector<int128> weights, std::span<int128> parts) {
  if (AllZero(weights)) std::fill(weights.begin(), weights.end(), int128{1});
  return Split(total, weights, parts);
}

Status SplitHalves(int128 total, const Taker& taker, Halves<int128>& parts) {
  if (!taker.present[kKept] || !taker.present[kDropped]) {
    parts[taker.present[kKept] ? kKept : kDropped] = total;
    return Ok();
  }
  return SplitOrEven(
      total,
      {std::max(int128{0}, taker.weight[kKept]), std::max(int128{0}, taker.weight[kDropped])},
      parts);
}

// [begin, end) of each key's takers.
struct Range {
  std::size_t begin, end;
};
std::vector<Range> RangesOf(std::span<const Taker> takers) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    PLIMSOLL_CHECK(i == 0 || takers[i - 1].key <= takers[i].key);
    if (i == 0 || takers[i].key != takers[i - 1].key) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  }
  return ranges;
}

}  // namespace

Result<std::vector<Halves<int128>>> Divide(int128 total, std::span<const Taker> takers,
                                           std::span<const int128> key_weights) {
  const std::vector<Range> keys = RangesOf(takers);
  PLIMSOLL_CHECK(key_weights.empty() || key_weights.size() == keys.size());
  std::vector<int128> weights(key_weights.begin(), key_weights.end());
  if (key_weights.empty()) {
    for (const Range& key : keys) {
      int128& weight = weights.emplace_back(0);
      for (std::size_t i = key.begin; i < key.end; ++i) weight += WeightOf(takers[i]);
    }
  }
  if (AllZero(weights)) return std::vector<Halves<int128>>();

  std::vector<int128> key_parts(keys.size());
  PLIMSOLL_RETURN_IF_ERROR(Split(total, weights, key_parts));
  std::vector<Halves<int128>> parts(takers.size());
  std::vector<int128> taker_parts;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = keys[k].begin, count = keys[k].end - begin;
    std::vector<int128> taker_weights;
    for (std::size_t i = 0; i < count; ++i) taker_weights.push_back(WeightOf(takers[begin + i]));
    taker_parts.assign(count, 0);
    PLIMSOLL_RETURN_IF_ERROR(SplitOrEven(key_parts[k], std::move(taker_weights), taker_parts));
    for (std::size_t i = 0; i < count; ++i) {
      PLIMSOLL_RETURN_IF_ERROR(SplitHalves(taker_parts[i], takers[begin + i], parts[begin + i]));
    }
  }
  return parts;
}

Result<std::vector<int128>> Apportion(int128 total, std::span<const int128> amounts) {
  PLIMSOLL_CHECK(!amounts.empty());
  const int128 sum = std::accumulate(amounts.begin(), amounts.end(), int128{0});
  std::vector<int128> weights;
  for (const int128 amount : amounts) {
    weights.push_back(std::max(int128{0}, sum < 0 ? -amount : sum > 0 ? amount : int128{0}));
  }
  std::vector<int128> parts(amounts.size());
  PLIMSOLL_RETURN_IF_ERROR(SplitOrEven(total, std::move(weights), parts));
  return parts;
}

}  // namespace plimsoll
