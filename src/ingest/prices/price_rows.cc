#include "ingest/prices/price_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "catalog/provider.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

using Key =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;

// What may have only one price at a time.
Key KeyOf(const PriceBatch& prices, std::size_t row) {
  return {prices.provider[row],
          CanonicalRegion(prices.region[row]),
          LowerCase(prices.instance_type[row]),
          prices.purchase[row],
          prices.rung[row],
          prices.currency[row]};
}

std::int64_t UntilOf(const PriceBatch& prices, std::size_t row) {
  return prices.valid_until[row] ? prices.valid_until[row]->base() : kForever;
}

std::string NameOf(const PriceBatch& prices, std::size_t row) {
  return fmt::format("{} {} {} {}", prices.provider[row],
                     prices.region[row].empty() ? "any region" : prices.region[row],
                     prices.instance_type[row], prices.purchase[row]);
}

// True if a / b > factor_num / factor_den, both as prices of one time.
bool Exceeds(const PriceBatch& a, std::size_t row_a, const PriceBatch& b, std::size_t row_b,
             std::pair<std::int64_t, std::int64_t> factor) {
  // Amounts are below 10^18 nanos and blocks below 4 x 10^9 s: the products fit.
  return a.amount[row_a].nanos() * b.per_seconds[row_b] * factor.second >
         b.amount[row_b].nanos() * a.per_seconds[row_a] * factor.first;
}

std::vector<std::size_t> InOrder(const PlacedPrices& placed) {
  const PriceBatch& prices = placed.prices;
  std::vector<std::size_t> order(RowsOf(prices));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Key> keys;
  std::vector<std::int64_t> untils;
  for (const std::size_t row : order) {
    keys.push_back(KeyOf(prices, row));
    untils.push_back(UntilOf(prices, row));
  }
  const auto rank = [&](std::size_t row) {
    return std::tie(keys[row], prices.valid_from[row], prices.amount[row], prices.per_seconds[row],
                    untils[row], prices.source[row], prices.as_of[row], placed.files[row],
                    placed.lines[row]);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace

SettledPrices SettlePrices(const PlacedPrices& placed) {
  const PriceBatch& prices = placed.prices;
  SettledPrices settled;
  std::size_t kept = 0;  // the last row kept, if any
  bool has_kept = false;
  for (const std::size_t row : InOrder(placed)) {
    const bool overlaps = has_kept && KeyOf(prices, kept) == KeyOf(prices, row) &&
                          UntilOf(prices, kept) > prices.valid_from[row].base();
    if (!overlaps) {
      AppendRow(settled.prices, prices, row);
      kept = row;
      has_kept = true;
      continue;
    }
    const bool same = prices.amount[row] == prices.amount[kept] &&
                      prices.per_seconds[row] == prices.per_seconds[kept] &&
                      prices.valid_from[row] == prices.valid_from[kept] &&
                      prices.valid_until[row] == prices.valid_until[kept];
    if (same) {
      ++settled.duplicates;
      continue;
    }
    settled.rejections.push_back(
        {placed.files[row], placed.lines[row], "amount",
         fmt::format("{} of {} contradicts {} at {}:{}, in force at the same time; end one of "
                     "them with valid_until",
                     prices.amount[row].ToString(), NameOf(prices, row),
                     prices.amount[kept].ToString(), placed.files[kept], placed.lines[kept]),
         "", ""});
  }
  return settled;
}

namespace {

void AddChanges(const PriceBatch& prices, std::vector<std::string>& jumps) {
  for (std::size_t row = 1; row < RowsOf(prices); ++row) {
    const std::size_t before = row - 1;
    if (prices.rung[row] == kRungSpotHistory || KeyOf(prices, before) != KeyOf(prices, row)) {
      continue;
    }
    if (Exceeds(prices, row, prices, before, {105, 100}) ||
        Exceeds(prices, before, prices, row, {100, 95})) {
      jumps.push_back(fmt::format("{}: changes by more than 5 % on {}", NameOf(prices, row),
                                  ToDateString(prices.valid_from[row])));
    }
  }
}

using TypeKey = std::tuple<std::string, std::string, std::string, std::string>;

TypeKey TypeKeyOf(const PriceBatch& prices, std::size_t row) {
  return {prices.provider[row], LowerCase(prices.instance_type[row]), prices.purchase[row],
          prices.currency[row]};
}

// The cheapest and the dearest row of each type, over all regions and times.
std::map<TypeKey, std::pair<std::size_t, std::size_t>> ExtremesOf(const PriceBatch& list) {
  std::map<TypeKey, std::pair<std::size_t, std::size_t>> extremes;
  for (std::size_t row = 0; row < RowsOf(list); ++row) {
    auto& [low, high] = extremes.try_emplace(TypeKeyOf(list, row), row, row).first->second;
    if (Exceeds(list, low, list, row, {1, 1})) low = row;
    if (Exceeds(list, row, list, high, {1, 1})) high = row;
  }
  return extremes;
}

}  // namespace

std::vector<std::string> PriceJumps(const PriceBatch& prices, const PriceBatch& list) {
  std::vector<std::string> jumps;
  AddChanges(prices, jumps);
  const auto extremes = ExtremesOf(list);
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    const auto found = extremes.find(TypeKeyOf(prices, row));
    if (found == extremes.end()) continue;
    const auto& [low, high] = found->second;
    if (Exceeds(prices, row, list, high, {10, 1}) || Exceeds(list, low, prices, row, {10, 1})) {
      jumps.push_back(fmt::format(
          "{}: is more than ten times off the list price: another currency, or not the whole "
          "instance?",
          NameOf(prices, row)));
    }
  }
  return jumps;
}

}  // namespace plimsoll
