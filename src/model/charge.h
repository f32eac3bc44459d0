// Charges: the rows of a bill (FOCUS), with exact money.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// FOCUS ChargeCategory. Texts are FOCUS's own; stored as text, so never renamed.
enum class ChargeCategory : unsigned char { kUsage, kPurchase, kTax, kCredit, kAdjustment };
inline constexpr const char* kChargeCategoryNames[] = {"Usage", "Purchase", "Tax", "Credit",
                                                       "Adjustment"};
std::optional<ChargeCategory> ParseChargeCategory(std::string_view text);

// What a bill is tied out by: one invoice issuer's bill to one account for one period.
struct BillingScope {
  std::string issuer;    // FOCUS InvoiceIssuerName
  std::string account;   // FOCUS BillingAccountId
  std::string currency;  // FOCUS BillingCurrency
  Window period;         // FOCUS BillingPeriodStart/End

  friend auto operator<=>(const BillingScope&, const BillingScope&) = default;
};

// One row a charge. Rows of one snapshot are rounded to nanos by largest remainder, so
// that they add up to the exact written total rounded once (docs/formats/focus.md).
struct ChargeBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::int64_t> line;  // of the source file, 1 is the header
  std::vector<std::string> provider, issuer, account, account_name, currency;
  std::vector<Instant> billing_begin, billing_until;
  std::vector<Instant> charge_begin, charge_until;
  std::vector<std::string> category;      // kChargeCategoryNames
  std::vector<std::string> charge_class;  // "" or "Correction"
  std::vector<std::string> frequency, description;
  std::vector<std::string> service_category, service_name;
  std::vector<std::string> sub_account, sub_account_name;
  std::vector<std::string> resource_id, resource_name, resource_type;
  std::vector<std::string> region, zone;
  std::vector<std::string> sku_id, sku_price_id, instance_type;
  std::vector<std::string> pricing_category;  // Standard, Dynamic, Committed, Other, ""
  std::vector<std::string> pricing_quantity, pricing_unit;    // as written; "" if null
  std::vector<std::string> consumed_quantity, consumed_unit;  // as written; "" if null
  std::vector<std::string> commitment_id, commitment_status;  // status: Used, Unused, ""
  std::vector<std::string> invoice_id;
  std::vector<std::string> tags;  // JSON object, keys sorted; "{}" if none
  std::vector<Money> billed_cost, effective_cost;
  std::vector<std::optional<Money>> list_cost, contracted_cost;

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &ChargeBatch::snapshot_id),
      MakeColumn("line", &ChargeBatch::line),
      MakeColumn("provider", &ChargeBatch::provider),
      MakeColumn("issuer", &ChargeBatch::issuer),
      MakeColumn("account", &ChargeBatch::account),
      MakeColumn("account_name", &ChargeBatch::account_name),
      MakeColumn("currency", &ChargeBatch::currency),
      MakeColumn("billing_begin", &ChargeBatch::billing_begin),
      MakeColumn("billing_until", &ChargeBatch::billing_until),
      MakeColumn("charge_begin", &ChargeBatch::charge_begin),
      MakeColumn("charge_until", &ChargeBatch::charge_until),
      MakeColumn("category", &ChargeBatch::category),
      MakeColumn("charge_class", &ChargeBatch::charge_class),
      MakeColumn("frequency", &ChargeBatch::frequency),
      MakeColumn("description", &ChargeBatch::description),
      MakeColumn("service_category", &ChargeBatch::service_category),
      MakeColumn("service_name", &ChargeBatch::service_name),
      MakeColumn("sub_account", &ChargeBatch::sub_account),
      MakeColumn("sub_account_name", &ChargeBatch::sub_account_name),
      MakeColumn("resource_id", &ChargeBatch::resource_id),
      MakeColumn("resource_name", &ChargeBatch::resource_name),
      MakeColumn("resource_type", &ChargeBatch::resource_type),
      MakeColumn("region", &ChargeBatch::region),
      MakeColumn("zone", &ChargeBatch::zone),
      MakeColumn("sku_id", &ChargeBatch::sku_id),
      MakeColumn("sku_price_id", &ChargeBatch::sku_price_id),
      MakeColumn("instance_type", &ChargeBatch::instance_type),
      MakeColumn("pricing_category", &ChargeBatch::pricing_category),
      MakeColumn("pricing_quantity", &ChargeBatch::pricing_quantity),
      MakeColumn("pricing_unit", &ChargeBatch::pricing_unit),
      MakeColumn("consumed_quantity", &ChargeBatch::consumed_quantity),
      MakeColumn("consumed_unit", &ChargeBatch::consumed_unit),
      MakeColumn("commitment_id", &ChargeBatch::commitment_id),
      MakeColumn("commitment_status", &ChargeBatch::commitment_status),
      MakeColumn("invoice_id", &ChargeBatch::invoice_id),
      MakeColumn("tags", &ChargeBatch::tags),
      MakeColumn("billed_cost", &ChargeBatch::billed_cost),
      MakeColumn("effective_cost", &ChargeBatch::effective_cost),
      MakeColumn("list_cost", &ChargeBatch::list_cost),
      MakeColumn("contracted_cost", &ChargeBatch::contracted_cost),
  };
};

// The exact totals of a loaded bill, one row a (snapshot, provider): decimals as text at
// their full written scale, so that a load can be checked against its file.
struct ChargeTotalBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> provider, issuer, account, currency;
  std::vector<std::int64_t> rows;
  std::vector<std::string> billed_exact, effective_exact;
  std::vector<std::string> rejected_billed_exact, rejected_effective_exact;

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &ChargeTotalBatch::snapshot_id),
      MakeColumn("provider", &ChargeTotalBatch::provider),
      MakeColumn("issuer", &ChargeTotalBatch::issuer),
      MakeColumn("account", &ChargeTotalBatch::account),
      MakeColumn("currency", &ChargeTotalBatch::currency),
      MakeColumn("rows", &ChargeTotalBatch::rows),
      MakeColumn("billed_exact", &ChargeTotalBatch::billed_exact),
      MakeColumn("effective_exact", &ChargeTotalBatch::effective_exact),
      MakeColumn("rejected_billed_exact", &ChargeTotalBatch::rejected_billed_exact),
      MakeColumn("rejected_effective_exact", &ChargeTotalBatch::rejected_effective_exact),
  };
};

}  // namespace plimsoll
