#include "catalog/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

constexpr int128 kJumpFactor = 10;

// True if a costs more than kJumpFactor times b for the same time.
bool Jumps(const PriceBatch& prices, std::size_t a, std::size_t b) {
  return prices.amount[a].nanos() * prices.per_seconds[b] >
         kJumpFactor * prices.amount[b].nanos() * prices.per_seconds[a];
}

std::string NameOf(const PriceBatch& prices, std::size_t row) {
  return fmt::format("{} {} {} {}", prices.provider[row], prices.region[row],
                     prices.instance_type[row], prices.purchase[row]);
}

void CheckShapes(const Catalog& catalog, std::vector<std::string>& findings) {
  const PriceBatch& prices = catalog.prices();
  std::set<std::string> unknown;
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    if (prices.purchase[row] == "owned") continue;
    if (catalog.FindShape(prices.provider[row], prices.instance_type[row]) == nullptr) {
      unknown.insert(fmt::format("{} {}", prices.provider[row], prices.instance_type[row]));
    }
  }
  for (const std::string& name : unknown) {
    findings.push_back(fmt::format("{}: has a price but no shape", name));
  }
}

void CheckCurrencies(const PriceBatch& prices, std::vector<std::string>& findings) {
  std::map<std::string, std::set<std::string>> currencies;
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    currencies[fmt::format("{} {}", prices.provider[row], prices.region[row])].insert(
        prices.currency[row]);
  }
  for (const auto& [region, used] : currencies) {
    if (used.size() > 1) {
      findings.push_back(
          fmt::format("{}: has prices in {} and {}", region, *used.begin(), *used.rbegin()));
    }
  }
}

void CheckJumps(const PriceBatch& prices, std::vector<std::string>& findings) {
  // The dearest and the cheapest row of a type, purchase option and currency.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, std::pair<std::size_t, std::size_t>> extremes;
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    const Key key{prices.provider[row], prices.instance_type[row], prices.purchase[row],
                  prices.currency[row]};
    const auto [found, fresh] = extremes.try_emplace(key, row, row);
    if (fresh) continue;
    auto& [low, high] = found->second;
    const auto costs_less = [&](std::size_t a, std::size_t b) {
      return prices.amount[a].nanos() * prices.per_seconds[b] <
             prices.amount[b].nanos() * prices.per_seconds[a];
    };
    if (costs_less(row, low)) low = row;
    if (costs_less(high, row)) high = row;
  }
  for (const auto& [key, rows] : extremes) {
    if (!Jumps(prices, rows.second, rows.first)) continue;
    findings.push_back(fmt::format("{}: costs more than {} times {}", NameOf(prices, rows.second),
                                   static_cast<int>(kJumpFactor), NameOf(prices, rows.first)));
  }
}

}  // namespace

std::vector<std::string> AuditCatalog(const Catalog& catalog) {
  std::vector<std::string> findings;
  CheckShapes(catalog, findings);
  CheckCurrencies(catalog.prices(), findings);
  CheckJumps(catalog.prices(), findings);
  return findings;
}

}  // namespace plimsoll
