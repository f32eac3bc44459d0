// Reconcile: the bill against the cost lines, per issuer, account, currency and period.
//
// Billed: usage + purchases + tax + credits + adjustments = invoice. Effective: the sum of
// cost lines over every hour that the scope's charges touch. Unexplained = effective -
// allocated, and must be zero to the nano.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "model/charge.h"

namespace plimsoll {

inline constexpr std::size_t kChargeCategoryCount = std::size(kChargeCategoryNames);

struct ReconciledPeriod {
  BillingScope scope;
  std::string provider;
  std::int64_t charges = 0;
  Money billed, effective, allocated, unexplained;
  std::array<Money, kChargeCategoryCount> billed_by_category;
  std::string rejected_billed;  // exact decimal text: the quarantined rows' written cost
  std::string outcome;          // "ties", or what does not
};

// Brings the ledger up to date over the charges' whole span first. With a non-empty
// `period`, only scopes whose billing period touches it. Sorted by scope.
Result<std::vector<ReconciledPeriod>> Reconcile(Ledger& ledger, Window period);

}  // namespace plimsoll
