#include "purchase/spot/trace_summary.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::int64_t kFarthestUnits = 1'000'000'000'000'000;

// The whole number nearest to the root, by Newton's method from above.
int128 RootOf(int128 square) {
  if (square <= 0) return 0;
  int128 root = square < 4 ? 2 : square / 2;
  for (;;) {
    const int128 next = (root + square / root) / 2;
    if (next >= root) break;
    root = next;
  }
  return square - root * root > root ? root + 1 : root;
}

// Distances are counted in units that keep the sum of ten million squares within 127 bits.
Money DeviationOf(std::span<const TraceOutcome> outcomes, Money mean) {
  int128 farthest = 0;
  for (const TraceOutcome& outcome : outcomes) {
    const int128 distance = outcome.cost.nanos() - mean.nanos();
    farthest = std::max(farthest, distance < 0 ? -distance : distance);
  }
  int128 unit = 1;
  while (farthest / unit > kFarthestUnits) unit *= 10;
  int128 squares = 0;
  for (const TraceOutcome& outcome : outcomes) {
    const int128 distance = DivideHalfEven(outcome.cost.nanos() - mean.nanos(), unit);
    squares += distance * distance;
  }
  const int128 variance = DivideHalfEven(squares, static_cast<int128>(outcomes.size()));
  return Money::FromNanos(RootOf(variance) * unit);
}

// The cheapest cost that `percent` of the starts lie below.
Money PercentileOf(const std::vector<Money>& sorted, std::size_t percent) {
  return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
}

std::uint64_t NextRandom(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

}  // namespace

TraceSummary SummarizeOutcomes(std::span<const TraceOutcome> outcomes, const TraceJob& job) {
  TraceSummary summary;
  summary.starts = static_cast<std::int64_t>(outcomes.size());
  if (outcomes.empty()) return summary;
  std::vector<Money> costs;
  Money sum;
  int128 on_demand = 0, spot = 0;
  for (const TraceOutcome& outcome : outcomes) {
    costs.push_back(outcome.cost);
    sum += outcome.cost;
    on_demand += outcome.on_demand_time.base();
    spot += outcome.spot_time.base();
    summary.late += IsLate(outcome, job) ? 1 : 0;
    summary.unfinished += outcome.done ? 0 : 1;
    summary.preemptions += outcome.preemptions;
  }
  std::sort(costs.begin(), costs.end());
  summary.mean = Money::FromNanos(DivideHalfEven(sum.nanos(), summary.starts));
  summary.sd = DeviationOf(outcomes, summary.mean);
  summary.p90 = PercentileOf(costs, 90);
  summary.p99 = PercentileOf(costs, 99);
  const auto mean_of = [&](int128 total) {
    return Millis(static_cast<std::int64_t>(DivideHalfEven(total, summary.starts)));
  };
  summary.on_demand_time = mean_of(on_demand);
  summary.spot_time = mean_of(spot);
  return summary;
}

std::optional<std::int64_t> GapClosed(Money cost, Money from, Money best) {
  const int128 whole = from.nanos() - best.nanos();
  if (whole <= 0) return std::nullopt;
  return static_cast<std::int64_t>(DivideHalfEven((from.nanos() - cost.nanos()) * kBillion, whole));
}

std::vector<std::int64_t> StartsWithRoom(std::int64_t ticks, Duration gap, Duration deadline) {
  PLIMSOLL_CHECK(gap > Duration());
  const std::int64_t room = (deadline.base() + gap.base() - 1) / gap.base();
  std::vector<std::int64_t> starts;
  for (std::int64_t start = 0; start + room <= ticks; ++start) starts.push_back(start);
  return starts;
}

std::vector<std::int64_t> EvenStarts(std::span<const std::int64_t> starts, std::size_t most) {
  PLIMSOLL_CHECK(most > 0);
  if (starts.size() <= most) return {starts.begin(), starts.end()};
  std::vector<std::int64_t> spread;
  for (std::size_t i = 0; i < most; ++i) spread.push_back(starts[i * starts.size() / most]);
  return spread;
}

std::vector<std::int64_t> RandomStarts(std::span<const std::int64_t> starts, std::int64_t count,
                                       std::uint64_t seed) {
  PLIMSOLL_CHECK(!starts.empty());
  const std::uint64_t size = starts.size();
  const std::uint64_t even = UINT64_MAX - UINT64_MAX % size;  // above it some would come oftener
  std::vector<std::int64_t> drawn;
  while (static_cast<std::int64_t>(drawn.size()) < count) {
    const std::uint64_t random = NextRandom(seed);
    if (random < even) drawn.push_back(starts[random % size]);
  }
  return drawn;
}

}  // namespace plimsoll
