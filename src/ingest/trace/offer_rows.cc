#include "ingest/trace/offer_rows.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHoursPerMonth = 730;

std::optional<std::int64_t> Whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

CommitmentOffer& OfferOf(const std::string& name, std::vector<CommitmentOffer>& offers) {
  const auto known = std::find_if(offers.begin(), offers.end(),
                                  [&](const CommitmentOffer& offer) { return offer.name == name; });
  if (known != offers.end()) return *known;
  offers.emplace_back().name = name;
  return offers.back();
}

// The flavors that a field names: "H100;H200", "*", or "" for any.
std::vector<std::string> FlavorsOf(std::string_view text) {
  std::vector<std::string> flavors;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view flavor = text.substr(0, end);
    while (flavor.starts_with(' ')) flavor.remove_prefix(1);
    while (flavor.ends_with(' ')) flavor.remove_suffix(1);
    if (!flavor.empty()) flavors.emplace_back(flavor);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (flavors.empty()) flavors.emplace_back("*");
  return flavors;
}

void SetPrices(const OfferText& text, CommitmentOffer& offer, std::vector<OfferProblem>& problems) {
  if (text.rate.empty()) return;
  const std::optional<Money> price = ParsePrice(text.rate);
  if (!price) {
    problems.push_back({"rate", "'" + text.rate + "' is not the price of a unit-hour"});
    return;
  }
  for (std::string& flavor : FlavorsOf(text.flavor)) {
    const bool twice = std::any_of(offer.prices.begin(), offer.prices.end(),
                                   [&](const FlavorPrice& p) { return p.flavor == flavor; });
    if (twice) {
      problems.push_back({"flavor", "'" + flavor + "' has two rates in offer " + offer.name});
    } else {
      offer.prices.push_back({std::move(flavor), *price});
    }
  }
}

}  // namespace

std::optional<std::int64_t> ParseTerm(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view unit = text.substr(digits);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const std::optional<std::int64_t> count = Whole(text.substr(0, digits));
  std::int64_t months = 0;
  if (unit.empty() || unit == "m" || unit == "mo" || unit == "month" || unit == "months") {
    months = 1;
  } else if (unit == "y" || unit == "yr" || unit == "year" || unit == "years") {
    months = 12;
  }
  if (!count || months == 0 || *count < 1 || *count > 60 / months) return std::nullopt;
  return *count * months;
}

std::optional<CommitmentKind> ParseKind(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kCommitmentKindNames); ++i) {
    if (text == kCommitmentKindNames[i]) return static_cast<CommitmentKind>(i);
  }
  constexpr std::pair<std::string_view, CommitmentKind> kOthers[] = {
      {"ri", CommitmentKind::kReservedInstance},
      {"reserved", CommitmentKind::kReservedInstance},
      {"azure-reservation", CommitmentKind::kReservation},
      {"cud", CommitmentKind::kResourceCud},
      {"gcp-cud", CommitmentKind::kResourceCud},
      {"sp", CommitmentKind::kSavingsPlan},
      {"azure-savings-plan", CommitmentKind::kSavingsPlan},
      {"flex-cud", CommitmentKind::kFlexibleCud}};
  for (const auto& [name, kind] : kOthers) {
    if (text == name) return kind;
  }
  return std::nullopt;
}

std::optional<CommitmentPayment> ParsePayment(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kCommitmentPaymentNames); ++i) {
    if (text == kCommitmentPaymentNames[i]) return static_cast<CommitmentPayment>(i);
  }
  if (text == "monthly" || text == "none") return CommitmentPayment::kNoUpfront;
  if (text == "partial") return CommitmentPayment::kPartialUpfront;
  if (text == "all" || text == "upfront") return CommitmentPayment::kAllUpfront;
  return std::nullopt;
}

std::optional<Money> ParsePrice(std::string_view text) {
  const Result<ExactDecimal> price = ExactDecimal::Parse(text);
  if (!price || !price->is_nano_exact() || price->floor() < Money()) return std::nullopt;
  return price->floor();
}

std::vector<OfferProblem> AddOffer(const OfferText& text, std::vector<CommitmentOffer>& offers) {
  std::vector<OfferProblem> problems;
  if (text.name.empty()) return {{"name", "is missing"}};
  CommitmentOffer& offer = OfferOf(text.name, offers);
  const auto refuse = [&](const char* field, const std::string& value, const char* forms) {
    problems.push_back({field, "'" + value + "' is not " + forms});
  };
  if (!text.kind.empty()) {
    const auto kind = ParseKind(text.kind);
    if (!kind) {
      refuse("kind", text.kind,
             "reserved-instance, reservation, resource-cud, savings-plan or flexible-cud");
    }
    offer.kind = kind.value_or(offer.kind);
  }
  if (!text.term.empty()) {
    const auto months = ParseTerm(text.term);
    if (!months) refuse("term", text.term, "a term such as 1y, 3y or 6m, up to 5 years");
    offer.term_months = months.value_or(offer.term_months);
  }
  if (!text.payment.empty()) {
    const auto payment = ParsePayment(text.payment);
    if (!payment) refuse("payment", text.payment, "no-upfront, partial-upfront or all-upfront");
    offer.payment = payment.value_or(offer.payment);
  }
  if (!text.upfront.empty()) {
    const auto upfront = ParsePrice(text.upfront);
    if (!upfront) refuse("upfront", text.upfront, "the amount paid at the begin for one unit");
    offer.upfront = upfront.value_or(Money());
  }
  if (!text.attached.empty()) {
    if (text.attached != "true" && text.attached != "false") {
      refuse("attached_reservation", text.attached, "true or false");
    }
    offer.attached_reservation = text.attached == "true";
  }
  SetPrices(text, offer, problems);
  return problems;
}

std::vector<OfferProblem> AddExisting(const ExistingText& text,
                                      std::vector<ExistingCommitment>& existing) {
  std::vector<OfferProblem> problems;
  ExistingCommitment out;
  out.name = text.name;
  out.flavor = text.flavor;
  if (text.name.empty()) problems.push_back({"name", "is missing"});
  const std::optional<std::int64_t> units = Whole(text.units);
  if (!units || *units < 1 || *units > 1'000'000) {
    problems.push_back({"units", "'" + text.units + "' is not a whole number of units"});
  }
  const std::optional<Money> rate = ParsePrice(text.rate.empty() ? "0" : text.rate);
  const std::optional<Money> upfront = ParsePrice(text.upfront.empty() ? "0" : text.upfront);
  const std::optional<std::int64_t> months = ParseTerm(text.term.empty() ? "1y" : text.term);
  if (!rate || *rate > Money::Units(10'000)) {
    problems.push_back({"rate", "'" + text.rate + "' is not the price of a unit-hour"});
  }
  if (!upfront || *upfront > Money::Units(10'000'000)) {
    problems.push_back({"upfront", "'" + text.upfront + "' is not the amount of one unit"});
  }
  if (!months) problems.push_back({"term", "'" + text.term + "' is not a term such as 1y"});
  if (upfront && *upfront > Money() && text.term.empty()) {
    problems.push_back({"term", "is missing: the upfront is spread over it"});
  }
  if (text.rate.empty() && text.upfront.empty()) {
    problems.push_back({"rate", "is missing; what is prepaid has upfront and term"});
  }
  const Result<Instant> expires = ParseInstant(text.expires);
  if (!expires) {
    problems.push_back({"expires", "'" + text.expires + "' is not a date such as 2027-06-30"});
  }
  if (!problems.empty()) return problems;
  out.units = *units;
  out.price =
      *rate + Money::FromNanos(DivideHalfEven(upfront->nanos(), int128{kHoursPerMonth} * *months));
  out.expires = *expires;
  existing.push_back(std::move(out));
  return problems;
}

}  // namespace plimsoll
