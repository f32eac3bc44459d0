// Percentiles of latencies, for those who ask: every value is kept, so that they are exact.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/symbol.h"
#include "model/request.h"

namespace plimsoll {

// A set of whole nanoseconds.
class LatencySet {
 public:
  void Add(std::int64_t ns) {
    values_.push_back(ns);
    sorted_ = false;
  }
  std::size_t size() const { return values_.size(); }

  // The percentile (0 to 100 in thousandths: 99'900 is p99.9) with linear interpolation
  // between the two values beside rank p x (n - 1), as numpy's default; rounded half to even.
  // Null of no values.
  std::optional<std::int64_t> Percentile(std::int64_t thousandths);
  // The smallest value that at least p % of all are not above.
  std::optional<std::int64_t> NearestRank(std::int64_t thousandths);

 private:
  void Sort();
  std::vector<std::int64_t> values_;
  bool sorted_ = true;
};

// Latencies of the requests that succeeded. A failure has none: compare with the share of
// good requests, which counts it.
class RequestLatencies {
 public:
  void Add(const RequestBatch& requests, std::size_t row);

  LatencySet ttft, tpot, e2e;  // tpot of requests with two tokens or more, rounded to even

 private:
  Symbol ok_{"ok"};
};

}  // namespace plimsoll
