// RowFields: typed access to the fields of one row, which remembers the first that is wrong.
//
// Where a row's texts come from is the caller's: a CSV, an object of JSON, columns without names.
// A field is absent if its text is empty or says so: None, null, NULL, NaN, nan, Unknown, N/A.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/cluster/workload_reader.h"
#include "units/time.h"

namespace plimsoll {

struct WholeLimits {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
};

// More than so many GPUs, pods or nodes of one job are a mistaken column.
inline constexpr std::int64_t kJobGpusMax = 1'000'000;

class RowFields {
 public:
  using Lookup = std::function<std::string_view(std::string_view name)>;
  explicit RowFields(Lookup lookup) : lookup_(std::move(lookup)) {}

  std::string_view Text(std::string_view name) const;  // "" if absent
  std::string Required(std::string_view name);
  // "8" and "8.0". Absent and wrong are both null; what is wrong is remembered.
  std::optional<std::int64_t> Whole(std::string_view name, WholeLimits limits);
  std::int64_t RequiredWhole(std::string_view name, WholeLimits limits);
  // Seconds with a fraction, 0 to a century, to the nearest millisecond.
  std::optional<Duration> Seconds(std::string_view name);
  Duration RequiredSeconds(std::string_view name);
  // Any decimal from 0 to a trillion.
  std::optional<std::int64_t> Thousandths(std::string_view name);
  // "1h30m", or seconds.
  std::optional<Duration> Length(std::string_view name);
  // A point of time as ParseInstant reads it.
  std::optional<Instant> Time(std::string_view name);
  Instant RequiredTime(std::string_view name);
  // A point of time, or seconds from any origin, which are taken as from 1970.
  std::optional<Instant> Moment(std::string_view name);
  bool Flag(std::string_view name, bool fallback);  // true, yes, 1; false, no, 0

  // Keeps the first. `what` follows the field's text: "'x' is no number".
  void Fail(std::string_view name, const std::string& what);
  bool failed() const { return problem_.has_value(); }
  // What the row would have added, should it be refused: to be told before anything can fail.
  void WouldTake(std::int64_t gpus, std::optional<Duration> run);

  // For the next row.
  void Reset();
  // The refusal of a row that failed. REQUIRES: failed()
  RefusedJob Refusal(std::int64_t line, std::string_view raw) const;

 private:
  struct Problem {
    std::string field, reason;
  };
  Lookup lookup_;
  std::optional<Problem> problem_;
  std::optional<GpuHours> gpu_time_;
};

// A decimal from 0 to a trillion in thousandths, half to even; null for what is none.
std::optional<std::int64_t> ParseThousandths(std::string_view text);
// A decimal count of seconds as milliseconds; null for what is none, or beyond a century.
std::optional<Duration> ParseSeconds(std::string_view text);

}  // namespace plimsoll
