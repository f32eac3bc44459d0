// Settling the rows of one price scope: doubled rows once, contradictions refused, jumps told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/import.h"
#include "model/price.h"

namespace plimsoll {

// Prices with the place each was read at.
struct PlacedPrices {
  PriceBatch prices;
  std::vector<std::string> files;
  std::vector<std::int64_t> lines;
};

struct SettledPrices {
  PriceBatch prices;  // by key, then time: the same for the same rows in any order
  std::int64_t duplicates = 0;
  std::vector<Rejection> rejections;
};

// Of two prices of one thing (provider, region, type, purchase, rung, currency) that are in
// force at one time, the same price counts once and another one is refused; the one that is
// in force first, then the lower one, stays.
SettledPrices SettlePrices(const PlacedPrices& placed);

// What a person should look at, one sentence each: a list or contracted price that changes by
// more than 5 % from one interval to the next, and a price more than 10 times the dearest (or
// less than a tenth of the cheapest) of the same type, purchase and currency in `list`.
std::vector<std::string> PriceJumps(const PriceBatch& prices, const PriceBatch& list);

}  // namespace plimsoll
