// NanoCuts: rounds the costs of a bill to nanos so that they add up to its exact total.
//
// Largest remainder: each cost is floored to nanos; the nanos that the floors lack of the
// exact total rounded once go one each to the rows with the largest rests, ties by the row's
// content hash, then by its place. So a cut through the rests in that order decides for each
// row, and rows in another order get the same costs. The rests of a bill do not fit in
// memory: they pass through temporary tables of the store, 40 bytes each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "base/hash.h"
#include "ingest/focus/scope_book.h"
#include "model/column.h"
#include "store/store.h"

namespace plimsoll {

// One cost with more than nine decimals.
struct RestBatch {
  std::vector<std::int64_t> slot;    // SlotOf its scope and money column
  std::vector<std::int64_t> bucket;  // the rest's leading bits, to find the cut's neighbourhood
  std::vector<int128> rest;          // ExactDecimal::rest
  std::vector<std::int64_t> hash;    // of the row's content
  std::vector<std::int64_t> place;   // file number and line

  static constexpr std::tuple kColumns{
      MakeColumn("slot", &RestBatch::slot),   MakeColumn("bucket", &RestBatch::bucket),
      MakeColumn("rest", &RestBatch::rest),   MakeColumn("hash", &RestBatch::hash),
      MakeColumn("place", &RestBatch::place),
  };
};

// Where a rest stands among those of its slot.
struct RestKey {
  int128 rest = 0;
  std::int64_t hash = 0;
  std::int64_t place = 0;

  // True if this one is served before `other`, or is the same.
  bool IsUpTo(const RestKey& other) const;
};

std::int64_t SlotOf(std::size_t scope, std::size_t cost);
void AppendRest(RestBatch& batch, std::int64_t slot, const RestKey& key);

// Slot -> the last rest that gets a nano; a slot without one gets none.
using NanoCuts = std::map<std::int64_t, RestKey>;

// The rests of one load, in the store. Use: Begin, Append..., FindCuts. Removes its tables.
class RestTables {
 public:
  explicit RestTables(Store& store) : store_(store) {}
  RestTables(const RestTables&) = delete;
  RestTables& operator=(const RestTables&) = delete;
  ~RestTables();

  Status Begin();
  Status Append(const RestBatch& rests);
  // REQUIRES: the rests appended are those that `book` counted
  Result<NanoCuts> FindCuts(const ScopeBook& book);

 private:
  Status FindBuckets(const ScopeBook& book);
  Store& store_;
  bool in_transaction_ = false;
  bool exists_ = false;
};

}  // namespace plimsoll
