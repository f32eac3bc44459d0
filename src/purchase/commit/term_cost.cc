#include "purchase/commit/term_cost.h"

#include "base/check.h"
#include "purchase/commit/fixed_point.h"

namespace plimsoll {
namespace {

constexpr Money kPriceMax = Money::Units(10'000);
constexpr Money kUpfrontMax = Money::Units(10'000'000);

Error Wrong(const CommitmentOffer& offer, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "offer '" + offer.name + "': " + what};
}

// An offer of money: all of the term's commitment, half of it, or nothing is paid at the begin.
Money TermCostOfMoney(const CommitmentOffer& offer, std::int64_t rate_billionths) {
  const Money whole = Money::Units(kHoursPerMonth * offer.term_months);
  if (offer.payment == CommitmentPayment::kNoUpfront) return whole;
  const bool all = offer.payment == CommitmentPayment::kAllUpfront;
  const Money upfront = all ? whole : Money::FromNanos(whole.nanos() / 2);
  return whole - upfront + SpreadUpfront(upfront, offer.term_months, rate_billionths);
}

Status CheckPrices(const CommitmentOffer& offer) {
  if (offer.prices.empty()) return Wrong(offer, "has no rate");
  for (const FlavorPrice& price : offer.prices) {
    if (price.price < Money() || price.price > kPriceMax) {
      return Wrong(offer, "the rate of " + price.flavor + " must be from 0 to 10,000 a unit-hour");
    }
    if (IsOfMoney(offer.kind) && price.price == Money()) {
      return Wrong(offer, "the plan's rate of " + price.flavor + " must be above 0");
    }
  }
  return Ok();
}

}  // namespace

Money SpreadUpfront(Money upfront, std::int64_t months, std::int64_t rate_billionths) {
  PLIMSOLL_CHECK(months > 0 && upfront >= Money() && upfront <= kUpfrontMax);
  if (rate_billionths == 0 || upfront == Money()) return upfront;
  const int128 interest = GrowthAfter(rate_billionths, 1) - kFixedOne;
  const int128 discount = kFixedOne - kFixedOne * kFixedOne / GrowthAfter(rate_billionths, months);
  return Money::FromNanos(DivideHalfEven(upfront.nanos() * (interest * months), discount));
}

const Money* PriceOf(const CommitmentOffer& offer, std::string_view flavor) {
  const Money* any = nullptr;
  for (const FlavorPrice& price : offer.prices) {
    if (price.flavor == flavor) return &price.price;
    if (price.flavor == "*") any = &price.price;
  }
  return any;
}

Result<Money> TermCost(const CommitmentOffer& offer, std::string_view flavor,
                       std::int64_t rate_billionths) {
  if (IsOfMoney(offer.kind)) return TermCostOfMoney(offer, rate_billionths);
  const Money* const price = PriceOf(offer, flavor);
  if (price == nullptr) {
    return Error{ErrorCode::kNotFound,
                 "offer '" + offer.name + "' has no rate for " + std::string(flavor)};
  }
  const int128 hours = kHoursPerMonth * offer.term_months;
  return Money::FromNanos(price->nanos() * hours) +
         SpreadUpfront(offer.upfront, offer.term_months, rate_billionths);
}

Money HourlyOf(Money term_cost, std::int64_t months) {
  return Money::FromNanos(DivideHalfEven(term_cost.nanos(), int128{kHoursPerMonth} * months));
}

Status CheckOffer(const CommitmentOffer& offer) {
  if (offer.term_months < 1 || offer.term_months > 60) {
    return Wrong(offer, "the term must be from 1 month to 5 years");
  }
  PLIMSOLL_RETURN_IF_ERROR(CheckPrices(offer));
  if (offer.upfront < Money() || offer.upfront > kUpfrontMax) {
    return Wrong(offer, "upfront must be the amount of one unit, 0 to 10,000,000");
  }
  if (IsOfMoney(offer.kind)) {
    if (offer.upfront == Money()) return Ok();
    return Wrong(offer,
                 "a commitment of money has no upfront of its own: payment says what part "
                 "of it is paid at the begin");
  }
  const bool upfront = offer.payment != CommitmentPayment::kNoUpfront;
  if (offer.kind == CommitmentKind::kResourceCud && (upfront || offer.upfront != Money())) {
    return Wrong(offer, "a resource-based CUD is paid by the month, never upfront");
  }
  if (offer.kind == CommitmentKind::kResourceCud && !offer.attached_reservation) {
    return Wrong(offer,
                 "GPUs are committed only with a reservation attached, which holds them "
                 "in one zone; write attached_reservation: true");
  }
  if (upfront != (offer.upfront > Money())) {
    return Wrong(offer, upfront ? "upfront, the amount paid at the begin for one unit, is missing"
                                : "is no-upfront and has an upfront; write payment: "
                                  "partial-upfront or all-upfront");
  }
  if (offer.payment != CommitmentPayment::kAllUpfront) return Ok();
  for (const FlavorPrice& price : offer.prices) {
    if (price.price != Money()) {
      return Wrong(offer,
                   "is paid all-upfront and has an hourly rate; write rate: 0 or "
                   "partial-upfront");
    }
  }
  return Ok();
}

}  // namespace plimsoll
