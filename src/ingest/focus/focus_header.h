// FocusHeader: which column of a file is which FOCUS column, by the header's names alone.
//
// Reads the column sets of FOCUS 1.0 to 1.4: ServiceProviderName (1.3) or ProviderName
// (until 1.3), any letter case, any order, localised names with the English one in
// parentheses. What is not used is listed, what is missing is an error naming it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/csv.h"

namespace plimsoll {

// The columns that are read; the order is that of kFocusColumnNames.
enum class FocusColumn : unsigned char {
  kBilledCost,
  kEffectiveCost,
  kListCost,
  kContractedCost,
  kBillingAccountId,
  kBillingAccountName,
  kBillingCurrency,
  kBillingPeriodStart,
  kBillingPeriodEnd,
  kChargePeriodStart,
  kChargePeriodEnd,
  kChargeCategory,
  kChargeClass,
  kChargeFrequency,
  kChargeDescription,
  kInvoiceIssuerName,
  kProviderName,
  kServiceProviderName,
  kServiceCategory,
  kServiceName,
  kSubAccountId,
  kSubAccountName,
  kResourceId,
  kResourceName,
  kResourceType,
  kRegionId,
  kAvailabilityZone,
  kSkuId,
  kSkuPriceId,
  kSkuPriceDetails,
  kSkuDetails,       // Azure's x_SkuDetails
  kInstanceType,     // x_InstanceType
  kSkuInstanceType,  // x_SkuInstanceType
  kPricingCategory,
  kPricingQuantity,
  kPricingUnit,
  kConsumedQuantity,
  kConsumedUnit,
  kCommitmentDiscountId,
  kCommitmentDiscountStatus,
  kInvoiceId,
  kTags,
};
inline constexpr std::size_t kFocusColumns = static_cast<std::size_t>(FocusColumn::kTags) + 1;
extern const std::array<const char*, kFocusColumns> kFocusColumnNames;

struct FocusHeader {
  static constexpr int kAbsent = -1;

  std::array<int, kFocusColumns> position;  // in FieldsOf(row), or kAbsent
  std::size_t fields = 0;                   // of every row of the file
  std::vector<std::string> constants;       // values of absent columns, after the row's fields
  std::string version;                      // "1.0" ... "1.4", from the names present
  std::vector<std::string> ignored;         // names as written
  std::vector<std::string> warnings;

  int At(FocusColumn column) const { return position[static_cast<std::size_t>(column)]; }
};

// `defaults` gives values, by FOCUS name, to columns that the file lacks.
// Fails with kBadData, naming `file` and the columns, if a column without which a charge has
// no account, period or cost is missing, or if a column is there twice.
Result<FocusHeader> ReadFocusHeader(const CsvRow& row, const std::string& file,
                                    const std::map<std::string, std::string>& defaults);

}  // namespace plimsoll
