#include "ingest/focus/focus_row.h"

#include <algorithm>

#include "store/utf8.h"

namespace plimsoll {
namespace {

// No charge of a bill lasts longer: it would spread a typing error over a century of hours.
constexpr Duration kLongestCharge = Days(3'660);

constexpr std::size_t kTimeSlots = 2'048;  // two months of hours, and room
constexpr std::size_t kTagSlots = 4'096;
constexpr std::size_t kDetailSlots = 1'024;

// One row of the store holds less than 10^9 units (DECIMAL(18,9)).
constexpr Money kCostLimit = Money::Units(1'000'000'000);

constexpr FocusColumn kCostColumns[kChargeCosts] = {
    FocusColumn::kBilledCost, FocusColumn::kEffectiveCost, FocusColumn::kListCost,
    FocusColumn::kContractedCost};
constexpr std::size_t kMandatoryCosts = 2;  // billed and effective

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string Shown(std::string_view text) { return "'" + std::string(text.substr(0, 60)) + "'"; }

bool IsCurrency(std::string_view text) {
  return text.size() == 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string_view FirstOf(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!text.empty()) return text;
  }
  return {};
}

std::optional<Instant> TimeOf(std::string_view text) {
  const Result<Instant> time = ParseInstant(text);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

FocusRowReader::FocusRowReader(const FocusHeader& header,
                               const std::vector<std::string>& null_tokens)
    : header_(header),
      null_tokens_(null_tokens),
      times_(kTimeSlots),
      tags_(kTagSlots),
      instance_types_(kDetailSlots) {}

bool FocusRowReader::Refuse(FocusColumn column, std::string reason) {
  field_ = kFocusColumnNames[static_cast<std::size_t>(column)];
  reason_ = std::move(reason);
  return false;
}

bool FocusRowReader::IsNull(const CsvField& field) const {
  if (field.text.empty()) return true;
  if (field.quoted) return false;
  return std::any_of(null_tokens_.begin(), null_tokens_.end(),
                     [&](const std::string& token) { return field.text == token; });
}

// Texts by column, as far as the row has fields; false if they are not what the header says.
bool FocusRowReader::ReadFields(const CsvRow& row, FocusRow& out) {
  for (std::size_t i = 0; i < kFocusColumns; ++i) {
    out.text[i] = {};
    if (header_.position[i] == FocusHeader::kAbsent) continue;
    const auto at = static_cast<std::size_t>(header_.position[i]);
    if (at >= header_.fields) {
      out.text[i] = header_.constants[at - header_.fields];
    } else if (at < row.fields.size() && !IsNull(row.fields[at])) {
      out.text[i] = row.fields[at].text;
    }
  }
  out.provider = FirstOf({out[FocusColumn::kServiceProviderName], out[FocusColumn::kProviderName]});
  out.issuer = FirstOf({out[FocusColumn::kInvoiceIssuerName], out.provider});
  field_.clear();
  if (row.defect == CsvDefect::kQuoteNotClosed) {
    reason_ = "a quote is not closed before the end of the file; close it";
  } else if (row.defect == CsvDefect::kTextAfterQuote) {
    reason_ = "text after a closing quote; write a quote inside a quoted field as two";
  } else if (row.fields.size() != header_.fields) {
    reason_ = std::to_string(row.fields.size()) + " fields where the header has " +
              std::to_string(header_.fields) + "; quote fields that hold commas";
  } else if (!IsUtf8(row.raw)) {
    reason_ = "not UTF-8 text; export the bill as UTF-8";
  } else {
    return true;
  }
  return false;
}

bool FocusRowReader::ReadTexts(FocusRow& out) {
  if (out.provider.empty()) {
    return Refuse(header_.At(FocusColumn::kServiceProviderName) == FocusHeader::kAbsent
                      ? FocusColumn::kProviderName
                      : FocusColumn::kServiceProviderName,
                  "is null; FOCUS requires it");
  }
  if (out[FocusColumn::kBillingAccountId].empty()) {
    return Refuse(FocusColumn::kBillingAccountId, "is null; FOCUS requires it");
  }
  if (!IsCurrency(out[FocusColumn::kBillingCurrency])) {
    return Refuse(FocusColumn::kBillingCurrency, Shown(out[FocusColumn::kBillingCurrency]) +
                                                     " is not an ISO 4217 code such as USD");
  }
  if (!ParseChargeCategory(out[FocusColumn::kChargeCategory])) {
    return Refuse(FocusColumn::kChargeCategory,
                  Shown(out[FocusColumn::kChargeCategory]) +
                      " is none of Usage, Purchase, Tax, Credit, Adjustment");
  }
  const NormalisedTags& tags = tags_.Get(out[FocusColumn::kTags], NormaliseTags);
  out.tags = tags.json;
  out.tags_defect = tags.defect;
  out.instance_type =
      FirstOf({out[FocusColumn::kInstanceType], out[FocusColumn::kSkuInstanceType]});
  for (const FocusColumn column : {FocusColumn::kSkuPriceDetails, FocusColumn::kSkuDetails}) {
    if (!out.instance_type.empty() || out[column].empty()) continue;
    out.instance_type = instance_types_.Get(out[column], InstanceTypeOf);
  }
  return true;
}

bool FocusRowReader::ReadTime(FocusColumn column, const FocusRow& row, Instant* out) {
  const std::string_view text = TrimBlanks(row[column]);
  if (text.empty()) return Refuse(column, "is null; FOCUS requires it");
  const std::optional<Instant>& time = times_.Get(text, TimeOf);
  if (!time) return Refuse(column, Shown(text) + " is not a time such as 2026-11-23T00:00:00Z");
  *out = *time;
  return true;
}

bool FocusRowReader::ReadPeriods(FocusRow& out) {
  if (!ReadTime(FocusColumn::kBillingPeriodStart, out, &out.billing.begin)) return false;
  if (!ReadTime(FocusColumn::kBillingPeriodEnd, out, &out.billing.until)) return false;
  if (out.billing.empty()) {
    return Refuse(FocusColumn::kBillingPeriodEnd,
                  "is not after BillingPeriodStart; the end is exclusive");
  }
  // A credit or fee without dates is booked on the billing period.
  out.charge = out.billing;
  if (!out[FocusColumn::kChargePeriodStart].empty() &&
      !ReadTime(FocusColumn::kChargePeriodStart, out, &out.charge.begin)) {
    return false;
  }
  if (!out[FocusColumn::kChargePeriodEnd].empty() &&
      !ReadTime(FocusColumn::kChargePeriodEnd, out, &out.charge.until)) {
    return false;
  }
  if (out.charge.empty()) {
    return Refuse(FocusColumn::kChargePeriodEnd,
                  "is not after ChargePeriodStart; the end is exclusive");
  }
  if (out.charge.length() > kLongestCharge) {
    return Refuse(FocusColumn::kChargePeriodEnd,
                  "is more than ten years after ChargePeriodStart; correct the year");
  }
  return true;
}

bool FocusRowReader::ReadCosts(FocusRow& out) {
  for (std::size_t i = 0; i < kChargeCosts; ++i) {
    const std::string_view text = TrimBlanks(out[kCostColumns[i]]);
    out.costs[i].reset();
    if (text.empty()) {
      if (i < kMandatoryCosts) return Refuse(kCostColumns[i], "is null; FOCUS requires it");
      continue;
    }
    Result<ExactDecimal> cost = ExactDecimal::Parse(text);
    if (!cost) return Refuse(kCostColumns[i], std::move(cost).error().message);
    // The largest floor may still be raised by one nano.
    if (cost->floor() <= -kCostLimit || cost->floor() >= kCostLimit - Money::FromNanos(1)) {
      return Refuse(kCostColumns[i], Shown(text) + ": one charge holds less than 10^9 units");
    }
    out.costs[i] = *cost;
  }
  return true;
}

// Gathers what can be read of a refused row, so that its money and its bill are known.
void FocusRowReader::Explain(const CsvRow& row, FocusRow& out, RefusedRow& refused) {
  refused = {};
  refused.field = field_;
  refused.reason = reason_;
  const auto cost = [&](FocusColumn column) -> std::optional<ExactDecimal> {
    const Result<ExactDecimal> value = ExactDecimal::Parse(TrimBlanks(out[column]));
    return value ? std::optional(*value) : std::nullopt;
  };
  refused.billed = cost(FocusColumn::kBilledCost);
  refused.effective = cost(FocusColumn::kEffectiveCost);
  // In a row with too few or too many fields, texts may stand under the wrong name.
  if (row.fields.size() != header_.fields || !IsUtf8(row.raw)) return;
  refused.provider = out.provider;
  if (!IsCurrency(out[FocusColumn::kBillingCurrency])) return;
  refused.currency = out[FocusColumn::kBillingCurrency];
  if (out.issuer.empty() || out[FocusColumn::kBillingAccountId].empty()) return;
  Window period;
  if (!ReadTime(FocusColumn::kBillingPeriodStart, out, &period.begin)) return;
  if (!ReadTime(FocusColumn::kBillingPeriodEnd, out, &period.until)) return;
  if (period.empty()) return;
  refused.scope = BillingScope{.issuer = std::string(out.issuer),
                               .account = std::string(out[FocusColumn::kBillingAccountId]),
                               .currency = refused.currency,
                               .period = period};
}

bool FocusRowReader::Read(const CsvRow& row, FocusRow& out, RefusedRow& refused) {
  if (ReadFields(row, out) && ReadTexts(out) && ReadPeriods(out) && ReadCosts(out)) return true;
  Explain(row, out, refused);
  return false;
}

void WriteCharge(const FocusRow& charge, std::int64_t line, ChargeBatch& batch, std::size_t row) {
  using C = FocusColumn;
  const auto floor = [](const std::optional<ExactDecimal>& cost) -> std::optional<Money> {
    return cost ? std::optional(cost->floor()) : std::nullopt;
  };
  batch.line[row] = line;
  batch.provider[row] = charge.provider;
  batch.issuer[row] = charge.issuer;
  batch.account[row] = charge[C::kBillingAccountId];
  batch.account_name[row] = charge[C::kBillingAccountName];
  batch.currency[row] = charge[C::kBillingCurrency];
  batch.billing_begin[row] = charge.billing.begin;
  batch.billing_until[row] = charge.billing.until;
  batch.charge_begin[row] = charge.charge.begin;
  batch.charge_until[row] = charge.charge.until;
  batch.category[row] = charge[C::kChargeCategory];
  batch.charge_class[row] = charge[C::kChargeClass];
  batch.frequency[row] = charge[C::kChargeFrequency];
  batch.description[row] = charge[C::kChargeDescription];
  batch.service_category[row] = charge[C::kServiceCategory];
  batch.service_name[row] = charge[C::kServiceName];
  batch.sub_account[row] = charge[C::kSubAccountId];
  batch.sub_account_name[row] = charge[C::kSubAccountName];
  batch.resource_id[row] = charge[C::kResourceId];
  batch.resource_name[row] = charge[C::kResourceName];
  batch.resource_type[row] = charge[C::kResourceType];
  batch.region[row] = charge[C::kRegionId];
  batch.zone[row] = charge[C::kAvailabilityZone];
  batch.sku_id[row] = charge[C::kSkuId];
  batch.sku_price_id[row] = charge[C::kSkuPriceId];
  batch.instance_type[row] = charge.instance_type;
  batch.pricing_category[row] = charge[C::kPricingCategory];
  batch.pricing_quantity[row] = charge[C::kPricingQuantity];
  batch.pricing_unit[row] = charge[C::kPricingUnit];
  batch.consumed_quantity[row] = charge[C::kConsumedQuantity];
  batch.consumed_unit[row] = charge[C::kConsumedUnit];
  batch.commitment_id[row] = charge[C::kCommitmentDiscountId];
  batch.commitment_status[row] = charge[C::kCommitmentDiscountStatus];
  batch.invoice_id[row] = charge[C::kInvoiceId];
  batch.tags[row] = charge.tags;
  batch.billed_cost[row] = charge.costs[0]->floor();
  batch.effective_cost[row] = charge.costs[1]->floor();
  batch.list_cost[row] = floor(charge.costs[2]);
  batch.contracted_cost[row] = floor(charge.costs[3]);
}

CostRests RestsOf(const FocusRow& charge) {
  CostRests rests{};
  for (std::size_t i = 0; i < kChargeCosts; ++i) {
    if (charge.costs[i]) rests[i] = charge.costs[i]->rest();
  }
  return rests;
}

}  // namespace plimsoll
