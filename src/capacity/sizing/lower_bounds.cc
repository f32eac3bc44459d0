#include "capacity/sizing/lower_bounds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

std::int64_t CeilDiv(int128 numerator, int128 denominator) {
  const int128 quotient = (numerator + denominator - 1) / denominator;
  PLIMSOLL_CHECK(quotient <= std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(quotient);
}

struct Held {
  Instant begin, until;
  std::int64_t amount = 0;
};

struct Peak {
  std::int64_t amount = 0;
  Instant at;
};

// The most that is held at once; what ends at a time is gone before what begins then.
Peak PeakOfHeld(const std::vector<Held>& held) {
  std::vector<std::pair<Instant, std::int64_t>> changes;
  changes.reserve(2 * held.size());
  for (const Held& one : held) {
    if (one.begin >= one.until) continue;
    changes.emplace_back(one.begin, one.amount);
    changes.emplace_back(one.until, -one.amount);
  }
  std::sort(changes.begin(), changes.end());  // of one time, the negative ones first
  Peak peak;
  std::int64_t now = 0;
  for (const auto& [at, change] : changes) {
    now += change;
    if (now <= peak.amount) continue;
    peak = {now, at};
  }
  return peak;
}

// The greatest of the values that are shown, of which a prefix can be raised.
class PrefixMaxima {
 public:
  struct Top {
    int128 value = 0;
    std::size_t index = 0;
  };

  explicit PrefixMaxima(const std::vector<int128>& values) {
    while (leaves_ < values.size()) leaves_ *= 2;
    nodes_.assign(2 * leaves_, {-kHidden, 0});
    raised_.assign(2 * leaves_, 0);
    for (std::size_t i = 0; i < values.size(); ++i) nodes_[leaves_ + i] = {values[i] - kHidden, i};
    for (std::size_t i = leaves_; i-- > 1;) Gather(i);
  }

  // Value i, hidden before, with all that raised it.
  void Show(std::size_t i) {
    std::size_t node = leaves_ + i;
    nodes_[node].value += kHidden;
    while ((node /= 2) > 0) Gather(node);
  }
  // Values 0 ... last grow by `by`.
  void Raise(std::size_t last, int128 by) { Raise(1, 0, leaves_, last, by); }
  Top Greatest() const { return nodes_[1]; }

 private:
  static constexpr int128 kHidden = int128{1} << 120;  // more than any work

  void Gather(std::size_t i) {
    const Top& left = nodes_[2 * i];
    const Top& right = nodes_[2 * i + 1];
    nodes_[i] = left.value >= right.value ? left : right;
    nodes_[i].value += raised_[i];
  }
  void Raise(std::size_t node, std::size_t begin, std::size_t end, std::size_t last, int128 by) {
    if (end - 1 <= last) {
      nodes_[node].value += by;
      raised_[node] += by;
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    Raise(2 * node, begin, middle, last, by);
    if (middle <= last) Raise(2 * node + 1, middle, end, last, by);
    Gather(node);
  }

  std::size_t leaves_ = 1;
  std::vector<Top> nodes_;      // of the subtree, with its own raises
  std::vector<int128> raised_;  // of the whole subtree
};

// The interval whose work exceeds most what `gpus` do in it; empty if none does.
struct Excess {
  int128 amount = 0;
  Window interval;
};
Excess WorstExcess(const std::vector<Demand>& by_due, const std::vector<Instant>& releases,
                   std::int64_t gpus) {
  const int128 rate = int128{gpus} * kMilliPerGpu;
  const Instant origin = releases.front();
  std::vector<int128> from;  // rate x t1, and the work of the jobs released from t1 on
  from.reserve(releases.size());
  for (const Instant t : releases) from.push_back(rate * Between(origin, t).base());
  PrefixMaxima maxima(from);
  std::vector<bool> shown(releases.size(), false);
  Excess worst;
  for (const Demand& demand : by_due) {
    const auto found = std::lower_bound(releases.begin(), releases.end(), demand.release);
    const auto at = static_cast<std::size_t>(found - releases.begin());
    // An interval that begins where no job of its own does is one too long.
    if (!shown[at]) maxima.Show(at);
    shown[at] = true;
    maxima.Raise(at, int128{demand.gpu_milli} * demand.run.base());
    const PrefixMaxima::Top top = maxima.Greatest();
    const int128 excess = top.value - rate * Between(origin, *demand.due).base();
    if (excess > worst.amount) worst = {excess, {releases[top.index], *demand.due}};
  }
  return worst;
}

int128 WorkWithin(const std::vector<Demand>& demands, const Window& interval) {
  int128 work = 0;
  for (const Demand& demand : demands) {
    if (demand.release < interval.begin || *demand.due > interval.until) continue;
    work += int128{demand.gpu_milli} * demand.run.base();
  }
  return work;
}

}  // namespace

std::int64_t WorkBound(std::span<const Demand> demands, Duration window, std::int64_t utilization) {
  PLIMSOLL_CHECK(window.base() > 0 && utilization > 0 && utilization <= kPerBillion);
  return CeilDiv(WorkOf(demands) * kPerBillion, int128{window.base()} * utilization * kMilliPerGpu);
}

PeakBound PeakOf(std::span<const Demand> demands) {
  std::vector<Held> held;
  held.reserve(demands.size());
  for (const Demand& demand : demands) {
    held.push_back({demand.release, demand.release + demand.run, demand.start_milli});
  }
  const Peak peak = PeakOfHeld(held);
  return {CeilDiv(peak.amount, kMilliPerGpu), peak.at};
}

DeadlineBound DeadlineBoundOf(std::span<const Demand> demands) {
  DeadlineBound bound;
  std::vector<Demand> by_due;
  std::vector<Instant> releases;
  for (const Demand& demand : demands) {
    if (!demand.due || demand.run <= Duration()) continue;
    if (demand.release + demand.run > *demand.due) {
      ++bound.hopeless;
      continue;
    }
    by_due.push_back(demand);
    releases.push_back(demand.release);
  }
  if (by_due.empty()) return bound;
  std::stable_sort(by_due.begin(), by_due.end(),
                   [](const Demand& a, const Demand& b) { return *a.due < *b.due; });
  std::sort(releases.begin(), releases.end());
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  // Newton's (Dinkelbach's): the worst interval at m GPUs asks for more; with them, look again.
  for (;;) {
    const Excess worst = WorstExcess(by_due, releases, bound.gpus);
    if (worst.amount <= 0) return bound;
    const std::int64_t gpus = CeilDiv(WorkWithin(by_due, worst.interval),
                                      int128{worst.interval.length().base()} * kMilliPerGpu);
    PLIMSOLL_CHECK(gpus > bound.gpus);
    bound.gpus = gpus;
    bound.interval = worst.interval;
  }
}

std::vector<GangBound> GangBounds(std::span<const Demand> demands) {
  std::map<std::pair<FlavorSet, std::optional<std::uint32_t>>, std::int64_t> largest;
  for (const Demand& demand : demands) {
    std::int64_t& milli = largest[{demand.flavors, demand.level}];
    milli = std::max(milli, demand.start_milli);
  }
  std::vector<GangBound> bounds;
  for (const auto& [key, milli] : largest) {
    bounds.push_back({key.first, key.second, CeilDiv(milli, kMilliPerGpu)});
  }
  return bounds;
}

std::optional<BinBound> BinBoundOf(std::span<const Demand> demands, std::uint32_t level,
                                   std::int64_t domain_gpus) {
  PLIMSOLL_CHECK(domain_gpus > 0);
  const std::int64_t domain = domain_gpus * kMilliPerGpu;
  std::vector<Held> held;
  std::set<std::int64_t> sizes;
  for (const Demand& demand : demands) {
    if (demand.level != level) continue;
    if (demand.start_milli > domain) return std::nullopt;
    held.push_back({demand.release, demand.release + demand.run, demand.start_milli});
    sizes.insert(demand.start_milli);
  }
  BinBound bound{CeilDiv(PeakOfHeld(held).amount, domain), 0};
  for (const std::int64_t size : sizes) {
    std::vector<Held> gangs;
    for (const Held& one : held) {
      if (one.amount >= size) gangs.push_back({one.begin, one.until, 1});
    }
    const std::int64_t domains = CeilDiv(PeakOfHeld(gangs).amount, domain / size);
    if (domains > bound.domains) bound = {domains, CeilDiv(size, kMilliPerGpu)};
  }
  return bound;
}

std::vector<PinnedBound> PinnedBounds(std::span<const Demand> demands) {
  std::set<FlavorSet> sets;
  for (const Demand& demand : demands) sets.insert(demand.flavors);
  const Duration window = ReleaseWindow(demands).length();
  std::vector<PinnedBound> bounds;
  for (const FlavorSet set : sets) {
    std::vector<Demand> pinned;
    PinnedBound bound{set, 0, 0, 0, {}, {}};
    for (const Demand& demand : demands) {
      if ((demand.flavors & ~set) != 0) continue;
      pinned.push_back(demand);
      bound.gang = std::max(bound.gang, CeilDiv(demand.start_milli, kMilliPerGpu));
    }
    bound.jobs = static_cast<std::int64_t>(pinned.size());
    if (window > Duration()) bound.work = WorkBound(pinned, window, kPerBillion);
    bound.peak = PeakOf(pinned);
    bound.deadline = DeadlineBoundOf(pinned);
    bounds.push_back(bound);
  }
  return bounds;
}

}  // namespace plimsoll
