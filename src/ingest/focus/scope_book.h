// ScopeBook: what a load has read so far, a billing scope at a time, as exact sums.
//
// Its memory grows with the number of bills (issuer, account, currency, period) and of their
// days and providers, never with their rows. Scopes are numbered in order of appearance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/focus/charge_hash.h"
#include "ingest/focus/focus_row.h"
#include "ingest/focus/text_memo.h"
#include "model/charge.h"
#include "units/decimal.h"

namespace plimsoll {

// One money column of one scope.
struct CostSum {
  ExactDecimal total;
  Money floors;             // of all rows
  std::int64_t rested = 0;  // rows with more than nine decimals

  // Nanos that the floors lack of the total rounded once, half to even; 0 to `rested`.
  std::int64_t LeftOver() const;
};

struct ProviderTotal {
  std::int64_t rows = 0;
  ExactDecimal billed, effective;
  ExactDecimal rejected_billed, rejected_effective;

  ProviderTotal& operator+=(const ProviderTotal& other);
};

struct ScopeSum {
  BillingScope key;
  std::int64_t rows = 0;
  std::set<std::int64_t> days;  // UTC days since the epoch on which a charge begins
  std::array<CostSum, kChargeCosts> costs;
  std::map<std::string, ProviderTotal, std::less<>> providers;
};

class ScopeBook {
 public:
  ScopeBook();

  // The number of the scope, new or known.
  std::size_t NumberOf(const FocusRow& row);
  std::size_t NumberOf(const BillingScope& scope);

  void Add(std::size_t scope, const FocusRow& row, const CostRests& rests);
  // Costs in whole nanos that stay in the bill beside the rows read.
  void AddKept(std::size_t scope, const std::array<Money, kChargeCosts>& costs);
  // Returns the scope's number, or -1 if the refused row does not say.
  std::int64_t AddRefused(const RefusedRow& row);

  const std::vector<ScopeSum>& scopes() const { return scopes_; }
  // Of refused rows that name no scope, by (provider, currency).
  const std::map<std::pair<std::string, std::string>, ProviderTotal>& outside() const {
    return outside_;
  }

 private:
  std::vector<ScopeSum> scopes_;
  std::map<BillingScope, std::size_t> numbers_;
  TextMemo<std::size_t> recent_;
  std::string key_;
  std::map<std::pair<std::string, std::string>, ProviderTotal> outside_;
};

// Days since the epoch of the UTC day that holds `t`.
std::int64_t DayOf(Instant t);

}  // namespace plimsoll
