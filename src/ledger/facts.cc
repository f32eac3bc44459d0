#include "ledger/facts.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/row_hash.h"
#include "store/select.h"

namespace plimsoll {
namespace {

template <class Batch>
Result<Batch> ReadActive(Store& store, const std::string& table, const std::string& condition,
                         const SqlParams& params) {
  return Query<Batch>(
      store, "SELECT " + ColumnsSql<Batch>() + " FROM active_" + table + " WHERE " + condition,
      params);
}

// Of (until, begin, begin) of a window. An instant charge (begin = until) belongs to its hour.
constexpr char kChargeTouches[] =
    "charge_begin < ? AND (charge_until > ? OR (charge_until = charge_begin AND "
    "charge_begin >= ?))";

// A bill names machines that their cluster has forgotten, or does not know yet: a billing
// period and its settlement around the day.
constexpr Duration kNodeMargin = Days(45);
Window NodesAround(Window window) {
  return {window.begin - kNodeMargin, window.until + kNodeMargin};
}

struct BilledRows {
  std::vector<std::string> id, name;
  std::vector<Instant> begin, until;
  static constexpr std::tuple kColumns{
      MakeColumn("resource_id", &BilledRows::id),
      MakeColumn("resource_name", &BilledRows::name),
      MakeColumn("begin_at", &BilledRows::begin),
      MakeColumn("until_at", &BilledRows::until),
  };
};

struct UsedNodes {
  std::vector<Symbol> cluster, node;
  std::vector<Instant> hour;
  static constexpr std::tuple kColumns{
      MakeColumn("cluster", &UsedNodes::cluster),
      MakeColumn("node", &UsedNodes::node),
      MakeColumn("hour", &UsedNodes::hour),
  };
};

struct ActiveSnapshots {
  std::vector<std::int64_t> id;
  std::vector<std::string> name, hash;
  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &ActiveSnapshots::id),
      MakeColumn("name", &ActiveSnapshots::name),
      MakeColumn("content_hash", &ActiveSnapshots::hash),
  };
};

bool Touches(const NodeBatch& nodes, std::size_t row, Window window) {
  return (!nodes.begin[row] || *nodes.begin[row] < window.until) &&
         (!nodes.until[row] || *nodes.until[row] > window.begin);
}

// Waiting counts too: it tells which free GPUs were of no use.
bool Touches(const HoldingBatch& holdings, std::size_t row, Window window) {
  const Instant from =
      std::min(holdings.queued[row].value_or(holdings.begin[row]), holdings.begin[row]);
  return from < window.until && (!holdings.until[row] || *holdings.until[row] > window.begin);
}

bool Touches(const BindingBatch& bindings, std::size_t row, Window window) {
  return bindings.begin[row] < window.until && bindings.until[row] > window.begin;
}

// Changes up to `until` that still say something from `begin` on: of each key those within, the
// last one before, and of equal ones before that the first, for the state began with it. What
// was seen later says no more about this time.
template <class Batch, class KeyOf, class Same>
Batch InForce(const Batch& rows, Window window, KeyOf key_of, Same same) {
  std::map<decltype(key_of(rows, 0)), std::vector<std::size_t>> by_key;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    if (rows.since[row] < window.until) by_key[key_of(rows, row)].push_back(row);
  }
  Batch out;
  for (auto& [key, changes] : by_key) {
    std::sort(changes.begin(), changes.end(),
              [&](std::size_t a, std::size_t b) { return rows.since[a] < rows.since[b]; });
    std::size_t first = 0;  // that counts
    for (std::size_t i = 1; i < changes.size() && rows.since[changes[i]] <= window.begin; ++i) {
      if (!same(rows, changes[i], changes[first])) first = i;
    }
    for (std::size_t i = first; i < changes.size(); ++i) {
      AppendRow(out, rows, changes[i]);
      out.seen.back() = std::min(out.seen.back(), window.until);
    }
  }
  return out;
}

Conditions InForce(const Conditions& all, Window window) {
  Conditions out;
  out.states = InForce(
      all.states, window,
      [](const NodeStateBatch& rows, std::size_t i) {
        return std::tuple(rows.cluster[i], rows.node[i], rows.aspect[i]);
      },
      [](const NodeStateBatch& rows, std::size_t a, std::size_t b) {
        return rows.value[a] == rows.value[b] && rows.gpus[a] == rows.gpus[b];
      });
  out.set_asides = InForce(
      all.set_asides, window,
      [](const SetAsideBatch& rows, std::size_t i) {
        return std::tuple(rows.cluster[i], rows.source[i], rows.kind[i], rows.node[i], rows.ns[i],
                          rows.name[i]);
      },
      [](const SetAsideBatch&, std::size_t, std::size_t) { return false; });
  for (std::size_t row = 0; row < RowsOf(all.volumes); ++row) {
    const bool is_over = all.volumes.until[row] && *all.volumes.until[row] <= window.begin;
    if (all.volumes.begin[row] < window.until && !is_over) {
      AppendRow(out.volumes, all.volumes, row);
    }
  }
  for (std::size_t row = 0; row < RowsOf(all.pending); ++row) {
    if (all.pending.queued[row] < window.until) AppendRow(out.pending, all.pending, row);
  }
  return out;
}

// From the first begin to the last until of the holdings, and at least `window`.
Window LivesOf(const HoldingBatch& holdings, Window window) {
  for (std::size_t row = 0; row < RowsOf(holdings); ++row) {
    window.begin = std::min(window.begin, holdings.begin[row]);
    // Held without an end: its evidence may reach as far as there is any.
    const Instant until = holdings.until[row].value_or(Instant::FromBase(INT64_MAX));
    window.until = std::max(window.until, until);
  }
  return window;
}

}  // namespace

Result<OccupancyFacts> ReadOccupancy(Store& store, Window window) {
  const SqlParams span{window.until, window.begin};
  const std::string open_ended =
      "(begin_at IS NULL OR begin_at < ?) AND (until_at IS NULL OR until_at > ?)";
  OccupancyFacts facts;
  const Window around = NodesAround(window);
  PLIMSOLL_TRY(facts.nodes,
               ReadActive<NodeBatch>(store, "node", open_ended, {around.until, around.begin}));
  // Every source's row of a holding, also one that ends before: the best source counts.
  PLIMSOLL_TRY(facts.holdings,
               ReadActive<HoldingBatch>(
                   store, "holding",
                   "uid IN (SELECT uid FROM active_holding WHERE least(coalesce(queued_at, "
                   "begin_at), begin_at) < ? "
                   "AND (until_at IS NULL OR until_at > ?))",
                   span));
  const Window lives = LivesOf(facts.holdings, window);
  PLIMSOLL_TRY(facts.bindings,
               ReadActive<BindingBatch>(store, "binding", open_ended, {lives.until, lives.begin}));
  PLIMSOLL_TRY(facts.conditions.states,
               ReadActive<NodeStateBatch>(store, "node_state", "since_at < ?", {window.until}));
  PLIMSOLL_TRY(facts.conditions.set_asides,
               ReadActive<SetAsideBatch>(store, "set_aside", "since_at < ?", {window.until}));
  PLIMSOLL_TRY(facts.conditions.volumes,
               ReadActive<VolumeBatch>(
                   store, "volume", "begin_at < ? AND (until_at IS NULL OR until_at > ?)", span));
  PLIMSOLL_TRY(facts.conditions.pending,
               ReadActive<PendingBatch>(store, "pending", "queued_at < ?", {window.until}));
  return facts;
}

OccupancyIndex::OccupancyIndex(OccupancyFacts facts) : facts_(std::move(facts)) {
  struct Key {
    Symbol cluster, node, kind;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  const auto hash = [](const Key& key) {
    std::size_t sum = std::hash<std::string_view>()(key.name);
    for (const Symbol part : {key.cluster, key.node, key.kind}) sum = sum * 31 + part.Hash();
    return sum;
  };
  using Ids = std::unordered_map<Key, std::int32_t, decltype(hash)>;
  const auto id_of = [](Ids& ids, const Key& key) {
    return ids.try_emplace(key, static_cast<std::int32_t>(ids.size())).first->second;
  };
  Ids holders(RowsOf(facts_.holdings), hash);  // by the names that evidence has
  Ids units(RowsOf(facts_.holdings), hash);    // by the key of rule S2
  const HoldingBatch& h = facts_.holdings;
  for (std::size_t row = 0; row < RowsOf(h); ++row) {
    holder_.push_back(id_of(holders, {h.cluster[row], h.node[row], h.ns[row], h.name[row]}));
    units_.push_back(id_of(units, {h.cluster[row], h.node[row], h.device_kind[row], h.uid[row]}));
  }
  holders_ = static_cast<std::int32_t>(holders.size());
  const BindingBatch& b = facts_.bindings;
  for (std::size_t row = 0; row < RowsOf(b); ++row) {
    const auto holder = holders.find({b.cluster[row], b.node[row], b.ns[row], b.name[row]});
    binding_holder_.push_back(holder == holders.end() ? -1 : holder->second);
  }
}

OccupancyFacts OccupancyIndex::Touching(Window window) const {
  OccupancyFacts out;
  std::vector<bool> holds(static_cast<std::size_t>(holders_));
  for (std::size_t row = 0; row < RowsOf(facts_.nodes); ++row) {
    if (Touches(facts_.nodes, row, NodesAround(window))) AppendRow(out.nodes, facts_.nodes, row);
  }
  std::vector<bool> touches(units_.size());  // by unit; never more than there are rows
  for (std::size_t row = 0; row < units_.size(); ++row) {
    if (Touches(facts_.holdings, row, window))
      touches[static_cast<std::size_t>(units_[row])] = true;
  }
  for (std::size_t row = 0; row < units_.size(); ++row) {
    if (!touches[static_cast<std::size_t>(units_[row])]) continue;
    AppendRow(out.holdings, facts_.holdings, row);
    holds[static_cast<std::size_t>(holder_[row])] = true;
  }
  for (std::size_t row = 0; row < RowsOf(facts_.bindings); ++row) {
    const std::int32_t holder = binding_holder_[row];
    if ((holder >= 0 && holds[static_cast<std::size_t>(holder)]) ||
        Touches(facts_.bindings, row, window)) {
      AppendRow(out.bindings, facts_.bindings, row);
    }
  }
  out.conditions = InForce(facts_.conditions, window);
  return out;
}

Hash128 HashOf(const OccupancyFacts& facts) {
  Hash128 sum = HashOfRows(facts.nodes);
  sum += HashOfRows(facts.holdings);
  sum += HashOfRows(facts.bindings);
  sum += HashOfRows(facts.conditions.states);
  sum += HashOfRows(facts.conditions.set_asides);
  sum += HashOfRows(facts.conditions.pending);
  sum += HashOfRows(facts.conditions.volumes);
  return sum;
}

Result<std::vector<BilledResource>> ReadBilled(Store& store) {
  // Rows of more than a day (fees of a month) do not say how far the bill reaches.
  PLIMSOLL_TRY(
      const BilledRows rows,
      Query<BilledRows>(
          store,
          "WITH usage AS (SELECT issuer, account, currency, resource_id, resource_name, "
          "charge_begin, charge_until FROM active_charge WHERE category = 'Usage' AND "
          "service_category = 'Compute' AND charge_until - charge_begin <= 86400000), reach AS "
          "(SELECT issuer, account, currency, max(charge_until) AS until_at FROM usage GROUP BY "
          "ALL) SELECT resource_id, resource_name, min(charge_begin), max(until_at) FROM usage "
          "JOIN reach USING (issuer, account, currency) WHERE resource_id <> '' OR "
          "resource_name <> '' GROUP BY ALL ORDER BY ALL"));
  std::vector<BilledResource> out;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    out.push_back({rows.id[row], rows.name[row], {rows.begin[row], rows.until[row]}});
  }
  return out;
}

Result<ChargeBatch> ReadCharges(Store& store, Window window) {
  return ReadActive<ChargeBatch>(store, "charge", kChargeTouches,
                                 {window.until, window.begin, window.begin});
}

Result<UsageBatch> ReadUsage(Store& store, Window window) {
  return ReadActive<UsageBatch>(store, "usage", "hour >= ? AND hour < ?",
                                {window.begin, window.until});
}

Result<UsageBatch> ReadUsageNodes(Store& store, Window window) {
  PLIMSOLL_TRY(const UsedNodes nodes,
               Query<UsedNodes>(store,
                                "SELECT cluster, node, min(hour) AS hour FROM active_usage WHERE "
                                "hour >= ? AND hour < ? GROUP BY 1, 2",
                                {window.begin, window.until}));
  UsageBatch usage;
  const std::size_t rows = RowsOf(nodes);
  std::apply([&](auto... column) { ((usage.*(column.values)).resize(rows), ...); },
             UsageBatch::kColumns);
  usage.cluster = nodes.cluster;
  usage.node = nodes.node;
  usage.hour = nodes.hour;
  return usage;
}

Result<PriceBatch> ReadPrices(Store& store) {
  return ReadActive<PriceBatch>(store, "price", "true", {});
}

Result<Provenance> ReadProvenance(Store& store, Window window) {
  PLIMSOLL_TRY(const ActiveSnapshots rows,
               Query<ActiveSnapshots>(
                   store,
                   "SELECT snapshot_id, kind || '/' || scope || '/' || period_begin AS name, "
                   "content_hash FROM snapshot WHERE active = 1 AND kind IN "
                   "('charge', 'price', 'usage') AND (kind = 'price' OR data_begin IS NULL OR "
                   "(data_begin < ? AND data_until > ?) OR (kind = 'charge' AND snapshot_id IN "
                   "(SELECT DISTINCT snapshot_id FROM active_charge WHERE " +
                       std::string(kChargeTouches) + "))) ORDER BY name",
                   {window.until, window.begin, window.until, window.begin, window.begin}));
  Provenance out;
  std::set<std::int64_t> ids;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    out.hashes += rows.name[row] + "=" + rows.hash[row] + "\n";
    ids.insert(rows.id[row]);
  }
  for (const std::int64_t id : ids) {
    out.snapshot_ids += (out.snapshot_ids.empty() ? "" : ",") + std::to_string(id);
  }
  return out;
}

}  // namespace plimsoll
