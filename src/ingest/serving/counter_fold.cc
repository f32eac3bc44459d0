#include "ingest/serving/counter_fold.h"

#include <algorithm>
#include <iterator>

#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kSlotMs = kTwelfth.base();
constexpr std::int64_t kDayMs = static_cast<std::int64_t>(kSlots) * kSlotMs;

// `amount` spread evenly over [begin, until): each slot gets what the time until its end has
// earned, less what the time until its begin has, so that the parts add up.
struct Stretch {
  std::int64_t begin, until;
  std::int64_t amount;
};

void Spread(const Stretch& stretch, const FoldWindow& fold, FoldInto into) {
  if (into.taken.Contains(stretch.begin + (stretch.until - stretch.begin) / 2)) return;
  into.told.Add(stretch.begin, stretch.until);
  const std::int64_t day = fold.day.base();
  const std::int64_t from = std::max({stretch.begin, fold.window.begin.base(), day});
  const std::int64_t to = std::min({stretch.until, fold.window.until.base(), day + kDayMs});
  const std::int64_t length = stretch.until - stretch.begin;
  const auto earned = [&](std::int64_t at) {
    return static_cast<std::int64_t>(int128{stretch.amount} * (at - stretch.begin) / length);
  };
  for (std::int64_t at = from; at < to;) {
    const std::int64_t slot = (at - day) / kSlotMs;
    const std::int64_t next = std::min(to, day + (slot + 1) * kSlotMs);
    const auto index = static_cast<std::size_t>(slot);
    into.day.covered[index] += next - at;
    into.day.amount[index] = AddSaturating(into.day.amount[index], earned(next) - earned(at));
    at = next;
  }
}

std::optional<std::size_t> HourOf(std::int64_t at_ms, const FoldWindow& fold) {
  const std::int64_t since = at_ms - fold.day.base();
  if (since < 0 || since >= kDayMs || !fold.window.contains(AtMillis(at_ms))) return std::nullopt;
  return static_cast<std::size_t>(since / Hours(1).base());
}

// Tells a restart from an older reading that another scrape brings.
class ScrapeOrder {
 public:
  ScrapeOrder(std::span<const ServingSample> samples, std::int64_t hold_ms)
      : samples_(samples), hold_ms_(hold_ms) {}

  // True if samples[at], lower than samples[base], is no restart of the counter.
  bool IsOlderReading(std::size_t base, std::size_t at) const {
    const ServingSample& now = samples_[at];
    const ServingSample& before = samples_[base];
    if (now.scrape == before.scrape) return false;
    for (std::size_t i = at; i-- > 0 && now.at_ms - samples_[i].at_ms <= hold_ms_;) {
      if (samples_[i].scrape == now.scrape) return samples_[i].value <= now.value;
    }
    // The first sample of its scrape: the other one, if it goes on, tells of a restart itself.
    for (std::size_t i = at + 1;
         i < samples_.size() && samples_[i].at_ms - before.at_ms <= hold_ms_; ++i) {
      if (samples_[i].scrape == before.scrape) return true;
    }
    return false;
  }

  // True if two scrapes speak by turns here.
  bool IsDoubled(std::size_t at) const {
    const ServingSample& now = samples_[at];
    if (at == 0 || samples_[at - 1].scrape == now.scrape) return false;
    for (std::size_t i = at - 1; i-- > 0 && now.at_ms - samples_[i].at_ms <= hold_ms_;) {
      if (samples_[i].scrape == now.scrape) return true;
    }
    return false;
  }

 private:
  std::span<const ServingSample> samples_;
  std::int64_t hold_ms_;
};

}  // namespace

void SeenTimes::Settle() {
  if (!sorted_) std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  sorted_ = true;
  settle_at_ = std::max(kSettledAtLeast, 2 * times_.size());
}

void SeenTimes::ForgetBefore(std::int64_t at_ms) {
  Settle();
  times_.erase(times_.begin(), std::lower_bound(times_.begin(), times_.end(), at_ms));
}

std::optional<std::int64_t> SeenTimes::BirthAfter(std::int64_t at_ms, std::int64_t hold_ms) const {
  const auto now = std::lower_bound(times_.begin(), times_.end(), at_ms);
  if (now == times_.begin()) return std::nullopt;
  const std::int64_t before = *std::prev(now);
  const auto watched = std::upper_bound(times_.begin(), now, at_ms - hold_ms / 5);
  if (watched == times_.begin() || *std::prev(watched) < at_ms - hold_ms) return std::nullopt;
  return before;
}

bool SeenTimes::IsGone(std::int64_t at_ms, std::int64_t hold_ms) const {
  const auto next = std::lower_bound(times_.begin(), times_.end(), at_ms);
  return next == times_.end() || *next > at_ms + hold_ms;
}

void TimeSet::Add(const TimeSet& other) {
  stretches_.insert(stretches_.end(), other.stretches_.begin(), other.stretches_.end());
  std::sort(stretches_.begin(), stretches_.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> joined;
  for (const auto& [begin, until] : stretches_) {
    if (!joined.empty() && begin <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, until);
    } else {
      joined.emplace_back(begin, until);
    }
  }
  stretches_ = std::move(joined);
}

bool TimeSet::Contains(std::int64_t at) const {
  const auto after =
      std::upper_bound(stretches_.begin(), stretches_.end(), std::pair(at, INT64_MAX));
  return after != stretches_.begin() && at < std::prev(after)->second;
}

std::int64_t TimeSet::NextBegin(std::int64_t at) const {
  const auto next =
      std::lower_bound(stretches_.begin(), stretches_.end(), std::pair(at, INT64_MIN));
  return next == stretches_.end() ? INT64_MAX : next->first;
}

void SortSamples(std::vector<ServingSample>& samples) {
  const auto order = [](const ServingSample& a, const ServingSample& b) {
    if (a.at_ms != b.at_ms) return a.at_ms < b.at_ms;
    if (a.value != b.value) return a.value > b.value;
    return a.scrape < b.scrape;
  };
  if (!std::is_sorted(samples.begin(), samples.end(), order)) {
    std::sort(samples.begin(), samples.end(), order);
  }
  samples.erase(std::unique(samples.begin(), samples.end(),
                            [](const auto& a, const auto& b) { return a.at_ms == b.at_ms; }),
                samples.end());
}

std::vector<std::int64_t> FallsOf(std::span<const ServingSample> samples, std::int64_t hold_ms) {
  const ScrapeOrder order(samples, hold_ms);
  std::vector<std::int64_t> falls;
  std::size_t base = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const bool is_near = samples[i].at_ms - samples[base].at_ms <= hold_ms;
    const bool is_lower = samples[i].value < samples[base].value;
    if (is_near && is_lower && order.IsOlderReading(base, i)) continue;
    if (is_near && is_lower) falls.push_back(samples[i].at_ms);
    base = i;
  }
  return falls;
}

void FoldCounter(std::span<const ServingSample> samples, const CounterLife& life,
                 const FoldWindow& fold, FoldInto into) {
  const ScrapeOrder order(samples, fold.hold_ms);
  std::optional<std::size_t> base;  // the reading that the next rise counts from
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const ServingSample& now = samples[i];
    const std::optional<std::size_t> hour = HourOf(now.at_ms, fold);
    if (hour && order.IsDoubled(i)) into.day.doubled.set(*hour);
    const bool is_near = base && now.at_ms - samples[*base].at_ms <= fold.hold_ms;
    if (!is_near) {
      // Nothing in reach: the counter is new, or time is missing.
      const bool is_gap = base && now.at_ms - samples[i - 1].at_ms <= fold.hold_ms;
      const auto birth = is_gap ? std::nullopt : life.birth_of(now.at_ms);
      if (birth) Spread({*birth, now.at_ms, now.value}, fold, into);
      base = i;
      continue;
    }
    const ServingSample& before = samples[*base];
    if (now.value >= before.value) {
      const bool is_new = life.restarts.contains(now.at_ms);
      if (is_new && hour) into.day.resets.set(*hour);
      const std::int64_t from = is_new ? 0 : before.value;
      Spread({before.at_ms, now.at_ms, now.value - from}, fold, into);
      base = i;
    } else if (!order.IsOlderReading(*base, i)) {
      if (hour) into.day.resets.set(*hour);
      Spread({before.at_ms, now.at_ms, now.value}, fold, into);
      base = i;
    }
  }
}

void FoldLevel(std::span<const ServingSample> samples, const FoldWindow& fold, FoldInto into) {
  const std::int64_t day = fold.day.base();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const ServingSample& now = samples[i];
    if (into.taken.Contains(now.at_ms)) continue;
    std::int64_t until = std::min(now.at_ms + fold.hold_ms, into.taken.NextBegin(now.at_ms));
    if (i + 1 < samples.size()) until = std::min(until, samples[i + 1].at_ms);
    into.told.Add(now.at_ms, until);
    const std::int64_t from = std::max({now.at_ms, fold.window.begin.base(), day});
    const std::int64_t to = std::min({until, fold.window.until.base(), day + kDayMs});
    for (std::int64_t at = from; at < to;) {
      const std::int64_t slot = (at - day) / kSlotMs;
      const std::int64_t next = std::min(to, day + (slot + 1) * kSlotMs);
      const auto index = static_cast<std::size_t>(slot);
      into.day.covered[index] += next - at;
      into.day.amount[index] = AddSaturating(into.day.amount[index], now.value * (next - at));
      at = next;
    }
  }
}

void Compress(std::vector<ServingSample>& samples, const CompressRules& rules) {
  SortSamples(samples);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const ServingSample now = samples[i];
    if (kept > 0 && i + 1 < samples.size() && samples[i + 1].at_ms < rules.until_ms) {
      const ServingSample& before = samples[kept - 1];
      const ServingSample& after = samples[i + 1];
      const bool same_scrape = before.scrape == now.scrape && now.scrape == after.scrape;
      const bool near = after.at_ms - before.at_ms <= rules.hold_ms;
      const bool same_slot =
          FloorTo(AtMillis(before.at_ms), kTwelfth) == FloorTo(AtMillis(after.at_ms), kTwelfth);
      const bool between = before.value <= now.value && now.value <= after.value;
      const bool plain = rules.is_level ? before.value == now.value : between && same_slot;
      // The reading before a restart is the last that counts on what was before.
      const bool at_restart = rules.kept.contains(now.at_ms) || rules.kept.contains(after.at_ms);
      if (same_scrape && near && plain && !at_restart) continue;
    }
    samples[kept++] = now;
  }
  samples.resize(kept);
}

}  // namespace plimsoll
