#include "economics/inference_latency.h"

#include <algorithm>

#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kAll = 100'000;  // 100 % in thousandths of a percent

}  // namespace

void LatencySet::Sort() {
  if (!sorted_) std::sort(values_.begin(), values_.end());
  sorted_ = true;
}

std::optional<std::int64_t> LatencySet::Percentile(std::int64_t thousandths) {
  if (values_.empty()) return std::nullopt;
  Sort();
  const auto last = static_cast<std::int64_t>(values_.size()) - 1;
  const int128 rank = int128{last} * thousandths;
  const auto below = static_cast<std::size_t>(rank / kAll);
  const std::int64_t low = values_[below];
  const std::int64_t high = values_[std::min(below + 1, values_.size() - 1)];
  const int128 beyond = (rank % kAll) * (int128{high} - low);
  return static_cast<std::int64_t>(low + DivideHalfEven(beyond, kAll));
}

std::optional<std::int64_t> LatencySet::NearestRank(std::int64_t thousandths) {
  if (values_.empty()) return std::nullopt;
  Sort();
  const int128 scaled = int128{static_cast<std::int64_t>(values_.size())} * thousandths;
  const auto rank = static_cast<std::size_t>((scaled + kAll - 1) / kAll);
  return values_[rank == 0 ? 0 : rank - 1];
}

void RequestLatencies::Add(const RequestBatch& requests, std::size_t row) {
  if (requests.status[row] != ok_) return;
  const auto& first = requests.ttft_ns[row];
  const auto& end = requests.e2e_ns[row];
  const auto& output = requests.output_tokens[row];
  if (first) ttft.Add(*first);
  if (end) e2e.Add(*end);
  if (first && end && output) {
    if (*output < 2) return;
    const int128 time = int128{*end} - *first;
    tpot.Add(static_cast<std::int64_t>(DivideHalfEven(time, *output - 1)));
  } else if (requests.tpot_ns[row]) {
    tpot.Add(*requests.tpot_ns[row]);
  }
}

}  // namespace plimsoll
