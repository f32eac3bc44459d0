#include "ledger/spot_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "allocation/holding_table.h"
#include "allocation/match.h"
#include "allocation/spread.h"
#include "catalog/price_book.h"
#include "ledger/facts.h"
#include "ledger/query.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr Duration kTakenTolerance = Minutes(10);
constexpr const char* kSpotNodes = "capacity_type:\"spot\"";

using NodeKey = std::pair<std::string, std::string>;  // cluster, node

// The charges of one node over one time.
struct Period {
  Window charge;
  Money effective;            // in the window
  Money whole_effective;      // as written
  std::optional<Money> list;  // in the window; null if a row has none
  Money whole_list;
  std::int64_t rows = 0;
  std::optional<Duration> used;  // that the only row's quantity says
};

struct Asset {
  SpotNode node;
  std::map<Window, Period> periods;
};

// "1.5" hours, if the row is priced by the hour.
std::optional<Duration> QuantityOf(const ChargeBatch& charges, std::size_t row) {
  const std::string& unit = charges.pricing_unit[row];
  const bool is_hours = unit.starts_with("Hour") || unit.starts_with("hour") ||
                        unit.starts_with("Hrs") || unit.starts_with("hrs");
  if (!is_hours) return std::nullopt;
  const Result<ExactDecimal> quantity = ExactDecimal::Parse(charges.pricing_quantity[row]);
  if (!quantity) return std::nullopt;
  const int128 nanos = quantity->RoundHalfEven().nanos();
  const int128 most = int128{Days(366).base()} * Money::kNanosPerUnit;
  if (nanos < 0 || nanos > most / Hours(1).base()) return std::nullopt;
  return Millis(
      static_cast<std::int64_t>(DivideHalfEven(nanos * Hours(1).base(), Money::kNanosPerUnit)));
}

class AssetReader {
 public:
  AssetReader(Ledger& ledger, Window window) : ledger_(ledger), window_(window) {}

  Result<std::map<NodeKey, Asset>> Read(const OccupancyFacts& occupancy) {
    PLIMSOLL_TRY(const ChargeBatch charges, ReadCharges(ledger_.store(), window_));
    PLIMSOLL_TRY(const UsageBatch usage, ReadUsageNodes(ledger_.store(), window_));
    const PriceBatch no_prices;
    const AllocationInput input{charges, occupancy.nodes, occupancy.holdings, occupancy.bindings,
                                usage,   no_prices,       ledger_.catalog()};
    AllocationOptions options = ledger_.options().allocation;
    options.window = window_;
    NodeTable nodes = NodeTable::Gather(input, window_);
    const std::vector<std::int32_t> node_of = MatchCharges(input, options, nodes);
    for (std::size_t row = 0; row < node_of.size(); ++row) {
      if (!IsUsage(charges, row) || !IsAssetCost(charges, row)) continue;
      if (!TouchesWindow(charges, row, window_)) continue;
      const NodeFact* const node = node_of[row] < 0 ? nullptr : &nodes.at(node_of[row]);
      const bool is_spot = charges.pricing_category[row] == "Dynamic" ||
                           (node != nullptr && node->capacity_type == "spot");
      if (is_spot) PLIMSOLL_RETURN_IF_ERROR(Add(charges, row, node));
    }
    for (const NodeFact& fact : nodes.nodes())
      facts_[{fact.cluster.text(), fact.node.text()}] = fact;
    return std::move(assets_);
  }

  // Of every node that the facts name.
  const std::map<NodeKey, NodeFact>& facts() const { return facts_; }

 private:
  Status Add(const ChargeBatch& charges, std::size_t row, const NodeFact* node) {
    const NodeKey key = node != nullptr ? NodeKey(node->cluster.text(), node->node.text())
                                        : NodeKey("", charges.resource_id[row]);
    Asset& asset = assets_[key];
    asset.node.provider = charges.provider[row];
    asset.node.currency = charges.currency[row];
    if (asset.node.instance_type.empty()) asset.node.instance_type = charges.instance_type[row];
    if (asset.node.zone.empty()) {
      asset.node.zone = charges.zone[row].empty() ? charges.region[row] : charges.zone[row];
    }
    const Window charge{charges.charge_begin[row], charges.charge_until[row]};
    const bool is_new = !asset.periods.contains(charge);
    Period& period = asset.periods[charge];
    period.charge = charge;
    if (is_new) period.list = Money();
    ++period.rows;
    period.used = period.rows == 1 ? QuantityOf(charges, row) : std::nullopt;
    period.whole_effective += charges.effective_cost[row];
    PLIMSOLL_TRY(const Money effective, PartInWindow(charges.effective_cost[row], charge, window_));
    period.effective += effective;
    if (!charges.list_cost[row]) period.list.reset();
    if (!period.list) return Ok();
    PLIMSOLL_TRY(const Money list, PartInWindow(*charges.list_cost[row], charge, window_));
    *period.list += list;
    period.whole_list += *charges.list_cost[row];
    return Ok();
  }

  Ledger& ledger_;
  Window window_;
  std::map<NodeKey, Asset> assets_;
  std::map<NodeKey, NodeFact> facts_;
};

// What an instance costs on demand.
class OnDemand {
 public:
  OnDemand(const Catalog& catalog, const PriceBatch& stored, const PriceBatch& configured)
      : book_(std::array<const PriceBatch*, 3>{&catalog.prices(), &stored, &configured}) {}

  // Of `time` within `window`, at the price that is in force when it begins; null if none is.
  Result<std::optional<Money>> Cost(const SpotNode& node, const NodeFact* fact, Window window,
                                    Duration time) const {
    const std::string region = fact != nullptr ? fact->region : "";
    const std::string provider = fact != nullptr ? ProviderOf(*fact) : node.provider;
    const PriceQuery query{.provider = provider,
                           .region = region,
                           .instance_type = node.instance_type,
                           .purchase = "on-demand",
                           .currency = node.currency,
                           .zone = node.zone};
    if (node.instance_type.empty()) return std::optional<Money>();
    const std::optional<PriceMatch> price = book_.Find(query, window.begin);
    if (!price || price->per_seconds <= 0) return std::optional<Money>();
    PLIMSOLL_TRY(const Money cost,
                 CostOf(GpuMillis(time.base()),
                        UnitPrice<GpuHours>{price->amount, GpuSeconds(price->per_seconds)},
                        Rounding::kHalfEven));
    return std::optional(cost);
  }

 private:
  static std::string ProviderOf(const NodeFact& fact) {
    if (fact.provider_id.starts_with("aws://")) return "aws";
    if (fact.provider_id.starts_with("gce://")) return "gcp";
    return fact.provider_id.starts_with("azure://") ? "azure" : "";
  }

  PriceBook book_;
};

// Sets what the node's periods cost, and would have cost on demand.
Status Price(const OnDemand& prices, const NodeFact* fact, Window window, Asset& asset) {
  SpotNode& node = asset.node;
  node.list = Money();
  Instant priced_until = window.begin;  // periods of one time are one; others may overlap
  for (const auto& [charge, period] : asset.periods) {
    node.effective += period.effective;
    if (!node.list) continue;
    if (period.list && period.whole_list != period.whole_effective) {
      *node.list += *period.list;
      continue;
    }
    const Window cut = Intersect(charge, window);
    Window part{std::max(cut.begin, priced_until), cut.until};
    if (fact != nullptr && fact->begin) part.begin = std::max(part.begin, *fact->begin);
    if (fact != nullptr && fact->until) part.until = std::min(part.until, *fact->until);
    if (part.empty()) continue;
    priced_until = part.until;
    Duration time = part.length();
    if (period.used && *period.used < time) time = *period.used;
    PLIMSOLL_TRY(const std::optional<Money> cost, prices.Cost(node, fact, part, time));
    if (!cost) {
      node.list.reset();
      continue;
    }
    *node.list += *cost;
    node.is_list_priced = true;
  }
  if (node.list && node.is_list_priced && *node.list == node.effective) node.list.reset();
  return Ok();
}

// When the node existed in the window; a node whose begin nothing tells, since its first charge.
Duration SeenOf(const Asset& asset, Window window, Instant data_until) {
  const SpotNode& node = asset.node;
  Window seen = window;
  if (node.begin) {
    seen.begin = std::max(seen.begin, *node.begin);
  } else if (!asset.periods.empty()) {
    seen.begin = std::max(seen.begin, asset.periods.begin()->first.begin);
  }
  Instant last = data_until;
  for (const auto& [charge, period] : asset.periods) last = std::max(last, charge.until);
  seen.until = std::min(seen.until, node.until.value_or(last));
  return seen.empty() ? Duration() : seen.length();
}

bool IsCutOff(const std::string& reason) {
  return reason != "Completed" && reason != "Cancelled" && reason != "Timeout" &&
         reason != "OutOfMemory";
}

// Fills in which nodes were taken, and whose work.
void FindTaken(const HoldingBatch& holdings, Window window, Instant data_until,
               std::map<NodeKey, Asset>& assets, std::vector<CutOffWork>& cut_off) {
  for (const std::size_t row : UniqueHoldings(holdings, data_until)) {
    const auto found = assets.find({holdings.cluster[row].text(), holdings.node[row].text()});
    if (found == assets.end() || !IsCutOff(holdings.end_reason[row])) continue;
    SpotNode& node = found->second.node;
    const Instant end = holdings.until[row].value_or(data_until);
    std::optional<Instant> taken = node.until;
    // A scheduler's node keeps its name when the machine under it is another one.
    if (!taken && holdings.end_reason[row] == "NodeLost") taken = end;
    if (!taken || !window.contains(*taken)) continue;
    if (end + kTakenTolerance < *taken || end > *taken + kTakenTolerance) continue;
    node.taken = taken;
    const Window held = Intersect({holdings.begin[row], std::min(end, *taken)}, window);
    if (held.empty() || holdings.devices[row] == 0) continue;
    const std::int64_t den = std::max<std::int64_t>(1, holdings.share_den[row]);
    const int128 time =
        int128{holdings.devices[row]} * holdings.share_num[row] * held.length().base() / den;
    cut_off.push_back({found->first.first, found->first.second, holdings.uid[row],
                       GpuMillis(static_cast<std::int64_t>(time))});
  }
}

// GPU time by team and of nobody, from cost lines; nodes that no charge names cost what their
// lines say.
Status AddLines(Ledger& ledger, Window window, std::map<NodeKey, Asset>& assets) {
  std::set<NodeKey> billed;
  for (const auto& [key, asset] : assets) billed.insert(key);
  PLIMSOLL_TRY(const LedgerTable spot,
               RunQuery(ledger.store(), {window, {"cluster", "node"}, kSpotNodes}));
  std::set<NodeKey> known;
  for (const LedgerRow& row : spot.rows) known.insert({row.keys[0], row.keys[1]});
  const bool is_all = std::all_of(billed.begin(), billed.end(), [&](const NodeKey& key) {
    return known.contains(key) || key.first.empty();
  });
  PLIMSOLL_TRY(const LedgerTable lines,
               RunQuery(ledger.store(),
                        {window,
                         {"cluster", "node", "team", "class", "currency", "provider", "gpu_model"},
                         is_all ? kSpotNodes : ""}));
  for (const LedgerRow& row : lines.rows) {
    const NodeKey key{row.keys[0], row.keys[1]};
    if (key.second.empty() || (!billed.contains(key) && !known.contains(key))) continue;
    SpotNode& node = assets[key].node;
    const auto cost_class = ParseCostClass(row.keys[3]).value_or(CostClass::kNone);
    node.gpu_model = row.keys[6];  // as the catalog names it
    node.gpu_time += row.gpu_time;
    node.team_time[IsHeld(cost_class) ? row.keys[2] : ""] += row.gpu_time;
    if (!IsHeld(cost_class)) node.idle_time += row.gpu_time;
    if (billed.contains(key)) continue;
    node.currency = row.keys[4];
    node.provider = row.keys[5];
    node.effective += row.cost;
  }
  return Ok();
}

void Describe(const NodeKey& key, const NodeFact* fact, SpotNode& node) {
  std::tie(node.cluster, node.node) = key;
  if (fact == nullptr) return;
  if (!fact->instance_type.empty()) node.instance_type = fact->instance_type;
  if (!fact->zone.empty()) node.zone = fact->zone;
  if (node.zone.empty()) node.zone = fact->region;
  if (node.gpu_model.empty()) node.gpu_model = fact->gpu_model;
  node.begin = fact->begin;
  node.until = fact->until;
}

// Of a node that no charge names: its price is spot history or on demand, its list cost by price.
Status PriceUnbilled(const OnDemand& prices, const NodeFact* fact, Window window, Asset& asset) {
  SpotNode& node = asset.node;
  Window seen = window;
  if (node.begin) seen.begin = std::max(seen.begin, *node.begin);
  PLIMSOLL_TRY(node.list, prices.Cost(node, fact, seen, node.seen));
  node.is_list_priced = node.list.has_value();
  if (node.list && *node.list == node.effective) node.list.reset();
  return Ok();
}

Result<Money> MonthlyIn(Money monthly, Window window) {
  Money sum;
  for (Instant at = window.begin; at < window.until;) {
    const Window month = MonthOf(at);
    const Window part = Intersect(month, window);
    PLIMSOLL_TRY(const Money amount,
                 CostOf(GpuMillis(part.length().base()),
                        UnitPrice<GpuHours>{monthly, GpuMillis(month.length().base())},
                        Rounding::kHalfEven));
    sum += amount;
    at = month.until;
  }
  return sum;
}

}  // namespace

Result<SpotFacts> ReadSpotFacts(Ledger& ledger, Window window) {
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  PLIMSOLL_TRY(const OccupancyFacts occupancy, ReadOccupancy(ledger.store(), window));
  PLIMSOLL_TRY(const Instant data_until, ledger.DataAsOf());
  AssetReader reader(ledger, window);
  using Assets = std::map<NodeKey, Asset>;
  PLIMSOLL_TRY(Assets assets, reader.Read(occupancy));
  PLIMSOLL_RETURN_IF_ERROR(AddLines(ledger, window, assets));
  PLIMSOLL_TRY(const PriceBatch stored, ReadPrices(ledger.store()));
  const OnDemand prices(ledger.catalog(), stored, ledger.options().prices);
  for (auto& [key, asset] : assets) {
    const auto found = reader.facts().find(key);
    const NodeFact* const fact = found == reader.facts().end() ? nullptr : &found->second;
    Describe(key, fact, asset.node);
    asset.node.seen = SeenOf(asset, window, data_until);
    PLIMSOLL_RETURN_IF_ERROR(asset.periods.empty() ? PriceUnbilled(prices, fact, window, asset)
                                                   : Price(prices, fact, window, asset));
  }
  SpotFacts facts;
  FindTaken(occupancy.holdings, window, data_until, assets, facts.cut_off);
  for (auto& [key, asset] : assets) facts.nodes.push_back(std::move(asset.node));
  return facts;
}

Result<std::vector<SpotDeclared>> DeclaredSpotCosts(Ledger& ledger, Window window,
                                                    const std::string& currency,
                                                    std::span<const SpotCostRule> rules) {
  std::vector<SpotDeclared> declared;
  for (const SpotCostRule& rule : rules) {
    SpotDeclared& one = declared.emplace_back(SpotDeclared{rule.name, rule.kind, {}, rule.filter});
    if (rule.monthly) {
      PLIMSOLL_TRY(one.amount, MonthlyIn(*rule.monthly, window));
      continue;
    }
    const Result<LedgerTable> lines = RunQuery(ledger.store(), {window, {"currency"}, rule.filter});
    if (!lines) {
      return Error{lines.error().code,
                   "spot_costs '" + rule.name + "': filter: " + lines.error().message};
    }
    for (const LedgerRow& row : lines->rows) {
      if (row.keys[0] != currency) continue;
      const int128 percent = Money::Units(100).nanos();
      int128 product = 0;
      if (__builtin_mul_overflow(row.cost.nanos(), rule.share.nanos(), &product)) {
        return Error{ErrorCode::kOutOfRange,
                     "spot_costs '" + rule.name + "': the share exceeds 38 digits"};
      }
      one.amount += Money::FromNanos(DivideHalfEven(product, percent));
    }
  }
  return declared;
}

}  // namespace plimsoll
