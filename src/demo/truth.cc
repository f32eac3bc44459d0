#include "demo/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

// GPU time is counted in parts: 1/700 of a card for a minute (sevenths x percents).
constexpr std::int64_t kPartsPerCard = 700;
constexpr std::int64_t kPercent = 100;
constexpr std::int64_t kMinutesPerHour = 60;
constexpr std::int64_t kMinutesPerStep = 5;
constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

int128 DivideExactly(int128 numerator, int128 denominator) {
  PLIMSOLL_CHECK(numerator % denominator == 0);
  return numerator / denominator;
}

using ClassParts = std::array<std::int64_t, kCostClassCount>;

std::int64_t& PartsOf(ClassParts& parts, CostClass c) { return parts[static_cast<std::size_t>(c)]; }

// One node in one hour.
struct NodeHour {
  std::map<std::size_t, ClassParts> parts;      // by hold; kNobody
  std::map<std::size_t, std::int64_t> minutes;  // held, by hold
  std::int64_t provisioned = 0;                 // minutes
  int128 cost = 0;                              // nanos
};

class Accountant {
 public:
  Accountant(const DemoFleet& fleet, DemoTruth& truth) : fleet_(fleet), truth_(truth) {
    hours_.resize(fleet.nodes.size());
    for (auto& hours : hours_) {
      hours.resize(static_cast<std::size_t>(fleet.window.length().base() / Hours(1).base()));
    }
  }

  void ReadBills() {
    for (const DemoBill& bill : fleet_.bills) {
      for (const DemoCharge& charge : bill.charges) {
        DemoTotal& total = truth_.totals[{bill.issuer, bill.account, bill.currency,
                                          MonthOf(charge.period.begin), charge.category}];
        total.billed += charge.billed;
        total.effective += charge.effective;
        if (charge.node) {
          hours_[*charge.node][HourOf(charge.period.begin)].cost += charge.effective.nanos();
        } else if (charge.effective != Money()) {
          Line(charge.who, CostClass::kNone, "").cost += charge.effective;
        }
      }
    }
  }

  void ReadNode(std::size_t node) {
    for (std::size_t unit = 0; unit < fleet_.nodes[node].units.size(); ++unit) {
      for (std::size_t i = 0; i < fleet_.twelfths(); ++i) ReadTwelfth(node, unit, i);
    }
    for (std::size_t i = 0; i < fleet_.twelfths(); ++i) Strand(node, i);
    for (std::size_t hold = 0; hold < fleet_.holds.size(); ++hold) {
      if (fleet_.holds[hold].node == node) ReadMinutes(node, hold);
    }
    for (NodeHour& hour : hours_[node]) Settle(fleet_.nodes[node], hour);
  }

 private:
  std::size_t HourOf(Instant t) const {
    return static_cast<std::size_t>(Between(fleet_.window.begin, t).base() / Hours(1).base());
  }
  Window SpanOf(std::size_t hold) const { return fleet_.holds[hold].span(fleet_.window.until); }
  Window LifeOf(const DemoNode& node) const {
    return Intersect({node.begin, node.until.value_or(fleet_.window.until)}, fleet_.window);
  }
  DemoValue& Line(const std::string& who, CostClass c, const std::string& node) {
    return truth_.lines[{who, c, node}];
  }

  bool Sampled(const DemoNode& node, std::size_t card, std::size_t i) const {
    for (const std::size_t unit : node.cards[card].units) {
      if (node.units[unit].percent[i] != kNoSample) return true;
    }
    return false;
  }
  bool SiblingSampled(const DemoNode& node, std::size_t card, std::size_t i) const {
    for (std::size_t other = 0; other < node.cards.size(); ++other) {
      if (other != card && Sampled(node, other, i)) return true;
    }
    return false;
  }
  bool HeldIn(const DemoUnit& unit, Window span) const {
    return std::any_of(unit.holds.begin(), unit.holds.end(),
                       [&](std::size_t hold) { return !Intersect(SpanOf(hold), span).empty(); });
  }
  bool CardHeldIn(const DemoNode& node, std::size_t card, Window span) const {
    const std::vector<std::size_t>& units = node.cards[card].units;
    return std::any_of(units.begin(), units.end(),
                       [&](std::size_t unit) { return HeldIn(node.units[unit], span); });
  }

  CostClass UnheldClass(const DemoNode& node, const DemoUnit& unit, std::size_t i) const {
    const Window twelfth{fleet_.grid(i), fleet_.grid(i) + kDemoStep};
    if (!Sampled(node, unit.card, i) && SiblingSampled(node, unit.card, i) &&
        !CardHeldIn(node, unit.card, twelfth)) {
      return CostClass::kUnavailable;
    }
    const std::uint8_t percent = unit.percent[i];
    const bool busy = percent != kNoSample && percent >= 1 && !HeldIn(unit, twelfth);
    return busy ? CostClass::kBusyUnattributed : CostClass::kWaste;
  }

  void ReadTwelfth(std::size_t node_index, std::size_t unit_index, std::size_t i) {
    const DemoNode& node = fleet_.nodes[node_index];
    const DemoUnit& unit = node.units[unit_index];
    const Window life = LifeOf(node);
    NodeHour& hour = hours_[node_index][HourOf(fleet_.grid(i))];
    const std::int64_t whole = unit.sevenths * kPercent;
    for (std::int64_t minute = 0; minute < kMinutesPerStep; ++minute) {
      const Instant t = fleet_.grid(i) + Minutes(minute);
      if (!life.contains(t)) continue;
      const auto held = std::find_if(unit.holds.begin(), unit.holds.end(),
                                     [&](std::size_t hold) { return SpanOf(hold).contains(t); });
      if (held == unit.holds.end()) {
        PartsOf(hour.parts[kNobody], UnheldClass(node, unit, i)) += whole;
        continue;
      }
      ClassParts& parts = hour.parts[*held];
      if (t < fleet_.holds[*held].ready) {
        PartsOf(parts, CostClass::kStartup) += whole;
      } else if (unit.percent[i] == kNoSample) {
        PartsOf(parts, CostClass::kUsageUnknown) += whole;
      } else {
        const std::int64_t used = unit.sevenths * unit.percent[i];
        PartsOf(parts, CostClass::kUsed) += used;
        PartsOf(parts, CostClass::kUnused) += whole - used;
      }
    }
  }

  // Least cards of one node that something of the cluster waited for in all of the twelfth; 0
  // if something waited that is not whole cards, or nothing did.
  std::int64_t LeastWaiting(bool is_slurm, std::size_t i) const {
    const Window twelfth{fleet_.grid(i), fleet_.grid(i) + kDemoStep};
    std::int64_t least = 0;
    bool any_slice = false;
    const auto see = [&](Instant from, std::optional<Instant> bound, std::int64_t cards,
                         bool is_whole) {
      if (cards == 0 || from > twelfth.begin || (bound && *bound < twelfth.until)) return;
      any_slice = any_slice || !is_whole;
      least = least == 0 ? cards : std::min(least, cards);
    };
    for (const DemoPod& pod : fleet_.pods) {
      if (is_slurm) break;
      const bool is_bound = pod.hold.has_value();
      see(pod.created, is_bound ? std::optional(fleet_.holds[*pod.hold].bind) : std::nullopt,
          pod.count, pod.resource == "nvidia.com/gpu");
    }
    for (const DemoJob& job : fleet_.jobs) {
      if (!is_slurm) break;
      const bool is_bound = !job.holds.empty();
      see(job.submit, is_bound ? std::optional(fleet_.holds[job.holds[0]].bind) : std::nullopt,
          job.gpus_per_node, true);
    }
    return any_slice ? 0 : least;
  }

  // What of a card is waste in a twelfth: whole while nothing holds any part of it, else shared.
  struct CardWaste {
    std::int64_t whole = 0, shared = 0;  // parts
  };
  CardWaste WasteOf(const DemoNode& node, const DemoCard& card, std::size_t i) const {
    CardWaste waste;
    for (std::int64_t minute = 0; minute < kMinutesPerStep; ++minute) {
      const Instant t = fleet_.grid(i) + Minutes(minute);
      if (!LifeOf(node).contains(t)) continue;
      const Window moment{t, t + Minutes(1)};
      std::int64_t parts = 0;
      bool is_held = false;
      for (const std::size_t unit : card.units) {
        if (HeldIn(node.units[unit], moment)) {
          is_held = true;
        } else if (UnheldClass(node, node.units[unit], i) == CostClass::kWaste) {
          parts += node.units[unit].sevenths * kPercent;
        }
      }
      (is_held ? waste.shared : waste.whole) += parts;
    }
    return waste;
  }

  void Strand(std::size_t node_index, std::size_t i) {
    const DemoNode& node = fleet_.nodes[node_index];
    const auto [known, is_new] = least_waiting_.try_emplace({node.slurm(), i}, 0);
    if (is_new) known->second = LeastWaiting(node.slurm(), i);
    if (known->second == 0) return;
    CardWaste sum;
    std::int64_t free = 0;
    for (const DemoCard& card : node.cards) {
      const CardWaste waste = WasteOf(node, card, i);
      sum.whole += waste.whole;
      sum.shared += waste.shared;
      if (waste.whole > 0) ++free;
    }
    constexpr std::int64_t kCard = kPartsPerCard * kMinutesPerStep;
    const std::int64_t left = (sum.whole + sum.shared + kCard - 1) / kCard;
    const bool fits = std::min(free, left) >= known->second;
    const std::int64_t stranded = sum.shared + (fits ? 0 : sum.whole);
    ClassParts& parts = hours_[node_index][HourOf(fleet_.grid(i))].parts[kNobody];
    PartsOf(parts, CostClass::kWaste) -= stranded;
    PartsOf(parts, CostClass::kStranded) += stranded;
  }

  void ReadMinutes(std::size_t node, std::size_t hold) {
    const Window span = Intersect(SpanOf(hold), LifeOf(fleet_.nodes[node]));
    for (Instant t = span.begin; t < span.until; t = t + Minutes(1)) {
      ++hours_[node][HourOf(t)].minutes[hold];
    }
  }

  // Divides the hour's cost and checks that nothing is left over.
  void Settle(const DemoNode& node, NodeHour& hour) {
    const Window life = LifeOf(node);
    const auto index = static_cast<std::int64_t>(&hour - hours_[NodeIndex(node)].data());
    const Instant begin = fleet_.window.begin + Hours(index);
    hour.provisioned = std::max<std::int64_t>(
        0, Intersect(life, {begin, begin + Hours(1)}).length().base() / Minutes(1).base());
    if (hour.provisioned == 0) {
      PLIMSOLL_CHECK(hour.cost == 0 && hour.minutes.empty());
      return;
    }
    const int128 price =
        DivideExactly(hour.cost * kMinutesPerHour, int128{node.shape.weights()} * hour.provisioned);
    PLIMSOLL_CHECK(price > 0 && price % kExactNanos == 0);
    int128 left = hour.cost;
    std::int64_t parts_left = node.shape.gpus * kPartsPerCard * hour.provisioned;
    std::map<std::pair<std::string, CostClass>, std::int64_t> by_workload;
    for (const auto& [hold, parts] : hour.parts) {
      for (std::size_t c = 0; c < kCostClassCount; ++c) {
        if (parts[c] == 0) continue;
        const bool nobody = hold == kNobody;
        const std::string& who = nobody ? nobody_ : fleet_.holds[hold].who;
        by_workload[{nobody ? nobody_ : fleet_.holds[hold].workload, static_cast<CostClass>(c)}] +=
            parts[c];
        DemoValue& line = Line(who, static_cast<CostClass>(c), node.name);
        gpu_parts_[{who, static_cast<CostClass>(c), node.name}] += parts[c];
        // 90 x price a card-hour; a card-hour is 700 x 60 parts.
        const int128 cost = DivideExactly(price * 90 * parts[c], kPartsPerCard * kMinutesPerHour);
        line.cost += Money::FromNanos(cost);
        left -= cost;
        parts_left -= parts[c];
      }
    }
    PLIMSOLL_CHECK(parts_left == 0);
    for (const auto& [key, parts] : by_workload) {
      DivideExactly(int128{parts} * Minutes(1).base(), kPartsPerCard);  // whole milliseconds
    }
    left -= SettleHolds(node, hour, price);
    PLIMSOLL_CHECK(left >= 0);
    Line("", CostClass::kWaste, node.name).cost += Money::FromNanos(left);
  }

  // CPU and memory of the holders; returns their cost.
  int128 SettleHolds(const DemoNode& node, const NodeHour& hour, int128 price) {
    int128 spent = 0;
    std::int64_t cpu_minutes = 0, gib_minutes = 0;
    for (const auto& [hold, minutes] : hour.minutes) {
      const DemoHold& holder = fleet_.holds[hold];
      cpu_minutes += holder.cpu * minutes;
      gib_minutes += holder.gib * minutes;
      ClassParts parts{};
      const auto found = hour.parts.find(hold);
      if (found != hour.parts.end()) parts = found->second;
      std::int64_t all = 0;
      for (const std::int64_t p : parts) all += p;
      if (all == 0) {
        PLIMSOLL_CHECK(holder.units.empty());
        PartsOf(parts, CostClass::kNone) = all = 1;
      }
      for (std::size_t c = 0; c < kCostClassCount; ++c) {
        const int128 share = price * minutes * parts[c];
        const int128 cost = DivideExactly(share * 9 * holder.cpu, int128{all} * kMinutesPerHour) +
                            DivideExactly(share * holder.gib, int128{all} * kMinutesPerHour);
        if (cost == 0) continue;
        Line(holder.who, static_cast<CostClass>(c), node.name).cost += Money::FromNanos(cost);
        spent += cost;
      }
    }
    PLIMSOLL_CHECK(cpu_minutes <= node.shape.cpu * hour.provisioned);
    PLIMSOLL_CHECK(gib_minutes <= node.shape.gib * hour.provisioned);
    return spent;
  }

  std::size_t NodeIndex(const DemoNode& node) const {
    return static_cast<std::size_t>(&node - fleet_.nodes.data());
  }

 public:
  void Finish() {
    for (const auto& [key, parts] : gpu_parts_) {
      const int128 ms = DivideExactly(int128{parts} * Minutes(1).base(), kPartsPerCard);
      truth_.lines[key].gpu_time = GpuMillis(static_cast<std::int64_t>(ms));
    }
    std::erase_if(truth_.lines, [](const auto& line) { return line.second == DemoValue{}; });
  }

 private:
  const DemoFleet& fleet_;
  DemoTruth& truth_;
  const std::string nobody_;
  std::vector<std::vector<NodeHour>> hours_;  // by node, hour of the window
  std::map<DemoKey, std::int64_t> gpu_parts_;
  std::map<std::pair<bool, std::size_t>, std::int64_t> least_waiting_;  // by is_slurm, twelfth
};

std::string Describe(const DemoKey& key) {
  return fmt::format("{}, class {}, {}", key.who.empty() ? "nobody" : key.who,
                     NameOf(key.cost_class), key.node.empty() ? "no node" : "node " + key.node);
}

std::string Describe(const DemoTotalKey& key) {
  return fmt::format("{} / {} / {} / {}, {}", key.issuer, key.account, key.currency,
                     ToString(key.period), key.category);
}

void Compare(const DemoKey& key, const DemoValue& truth, const DemoValue& result,
             std::vector<std::string>& differences) {
  if (truth.gpu_time != result.gpu_time) {
    differences.push_back(fmt::format("{}: GPU time is {} ms, the ledger says {} ms ({:+})",
                                      Describe(key), truth.gpu_time.base(), result.gpu_time.base(),
                                      (result.gpu_time - truth.gpu_time).base()));
  }
  if (truth.cost != result.cost) {
    differences.push_back(fmt::format("{}: cost is {}, the ledger says {} (by {})", Describe(key),
                                      truth.cost.ToString(), result.cost.ToString(),
                                      (result.cost - truth.cost).ToString()));
  }
}

void Compare(const DemoTotalKey& key, const DemoTotal& truth, const DemoTotal& result,
             std::vector<std::string>& differences) {
  const auto compare = [&](const char* what, Money expected, Money actual) {
    if (expected == actual) return;
    differences.push_back(fmt::format("{}: {} cost is {}, the ledger says {} (by {})",
                                      Describe(key), what, expected.ToString(), actual.ToString(),
                                      (actual - expected).ToString()));
  };
  compare("billed", truth.billed, result.billed);
  compare("effective", truth.effective, result.effective);
}

// Names the fields of the two that differ.
struct Figure {
  const char* name;
  std::int64_t truth = 0, result = 0;
};
void CompareFigures(const std::string& what, const std::vector<Figure>& figures,
                    std::vector<std::string>& differences) {
  for (const Figure& figure : figures) {
    if (figure.truth == figure.result) continue;
    differences.push_back(fmt::format("{}: {} is {}, Plimsoll says {} ({:+})", what, figure.name,
                                      figure.truth, figure.result, figure.result - figure.truth));
  }
}

void Compare(const std::string& run, const DemoRunTruth& truth, const DemoRunTruth& result,
             std::vector<std::string>& differences) {
  const auto time = [](const char* name, GpuHours expected, GpuHours actual) {
    return Figure{name, expected.base(), actual.base()};
  };
  CompareFigures("run " + run,
                 {time("allocated ms", truth.allocated, result.allocated),
                  time("effective ms", truth.effective, result.effective),
                  time("startup ms", truth.startup, result.startup),
                  time("data_stall ms", truth.data_stall, result.data_stall),
                  time("checkpoint ms", truth.checkpoint, result.checkpoint),
                  time("recomputation ms", truth.recomputation, result.recomputation),
                  time("hang ms", truth.hang, result.hang),
                  time("restart ms", truth.restart, result.restart),
                  time("unknown ms", truth.unknown, result.unknown),
                  {"failures", truth.failures, result.failures},
                  {"samples", truth.samples, result.samples},
                  {"tokens", truth.tokens, result.tokens}},
                 differences);
}

void Compare(const std::string& service, const DemoServiceTruth& truth,
             const DemoServiceTruth& result, std::vector<std::string>& differences) {
  CompareFigures("service " + service,
                 {{"requests", truth.requests, result.requests},
                  {"good", truth.good, result.good},
                  {"input_tokens", truth.input_tokens, result.input_tokens},
                  {"cached_tokens", truth.cached_tokens, result.cached_tokens},
                  {"tokens", truth.tokens, result.tokens},
                  {"tokens_good", truth.tokens_good, result.tokens_good}},
                 differences);
}

void Compare(const std::string& currency, const DemoSpotTruth& truth, const DemoSpotTruth& result,
             std::vector<std::string>& differences) {
  const auto compare = [&](const char* what, Money expected, Money actual) {
    if (expected == actual) return;
    differences.push_back(fmt::format("spot in {}: {} is {}, Plimsoll says {} (by {})", currency,
                                      what, expected.ToString(), actual.ToString(),
                                      (actual - expected).ToString()));
  };
  compare("cost", truth.effective, result.effective);
  compare("gross saving", truth.gross, result.gross);
  compare("recomputation", truth.recomputation, result.recomputation);
  compare("restart", truth.restart, result.restart);
  CompareFigures("spot in " + currency, {{"evictions", truth.evictions, result.evictions}},
                 differences);
}

// Walks the keys of both maps in order; a missing key has the value zero.
template <class Map>
void CompareMaps(const Map& truth, const Map& result, std::vector<std::string>& differences) {
  const typename Map::mapped_type zero{};
  auto t = truth.begin();
  auto r = result.begin();
  while (t != truth.end() || r != result.end()) {
    if (r == result.end() || (t != truth.end() && t->first < r->first)) {
      Compare(t->first, t->second, zero, differences);
      ++t;
    } else if (t == truth.end() || r->first < t->first) {
      Compare(r->first, zero, r->second, differences);
      ++r;
    } else {
      Compare(t->first, t->second, r->second, differences);
      ++t;
      ++r;
    }
  }
}

void AddSpotCharges(const DemoFleet& fleet, DemoTruth& truth) {
  for (const DemoBill& bill : fleet.bills) {
    for (const DemoCharge& charge : bill.charges) {
      if (charge.pricing_category != "Dynamic") continue;
      DemoSpotTruth& spot = truth.spot[bill.currency];
      spot.effective += charge.effective;
      spot.gross += charge.list - charge.effective;
    }
  }
}

// At the list price of the node: a GPU carries its part of all the node's weights.
Money AtListPrice(const DemoNode& node, GpuHours lost) {
  const int128 hourly = int128{node.shape.weights()} * node.list_price;
  return Money::FromNanos(
      DivideHalfEven(hourly * lost.base(), int128{node.shape.gpus} * Hours(1).base()));
}

void AddEvictions(const DemoFleet& fleet, DemoSpotTruth& spot) {
  std::map<std::size_t, DemoEvictionLoss> lost;
  for (const DemoRun& run : fleet.runs) {
    for (const auto& [node, loss] : run.lost) {
      lost[node].recomputation += loss.recomputation;
      lost[node].restart += loss.restart;
    }
  }
  for (const auto& [node, loss] : lost) {
    spot.recomputation += AtListPrice(fleet.nodes[node], loss.recomputation);
    spot.restart += AtListPrice(fleet.nodes[node], loss.restart);
  }
  std::set<std::size_t> taken;
  for (const DemoPod& pod : fleet.pods) {
    if (pod.end_reason != "Evicted" || !pod.hold || !fleet.holds[*pod.hold].end) continue;
    taken.insert(fleet.holds[*pod.hold].node);
  }
  spot.evictions = std::ssize(taken);
}

}  // namespace

DemoTruth TruthOf(const DemoFleet& fleet) {
  DemoTruth truth;
  Accountant accountant(fleet, truth);
  accountant.ReadBills();
  for (std::size_t node = 0; node < fleet.nodes.size(); ++node) accountant.ReadNode(node);
  accountant.Finish();
  for (const DemoRun& run : fleet.runs) truth.runs[run.id] = run.truth;
  AddSpotCharges(fleet, truth);
  for (auto& [currency, spot] : truth.spot) AddEvictions(fleet, spot);
  if (fleet.service) truth.services[fleet.service->name] = fleet.service->truth;
  return truth;
}

std::vector<std::string> CompareWithTruth(const DemoTruth& truth, const DemoResult& result) {
  std::vector<std::string> differences;
  CompareMaps(truth.lines, result.lines, differences);
  CompareMaps(truth.totals, result.totals, differences);
  CompareMaps(truth.runs, result.runs, differences);
  CompareMaps(truth.services, result.services, differences);
  CompareMaps(truth.spot, result.spot, differences);
  return differences;
}

}  // namespace plimsoll
