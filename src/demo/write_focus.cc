#include "demo/write_focus.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "demo/bill.h"

namespace plimsoll {
namespace {

std::string Quoted(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

using Row = std::vector<std::pair<const char*, std::string>>;

// The columns that say who is billed and for when.
void AddScope(const DemoBill& bill, const DemoCharge& charge, Row& row) {
  const Window month = MonthOf(charge.period.begin);
  const bool aws = bill.provider == "AWS";
  row.emplace_back("BilledCost", DecimalText(charge.billed));
  row.emplace_back("BillingAccountId", bill.account);
  row.emplace_back("BillingAccountName", bill.account_name);
  row.emplace_back("BillingAccountType", aws ? "Payer" : "Billing Account");
  row.emplace_back("BillingCurrency", bill.currency);
  row.emplace_back("BillingPeriodEnd", ToString(month.until));
  row.emplace_back("BillingPeriodStart", ToString(month.begin));
  row.emplace_back("CapacityReservationId", "");
  row.emplace_back("CapacityReservationStatus", "");
  row.emplace_back("ChargeCategory", charge.category);
  row.emplace_back("ChargeClass", "");
  row.emplace_back("ChargeDescription", charge.description);
  row.emplace_back("ChargeFrequency", charge.frequency);
  row.emplace_back("ChargePeriodEnd", ToString(charge.period.until));
  row.emplace_back("ChargePeriodStart", ToString(charge.period.begin));
}

void AddCommitment(const DemoBill& bill, const DemoCharge& charge, Row& row) {
  const auto if_committed = [&](const std::string& text) { return charge.commitment ? text : ""; };
  row.emplace_back("CommitmentDiscountCategory", if_committed("Spend"));
  row.emplace_back("CommitmentDiscountId", if_committed(bill.commitment_id));
  row.emplace_back("CommitmentDiscountName", if_committed(bill.commitment_name));
  row.emplace_back("CommitmentDiscountQuantity", charge.commitment_quantity);
  row.emplace_back("CommitmentDiscountStatus", charge.commitment_status);
  row.emplace_back("CommitmentDiscountType", if_committed("Compute Savings Plan"));
  row.emplace_back("CommitmentDiscountUnit", if_committed("USD"));
}

void AddPrices(const DemoBill& bill, const DemoCharge& charge, Row& row) {
  row.emplace_back("ConsumedQuantity", charge.consumed_quantity);
  row.emplace_back("ConsumedUnit", charge.consumed_quantity.empty() ? "" : charge.pricing_unit);
  row.emplace_back("ContractedCost", DecimalText(charge.contracted));
  row.emplace_back("ContractedUnitPrice", charge.contracted_unit_price);
  row.emplace_back("EffectiveCost", DecimalText(charge.effective));
  row.emplace_back("InvoiceId", InvoiceIdOf(bill, charge.period.begin));
  row.emplace_back("InvoiceIssuerName", bill.issuer);
  row.emplace_back("ListCost", DecimalText(charge.list));
  row.emplace_back("ListUnitPrice", charge.list_unit_price);
  row.emplace_back("PricingCategory", charge.pricing_category);
  row.emplace_back("PricingCurrency", bill.currency);
  row.emplace_back("PricingCurrencyContractedUnitPrice", charge.contracted_unit_price);
  row.emplace_back("PricingCurrencyEffectiveCost", DecimalText(charge.effective));
  row.emplace_back("PricingCurrencyListUnitPrice", charge.list_unit_price);
  row.emplace_back("PricingQuantity", charge.pricing_quantity);
  row.emplace_back("PricingUnit", charge.pricing_unit);
  row.emplace_back("ProviderName", bill.provider);
  row.emplace_back("PublisherName", bill.provider);
}

void AddResource(const DemoBill& bill, const DemoCharge& charge, Row& row) {
  const bool located = !charge.resource_id.empty();
  const bool skud = !charge.sku_id.empty();
  row.emplace_back("RegionId", located ? bill.region : "");
  row.emplace_back("RegionName", located ? bill.region_name : "");
  row.emplace_back("ResourceId", charge.resource_id);
  row.emplace_back("ResourceName", charge.resource_name);
  row.emplace_back("ResourceType", charge.resource_type);
  row.emplace_back("ServiceCategory", charge.service_category);
  row.emplace_back("ServiceName", charge.service_name);
  row.emplace_back("ServiceSubcategory", charge.service_subcategory);
  row.emplace_back("SkuId", charge.sku_id);
  row.emplace_back("SkuMeter", skud ? charge.service_subcategory : "");
  row.emplace_back("SkuPriceDetails", charge.instance_type.empty()
                                          ? ""
                                          : R"({"InstanceType":")" + charge.instance_type + "\"}");
  row.emplace_back("SkuPriceId", skud ? charge.sku_id + ".JRTCKXETXF" : "");
  row.emplace_back("SubAccountId", bill.sub_account);
  row.emplace_back("SubAccountName", bill.sub_account_name);
  row.emplace_back("SubAccountType", bill.provider == "AWS" ? "Linked" : "Project");
  row.emplace_back("Tags", charge.tags);
}

Row RowOf(const DemoBill& bill, const DemoCharge& charge) {
  Row row{{"AvailabilityZone", charge.zone}};
  AddScope(bill, charge, row);
  AddCommitment(bill, charge, row);
  AddPrices(bill, charge, row);
  AddResource(bill, charge, row);
  return row;
}

}  // namespace

std::string InvoiceIdOf(const DemoBill& bill, Instant t) {
  const std::string date = ToDateString(MonthOf(t).begin);
  return bill.invoice_prefix + "-" + date.substr(0, 4) + date.substr(5, 2);
}

std::string FocusCsv(const DemoBill& bill) {
  std::string text;
  for (const DemoCharge& charge : bill.charges) {
    const Row row = RowOf(bill, charge);
    if (text.empty()) {
      for (const auto& [name, value] : row) text += (text.empty() ? "" : ",") + std::string(name);
      text += '\n';
    }
    bool first = true;
    for (const auto& [name, value] : row) {
      if (!first) text += ',';
      first = false;
      text += Quoted(value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace plimsoll
