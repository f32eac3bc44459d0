#include "allocation/resolve.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace plimsoll {
namespace {

struct Bound {  // one binding row
  std::int32_t node, holder, device, instance;
  Window time;
};

struct Candidate {
  std::int32_t device, instance;
  std::int64_t overlap;  // ms
};

// Shares with no common denominator below this are not packed together on one card.
constexpr std::int64_t kShareDenMax = 1'000'000'000'000;

bool IsMig(const std::string& kind) { return kind.starts_with("mig-"); }

bool Overlaps(const Piece& piece, const HoldingFact& holding) {
  return piece.begin < holding.until && holding.begin < piece.until;
}

// Milliseconds of `times` (any order, may overlap) within [begin, until).
std::int64_t Covered(std::vector<Window>& times, Instant begin, Instant until) {
  std::sort(times.begin(), times.end());
  std::int64_t sum = 0;
  Instant reached = begin;
  for (const Window& time : times) {
    const Window part = Intersect(time, {reached, until});
    if (part.empty()) continue;
    sum += part.length().base();
    reached = part.until;
  }
  return sum;
}

class Resolver {
 public:
  Resolver(const AllocationInput& input, const Window& window, DeviceGrid& devices)
      : input_(input), window_(window), devices_(devices) {}

  void ReadBindings(const NodeTable& nodes);
  void Resolve(std::int32_t node, const HoldingTable& holdings, FindingLog& findings);
  Pieces Take() { return std::move(pieces_); }

 private:
  const std::string& KindOf(const HoldingFact& holding) const {
    return input_.holdings.device_kind[holding.row];
  }
  std::vector<Candidate> CandidatesOf(const HoldingFact& holding);
  std::int64_t TakeBound(const HoldingFact& holding, std::int32_t index);
  bool TakeFree(const HoldingFact& holding, std::int32_t index);
  bool TakeFreeInstance(const HoldingFact& holding, std::int32_t index);
  bool HasRoom(std::int32_t device, const HoldingFact& holding) const;
  void Place(const HoldingFact& holding, std::int32_t index, const Candidate& place,
             bool has_evidence);
  void FindMixed(std::int32_t node, std::span<const HoldingFact> holdings);

  const AllocationInput& input_;
  Window window_;
  DeviceGrid& devices_;
  TextIds holders_;
  std::vector<Bound> bound_;  // by (node, holder, device, instance)
  Pieces pieces_;
};

void Resolver::ReadBindings(const NodeTable& nodes) {
  pieces_.of_device.resize(devices_.size());
  pieces_.mixed.resize(nodes.nodes().size());
  const BindingBatch& b = input_.bindings;
  for (std::size_t i = 0; i < RowsOf(b); ++i) {
    const Window time{b.begin[i], b.until[i]};
    if (b.device[i].empty()) continue;
    // Also evidence outside the window: it tells which card a holder had all along.
    const std::int32_t node = nodes.Find(b.cluster[i], b.node[i]);
    if (node < 0) continue;
    bound_.push_back({node, holders_.OfFields({b.ns[i], b.name[i]}),
                      devices_.Find(node, b.device[i]),
                      b.instance[i].empty() ? -1 : devices_.instances().Of(b.instance[i]), time});
  }
  std::sort(bound_.begin(), bound_.end(), [](const Bound& x, const Bound& y) {
    return std::tie(x.node, x.holder, x.device, x.instance) <
           std::tie(y.node, y.holder, y.device, y.instance);
  });
}

std::vector<Candidate> Resolver::CandidatesOf(const HoldingFact& holding) {
  std::vector<Candidate> candidates;
  const HoldingBatch& h = input_.holdings;
  const std::int32_t holder = holders_.FindFields({h.ns[holding.row], h.name[holding.row]});
  if (holder < 0) return candidates;
  const bool is_mig = IsMig(KindOf(holding));
  const auto by_holder = [](const Bound& x, const Bound& y) {
    return std::tie(x.node, x.holder) < std::tie(y.node, y.holder);
  };
  const Bound probe{holding.node, holder, 0, 0, {}};
  auto [at, end] = std::equal_range(bound_.begin(), bound_.end(), probe, by_holder);
  while (at != end) {
    const Bound& first = *at;
    std::vector<Window> times;
    for (; at != end && at->device == first.device && (!is_mig || at->instance == first.instance);
         ++at) {
      times.push_back(at->time);
    }
    if (is_mig) {
      if (first.instance < 0) continue;
      const std::string& profile = devices_.ProfileOf(first.device, first.instance);
      if (!profile.empty() && KindOf(holding).substr(4) != profile) continue;
    }
    const std::int64_t overlap = Covered(times, holding.begin, holding.until);
    if (overlap > 0) {
      candidates.push_back({first.device, is_mig ? first.instance : -1, overlap});
    }
  }
  std::stable_sort(
      candidates.begin(), candidates.end(), [&](const Candidate& x, const Candidate& y) {
        if (x.overlap != y.overlap) return x.overlap > y.overlap;
        if (x.device != y.device) return x.device < y.device;
        return x.instance >= 0 &&
               devices_.instances().TextOf(x.instance) < devices_.instances().TextOf(y.instance);
      });
  return candidates;
}

void Resolver::Place(const HoldingFact& holding, std::int32_t index, const Candidate& place,
                     bool has_evidence) {
  pieces_.of_device[static_cast<std::size_t>(place.device)].push_back(
      {holding.begin, holding.ready, holding.until, index, holding.workload, place.instance,
       has_evidence, holding.share_num, holding.share_den, holding.used_ppm});
}

// Takes up to the holding's units by evidence; returns how many.
std::int64_t Resolver::TakeBound(const HoldingFact& holding, std::int32_t index) {
  std::int64_t taken = 0;
  for (const Candidate& candidate : CandidatesOf(holding)) {
    if (taken == holding.units) break;
    Place(holding, index, candidate, true);
    ++taken;
  }
  return taken;
}

// True if the device has a unit's share free during the whole holding. Shares are exact:
// compared as fractions over the product of denominators.
bool Resolver::HasRoom(std::int32_t device, const HoldingFact& holding) const {
  const auto& pieces = pieces_.of_device[static_cast<std::size_t>(device)];
  const auto fits_at = [&](Instant t) {
    std::int64_t num = holding.share_num;
    std::int64_t den = holding.share_den;
    for (const Piece& piece : pieces) {
      if (piece.begin > t || piece.until <= t) continue;
      const std::int64_t common = std::gcd(den, piece.share_den);
      int128 sum =
          int128{num} * (piece.share_den / common) + int128{piece.share_num} * (den / common);
      const int128 whole = int128{den} * (piece.share_den / common);
      if (sum > whole || whole > kShareDenMax) return false;
      num = static_cast<std::int64_t>(sum);
      den = static_cast<std::int64_t>(whole);
    }
    return num <= den;
  };
  if (!fits_at(holding.begin)) return false;
  return std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return !Overlaps(piece, holding) || piece.begin <= holding.begin || fits_at(piece.begin);
  });
}

// A free instance of the holding's profile that usage showed and nothing was placed on.
bool Resolver::TakeFreeInstance(const HoldingFact& holding, std::int32_t index) {
  for (std::int32_t id = devices_.first(holding.node); id < devices_.first(holding.node + 1);
       ++id) {
    for (const std::int32_t instance : devices_.InstancesOf(id)) {
      if (devices_.ProfileOf(id, instance) != KindOf(holding).substr(4)) continue;
      const auto& pieces = pieces_.of_device[static_cast<std::size_t>(id)];
      const bool is_taken = std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
        return piece.instance == instance && Overlaps(piece, holding);
      });
      if (is_taken || !HasRoom(id, holding)) continue;
      Place(holding, index, {id, instance, 0}, false);
      return true;
    }
  }
  return false;
}

bool Resolver::TakeFree(const HoldingFact& holding, std::int32_t index) {
  if (IsMig(KindOf(holding)) && TakeFreeInstance(holding, index)) return true;
  for (std::int32_t id = devices_.first(holding.node); id < devices_.first(holding.node + 1);
       ++id) {
    if (!HasRoom(id, holding)) continue;
    Place(holding, index, {id, -1, 0}, false);
    return true;
  }
  return false;
}

void Resolver::Resolve(std::int32_t node, const HoldingTable& holdings, FindingLog& findings) {
  const auto facts = holdings.Of(node);
  const auto base = static_cast<std::int32_t>(holdings.FirstOf(node));
  const auto count = static_cast<std::int32_t>(facts.size());
  std::vector<std::int64_t> taken(facts.size());
  for (std::int32_t i = 0; i < count; ++i) {  // evidence first: it keeps devices from others
    const HoldingFact& holding = facts[static_cast<std::size_t>(i)];
    if (holding.units > 0) taken[static_cast<std::size_t>(i)] = TakeBound(holding, base + i);
  }
  bool is_guessed = false;
  for (std::int32_t i = 0; i < count; ++i) {
    const HoldingFact& holding = facts[static_cast<std::size_t>(i)];
    std::int64_t missing = holding.units - taken[static_cast<std::size_t>(i)];
    for (; missing > 0 && TakeFree(holding, base + i); --missing) is_guessed = true;
    if (missing == 0) continue;
    const HoldingBatch& h = input_.holdings;
    const int128 held = Intersect({holding.begin, holding.until}, window_).length().base();
    findings.Add("over-allocated", h.ns[holding.row].text() + "/" + h.name[holding.row],
                 "asks for more devices than " + h.node[holding.row].text() +
                     " has free; the excess holds nothing",
                 {held * missing * holding.share_num / holding.share_den, {}});
  }
  if (is_guessed) FindMixed(node, facts);
  for (std::int32_t id = devices_.first(node); id < devices_.first(node + 1); ++id) {
    auto& pieces = pieces_.of_device[static_cast<std::size_t>(id)];
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return std::tie(a.begin, a.holding) < std::tie(b.begin, b.holding);
    });
  }
}

void Resolver::FindMixed(std::int32_t node, std::span<const HoldingFact> holdings) {
  std::vector<std::tuple<Instant, std::int32_t, std::int32_t>> events;  // time, +-1, workload
  for (const HoldingFact& holding : holdings) {
    if (holding.units == 0) continue;
    events.emplace_back(holding.begin, 1, holding.workload);
    events.emplace_back(holding.until, -1, holding.workload);
  }
  std::sort(events.begin(), events.end());
  std::map<std::int32_t, std::int32_t> held;  // workload -> rows
  auto& mixed = pieces_.mixed[static_cast<std::size_t>(node)];
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& [time, change, workload] = events[i];
    if ((held[workload] += change) == 0) held.erase(workload);
    if (i + 1 == events.size() || held.size() < 2) continue;
    const Window until_next{time, std::get<0>(events[i + 1])};
    if (until_next.empty()) continue;
    if (!mixed.empty() && mixed.back().until == time) {
      mixed.back().until = until_next.until;
    } else {
      mixed.push_back(until_next);
    }
  }
}

}  // namespace

Pieces ResolveHoldings(const AllocationInput& input, const Window& window,
                       const ResolveTables& tables, FindingLog& findings) {
  Resolver resolver(input, window, tables.devices);
  resolver.ReadBindings(tables.nodes);
  const auto count = static_cast<std::int32_t>(tables.nodes.nodes().size());
  for (std::int32_t node = 0; node < count; ++node) {
    resolver.Resolve(node, tables.holdings, findings);
  }
  return resolver.Take();
}

}  // namespace plimsoll
