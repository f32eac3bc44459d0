// WaitTally: how long jobs waited, counted in buckets a 512th of their value wide.
//
// Counts are integers, so that tallies of any parts add up to exactly that of the whole. Waits
// below 1,024 ms are exact; a longer one is told as its bucket's end, at most 0.2 % above it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

class WaitTally {
 public:
  // REQUIRES: wait >= 0
  void Add(Duration wait);
  // A job that had not started when the simulation ended: it waits longer than any other.
  void AddUnstarted() { ++unstarted_; }
  void Merge(const WaitTally& other);

  std::int64_t count() const { return started_ + unstarted_; }
  std::int64_t unstarted() const { return unstarted_; }
  int128 millis() const { return millis_; }  // of those that started, exactly
  // Mean of those that started; null if none did.
  std::optional<double> MeanMillis() const;

  // How many waited at most that long, by whole buckets. Exact for what Quantile tells.
  std::int64_t CountWithin(Duration wait) const;
  // The nearest-rank quantile; null if it is a job that never started, or there is none.
  // REQUIRES: 0 < p <= 1
  std::optional<Duration> Quantile(double p) const;

  // Bucket -> jobs, for files.
  const std::map<std::uint32_t, std::int64_t>& buckets() const { return buckets_; }
  // From a file. False if a count is below 1 or a bucket is beyond the longest wait.
  bool AddBucket(std::uint32_t bucket, std::int64_t jobs);
  void SetUnstarted(std::int64_t jobs) { unstarted_ = jobs; }
  void SetMillis(int128 millis) { millis_ = millis; }

  friend bool operator==(const WaitTally&, const WaitTally&) = default;

 private:
  std::map<std::uint32_t, std::int64_t> buckets_;
  std::int64_t started_ = 0;
  std::int64_t unstarted_ = 0;
  int128 millis_ = 0;
};

}  // namespace plimsoll
