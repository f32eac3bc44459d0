// FocusLoad: writes what a FocusReader hands over into one snapshot load. One attempt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/focus/focus_import.h"
#include "ingest/focus/focus_reader.h"
#include "store/snapshot.h"

namespace plimsoll {

class FocusLoad {
 public:
  static Result<FocusLoad> Begin(Store& store, const FocusOptions& options);

  // Fails with kBadData on a refused row of a strict import.
  Status Take(FocusBlock& block);

  // Keeps the other days of a partial load, writes the bills' totals and commits. Fills
  // `report` but for what the reader knows.
  Status Finish(const ScopeBook& book, ImportReport& report);

 private:
  FocusLoad(Store& store, const FocusOptions& options, SnapshotLoad load)
      : store_(store), options_(options), load_(std::move(load)) {}
  Status TakeCharges(FocusBlock& block);
  Status TakeRejections(RejectionBatch& rejections);
  Status StoreRejections(RejectionBatch& rejections);
  Result<std::int64_t> Open(std::size_t scope);
  Status KeepOtherDays(std::size_t scope, ScopeSum& sum);
  Status KeepDay(std::size_t scope, std::int64_t previous, std::int64_t day, ScopeSum& sum);
  Status StoreTotals(const std::vector<ScopeSum>& scopes);
  void Cover(std::size_t scope, const ScopeSum& sum);

  Store& store_;
  const FocusOptions& options_;
  SnapshotLoad load_;
  std::vector<SnapshotKey> keys_;  // by scope number
  std::vector<std::int64_t> ids_;  // snapshot, 0 until the scope has a charge
  RejectionBatch waiting_;         // refused before their scope has a charge
  std::vector<Rejection> first_rejections_;
  std::int64_t accepted_ = 0;
  std::int64_t rejected_ = 0;
};

// The store's key of a bill.
SnapshotKey KeyOf(const BillingScope& scope);

// Adds to each scope's sums the costs of the days that a partial load will keep, so that the
// nanos left over are those of the merged bill: half a nano rounds by what it is added to.
Status AddKeptCosts(Store& store, ScopeBook& book);

}  // namespace plimsoll
