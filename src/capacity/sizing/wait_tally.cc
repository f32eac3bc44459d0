#include "capacity/sizing/wait_tally.h"

#include <bit>

#include "base/check.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr int kBits = 10;  // a bucket is a 2^(kBits - 1)th of its value wide
constexpr std::uint32_t kHalf = 1U << (kBits - 1);
constexpr std::uint32_t kBucketsMax = (63 - kBits + 2) * kHalf;

std::uint32_t BucketOf(Duration wait) {
  const auto value = static_cast<std::uint64_t>(wait.base());
  const auto width = static_cast<int>(std::bit_width(value));
  if (width <= kBits) return static_cast<std::uint32_t>(value);
  const int shift = width - kBits;
  return static_cast<std::uint32_t>(shift) * kHalf + static_cast<std::uint32_t>(value >> shift);
}

// The longest wait in the bucket.
Duration EndOf(std::uint32_t bucket) {
  if (bucket < 2 * kHalf) return Millis(bucket);
  const std::uint32_t shift = bucket / kHalf - 1;
  const std::uint64_t above = std::uint64_t{bucket} - std::uint64_t{shift} * kHalf + 1;
  return Millis(static_cast<std::int64_t>((above << shift) - 1));
}

}  // namespace

void WaitTally::Add(Duration wait) {
  PLIMSOLL_CHECK(wait >= Duration());
  ++buckets_[BucketOf(wait)];
  ++started_;
  millis_ += wait.base();
}

void WaitTally::Merge(const WaitTally& other) {
  for (const auto& [bucket, jobs] : other.buckets_) buckets_[bucket] += jobs;
  started_ += other.started_;
  unstarted_ += other.unstarted_;
  millis_ += other.millis_;
}

std::optional<double> WaitTally::MeanMillis() const {
  if (started_ == 0) return std::nullopt;
  return static_cast<double>(millis_) / static_cast<double>(started_);
}

std::int64_t WaitTally::CountWithin(Duration wait) const {
  if (wait < Duration()) return 0;
  std::int64_t within = 0;
  for (const auto& [bucket, jobs] : buckets_) {
    if (EndOf(bucket) > wait) break;
    within += jobs;
  }
  return within;
}

std::optional<Duration> WaitTally::Quantile(double p) const {
  if (count() == 0) return std::nullopt;
  const auto rank =
      static_cast<std::int64_t>(QuantileRank(static_cast<std::size_t>(count()), p)) + 1;
  std::int64_t below = 0;
  for (const auto& [bucket, jobs] : buckets_) {
    below += jobs;
    if (below >= rank) return EndOf(bucket);
  }
  return std::nullopt;
}

bool WaitTally::AddBucket(std::uint32_t bucket, std::int64_t jobs) {
  if (jobs < 1 || bucket >= kBucketsMax) return false;
  buckets_[bucket] += jobs;
  started_ += jobs;
  return true;
}

}  // namespace plimsoll
