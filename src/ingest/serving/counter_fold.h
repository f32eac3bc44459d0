// Folds one day's samples of one counter or level to twelfths of an hour, in integers.
//
// A counter's rise between two samples no further apart than the hold is spread evenly between
// them; a fall is a restart, after which it counts from 0. What a longer gap brought is not
// counted. Pure; every rule is free of the order in which samples came.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/usage.h"
#include "units/time.h"

namespace plimsoll {

// `scrape` tells by which of several scrapes of one counter the sample came: their clocks
// differ, so a lower value of another scrape may just be an older reading.
struct ServingSample {
  std::int64_t at_ms = 0;
  std::int64_t value = 0;
  std::int32_t scrape = 0;
  friend auto operator<=>(const ServingSample&, const ServingSample&) = default;
};

inline constexpr std::size_t kSlots = 288;  // twelfths of a day

// What one series, or several added up, counted in a day.
struct DayFold {
  std::array<std::int64_t, kSlots> covered{}, amount{};  // ms; requests, tokens, ns, level x ms
  std::bitset<24> resets;                                // hours in which the counter began anew
  std::bitset<24> doubled;                               // hours in which two scrapes told the same
};

struct FoldWindow {
  Instant day;    // midnight UTC
  Window window;  // what counts, within the day or beyond it
  std::int64_t hold_ms = 0;
};

// Values above these are no counter's and no level's; below them nothing overflows.
inline constexpr std::int64_t kCounterMax = 4'000'000'000'000'000'000;
inline constexpr std::int64_t kLevelMax = 1'000'000'000'000;
constexpr std::int64_t AddSaturating(std::int64_t a, std::int64_t b) {  // REQUIRES: both >= 0
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

// When a target showed a metric, with any label values.
class SeenTimes {
 public:
  void Add(std::int64_t at_ms) {
    sorted_ = sorted_ && (times_.empty() || times_.back() <= at_ms);
    if (times_.empty() || times_.back() != at_ms) times_.push_back(at_ms);
    // Series after series brings the same times: keep them once.
    if (times_.size() >= settle_at_) Settle();
  }
  void Settle();  // before the next three
  void ForgetBefore(std::int64_t at_ms);

  // A counter that is first seen at `at_ms` began at 0 after this time: when its metric was seen
  // before without it, if that had been watched for a fifth of the hold by then. Null: it may
  // be an old counter that is only now read.
  std::optional<std::int64_t> BirthAfter(std::int64_t at_ms, std::int64_t hold_ms) const;
  // True if the metric is not seen from `at_ms` on, for a hold.
  bool IsGone(std::int64_t at_ms, std::int64_t hold_ms) const;

 private:
  static constexpr std::size_t kSettledAtLeast = 4'096;

  std::vector<std::int64_t> times_;
  bool sorted_ = true;
  std::size_t settle_at_ = kSettledAtLeast;
};

// Stretches of time, each told of by some sample.
class TimeSet {
 public:
  void Add(std::int64_t begin, std::int64_t until) { stretches_.emplace_back(begin, until); }
  void Add(const TimeSet& other);  // and puts all in order, for the next two
  bool Contains(std::int64_t at) const;
  std::int64_t NextBegin(std::int64_t at) const;  // at or after; INT64_MAX if none

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> stretches_;
};

// In order of time, of one time the greatest value.
void SortSamples(std::vector<ServingSample>& samples);

// Where a fold puts what it counts. A time that is `taken` (by a better name of the quantity)
// counts nothing; the times that are told of go to `told`.
struct FoldInto {
  DayFold& day;
  const TimeSet& taken;
  TimeSet& told;
};

// What is known of a counter beside its own samples.
struct CounterLife {
  // When one that is first seen at a time began at 0; null: it may be an old one.
  std::function<std::optional<std::int64_t>(std::int64_t at_ms)> birth_of;
  // Times at which its process was first seen after a restart. A counter that is soon back
  // above where it was does not show it.
  const std::set<std::int64_t>& restarts;
};

// The times at which the counter is lower than before, and no older reading. REQUIRES: sorted
std::vector<std::int64_t> FallsOf(std::span<const ServingSample> samples, std::int64_t hold_ms);

// REQUIRES of both: samples in the order of SortSamples. Adds nothing outside the day.
void FoldCounter(std::span<const ServingSample> samples, const CounterLife& life,
                 const FoldWindow& fold, FoldInto into);
// A level holds until the next sample, but no longer than the hold.
void FoldLevel(std::span<const ServingSample> samples, const FoldWindow& fold, FoldInto into);

// Drops samples before `until_ms` without which both folds give the same, of samples that are
// all there are before that time. Those at the times `kept` stay.
struct CompressRules {
  std::int64_t until_ms;
  std::int64_t hold_ms;
  bool is_level;
  const std::set<std::int64_t>& kept;
};
void Compress(std::vector<ServingSample>& samples, const CompressRules& rules);

}  // namespace plimsoll
