// PriceBook: the price of an instance at the time of its use, by the price ladder.
//
// Built once from price batches (the built-in catalog, the user's files, the store, the
// configuration); immutable, safe to share between threads. The same rows in any order give
// the same answers. Nothing here divides: a price stays an amount per block of seconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/price.h"
#include "units/time.h"

namespace plimsoll {

struct PriceQuery {
  std::string_view provider = {};       // any spelling CanonicalProvider knows; "" if unknown
  std::string_view region = {};         // "" if unknown: only any-region prices match
  std::string_view instance_type = {};  // without case; for on-prem the node pool's name
  std::string_view purchase = {};       // on-demand, spot, reserved-1y...; "", "unknown": on-demand
  std::string_view currency = {};       // only prices in it match; "" takes any
  std::string_view zone = {};           // "us-east-1a", to find zonal prices: a price's region
                                        // field may name a zone (spot history does)
  std::string_view node = {};           // the node's own name, see Find
};

// A price and where it came from. The texts live in the book.
struct PriceMatch {
  Money amount;  // for one block
  std::int64_t per_seconds = 3600;
  std::string_view rung;      // kRungContracted, kRungSpotHistory, kRungList
  std::string_view purchase;  // of the price, which may differ from the one asked for
  std::string_view currency, source, as_of;
  // The purchase option asked for (spot, reserved) has no price at that time; the on-demand
  // price stands in for it. To be shown, never hidden: spot at list price is an upper bound.
  bool fallback = false;

  friend bool operator==(const PriceMatch&, const PriceMatch&) = default;
};

struct PriceSpan {
  Window window;
  std::optional<PriceMatch> price;  // null: no price is known, a finding and never zero
};

class PriceBook {
 public:
  // Batches in order of precedence, lowest first: of two prices that rank the same by rung
  // and region, the one of the later batch is taken. snapshot_id is not looked at.
  explicit PriceBook(std::span<const PriceBatch* const> batches);
  explicit PriceBook(const PriceBatch& batch);

  // The price in force at `at`. Order: the asked purchase option, then `owned`, then
  // on-demand (a fallback if spot or reserved was asked); within an option contracted >
  // spot-history > list; within a rung the zone's price over the region's over any region's; then
  // the later batch; then the later valid_from. "reserved" without a term looks for the
  // user's own contracted reserved-1y and reserved-3y rates.
  // With provider "", a type that more than one provider has a price for gives null.
  //
  // What a price is of is looked for in this order: the node's name, its instance type, and
  // the patterns of node names that fit it ("dgx-*", "*"; '*' is any text, '?' one character),
  // longest first. So owned nodes without an instance type can be priced by their names.
  std::optional<PriceMatch> Find(const PriceQuery& query, Instant at) const;

  // `window` cut at every change of price, in time order, without gaps.
  std::vector<PriceSpan> Spans(const PriceQuery& query, const Window& window) const;

  std::size_t size() const { return size_; }

 private:
  struct Row {
    Instant from;
    std::optional<Instant> until;
    Money amount;
    std::int64_t per_seconds;
    std::string source, as_of;
  };
  // All rows of one purchase option, rung, region, currency and batch, by `from`.
  struct Series {
    std::string purchase, rung, region, currency;
    int rung_rank = 0;
    std::size_t batch = 0;
    std::vector<Row> rows;
  };
  struct Shelf {  // of one provider and instance type; series by precedence
    std::string provider;
    std::vector<Series> series;
  };

  void Add(const PriceBatch& batch, std::size_t index);
  void Sort();
  // Null if there is none of the provider's.
  const Shelf* FindShelf(std::string_view type, std::string_view provider) const;
  std::vector<const Shelf*> ShelvesFor(const PriceQuery& query) const;
  static const Row* InForce(const Series& series, Instant at);
  static void AddCuts(const Series& series, const Window& window, std::vector<Instant>& cuts);
  static bool Suits(const Series& series, const PriceQuery& query);
  static std::optional<PriceMatch> FindOn(const Shelf& shelf, const PriceQuery& query, Instant at);
  static std::optional<PriceMatch> FindOnAny(const std::vector<const Shelf*>& shelves,
                                             const PriceQuery& query, Instant at);

  std::map<std::string, std::vector<Shelf>, std::less<>> shelves_;  // by lower-cased type
  std::vector<std::string> patterns_;  // keys of shelves_ with '*' or '?', longest first
  std::size_t size_ = 0;
};

}  // namespace plimsoll
