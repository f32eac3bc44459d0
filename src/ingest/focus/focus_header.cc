#include "ingest/focus/focus_header.h"

#include <algorithm>
#include <optional>
#include <set>

namespace plimsoll {

const std::array<const char*, kFocusColumns> kFocusColumnNames = {
    "BilledCost",
    "EffectiveCost",
    "ListCost",
    "ContractedCost",
    "BillingAccountId",
    "BillingAccountName",
    "BillingCurrency",
    "BillingPeriodStart",
    "BillingPeriodEnd",
    "ChargePeriodStart",
    "ChargePeriodEnd",
    "ChargeCategory",
    "ChargeClass",
    "ChargeFrequency",
    "ChargeDescription",
    "InvoiceIssuerName",
    "ProviderName",
    "ServiceProviderName",
    "ServiceCategory",
    "ServiceName",
    "SubAccountId",
    "SubAccountName",
    "ResourceId",
    "ResourceName",
    "ResourceType",
    "RegionId",
    "AvailabilityZone",
    "SkuId",
    "SkuPriceId",
    "SkuPriceDetails",
    "x_SkuDetails",
    "x_InstanceType",
    "x_SkuInstanceType",
    "PricingCategory",
    "PricingQuantity",
    "PricingUnit",
    "ConsumedQuantity",
    "ConsumedUnit",
    "CommitmentDiscountId",
    "CommitmentDiscountStatus",
    "InvoiceId",
    "Tags",
};

namespace {

constexpr FocusColumn kRequired[] = {
    FocusColumn::kBilledCost,         FocusColumn::kEffectiveCost,
    FocusColumn::kBillingAccountId,   FocusColumn::kBillingCurrency,
    FocusColumn::kBillingPeriodStart, FocusColumn::kBillingPeriodEnd,
    FocusColumn::kChargePeriodStart,  FocusColumn::kChargePeriodEnd,
    FocusColumn::kChargeCategory,     FocusColumn::kInvoiceIssuerName,
};

// Mandatory in FOCUS, but a charge can be attributed without it.
constexpr FocusColumn kExpected[] = {
    FocusColumn::kListCost,
    FocusColumn::kContractedCost,
    FocusColumn::kServiceCategory,
    FocusColumn::kServiceName,
};

// The columns by which a version is told from the one before it, newest first.
struct VersionMark {
  const char* version;
  std::vector<const char*> any_of;
};
const std::vector<VersionMark>& VersionMarks() {
  static const std::vector<VersionMark> marks = {
      {"1.4", {"invoicedetailid", "commitmentprogrameligibilitydetails"}},
      {"1.3",
       {"serviceprovidername", "hostprovidername", "allocatedmethodid", "allocatedresourceid",
        "contractapplied"}},
      {"1.2", {"invoiceid", "billingaccounttype", "subaccounttype", "pricingcurrency"}},
      {"1.1",
       {"servicesubcategory", "skumeter", "skupricedetails", "commitmentdiscountquantity",
        "capacityreservationid"}},
  };
  return marks;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<FocusColumn> ColumnNamed(std::string_view name) {
  const std::string lower = Lower(name);
  for (std::size_t i = 0; i < kFocusColumns; ++i) {
    if (lower == Lower(kFocusColumnNames[i])) return static_cast<FocusColumn>(i);
  }
  // "Abonnement-ID (SubAccountId)": a localised name, then the English one.
  const std::size_t open = name.rfind('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return std::nullopt;
  return ColumnNamed(Trim(name.substr(open + 1, name.size() - open - 2)));
}

const char* NameOf(FocusColumn column) {
  return kFocusColumnNames[static_cast<std::size_t>(column)];
}

std::string VersionOf(const std::set<std::string>& lower_names) {
  if (lower_names.contains("serviceprovidername") && !lower_names.contains("providername")) {
    return "1.4";
  }
  for (const VersionMark& mark : VersionMarks()) {
    for (const char* name : mark.any_of) {
      if (lower_names.contains(name)) return mark.version;
    }
  }
  return "1.0";
}

Status AddDefaults(const std::map<std::string, std::string>& defaults, FocusHeader& header) {
  for (const auto& [name, value] : defaults) {
    const std::optional<FocusColumn> column = ColumnNamed(name);
    if (!column) {
      return Error{ErrorCode::kInvalidArgument,
                   "no FOCUS column '" + name + "' is read; a default for it has no use"};
    }
    int& position = header.position[static_cast<std::size_t>(*column)];
    if (position != FocusHeader::kAbsent) continue;
    position = static_cast<int>(header.fields + header.constants.size());
    header.constants.push_back(value);
  }
  return Ok();
}

Status CheckRequired(const FocusHeader& header, const std::string& file) {
  std::string missing;
  const auto add = [&](const std::string& name) {
    missing += (missing.empty() ? "" : ", ") + name;
  };
  for (const FocusColumn column : kRequired) {
    if (header.At(column) == FocusHeader::kAbsent) add(NameOf(column));
  }
  if (header.At(FocusColumn::kProviderName) == FocusHeader::kAbsent &&
      header.At(FocusColumn::kServiceProviderName) == FocusHeader::kAbsent) {
    add("ServiceProviderName (or ProviderName)");
  }
  if (missing.empty()) return Ok();
  return Error{ErrorCode::kBadData,
               file + ": the header lacks " + missing +
                   "; export a FOCUS 1.0 to 1.4 cost and usage dataset, or give a default, as in "
                   "--default InvoiceIssuerName=Acme"};
}

}  // namespace

Result<FocusHeader> ReadFocusHeader(const CsvRow& row, const std::string& file,
                                    const std::map<std::string, std::string>& defaults) {
  for (const CsvField& field : row.fields) {
    if (field.text.find('\r') == std::string_view::npos) continue;
    return Error{ErrorCode::kBadData, file +
                                          ": lines end in a bare carriage return; convert them "
                                          "to newlines (tr '\\r' '\\n')"};
  }
  FocusHeader header;
  header.position.fill(FocusHeader::kAbsent);
  header.fields = row.fields.size();
  std::set<std::string> names;
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    const std::string_view name = Trim(row.fields[i].text);
    names.insert(Lower(name));
    if (name.empty()) {
      header.warnings.push_back(file + ": column " + std::to_string(i + 1) +
                                " has no name and is ignored");
      header.ignored.push_back("_unnamed_" + std::to_string(i + 1));
      continue;
    }
    const std::optional<FocusColumn> column = ColumnNamed(name);
    if (!column) {
      header.ignored.emplace_back(name);
      continue;
    }
    int& position = header.position[static_cast<std::size_t>(*column)];
    if (position != FocusHeader::kAbsent) {
      return Error{ErrorCode::kBadData,
                   file + ": column " + NameOf(*column) + " is there twice; remove one of the two"};
    }
    position = static_cast<int>(i);
  }
  header.version = VersionOf(names);
  PLIMSOLL_RETURN_IF_ERROR(AddDefaults(defaults, header));
  PLIMSOLL_RETURN_IF_ERROR(CheckRequired(header, file));
  for (const FocusColumn column : kExpected) {
    if (header.At(column) == FocusHeader::kAbsent) {
      header.warnings.push_back(file + ": the header lacks " + NameOf(column) +
                                ", which FOCUS requires; it is read as null");
    }
  }
  return header;
}

}  // namespace plimsoll
