#include "purchase/commit/capacity_block.h"

#include <string>

namespace plimsoll {
namespace {

constexpr Duration kEndOfDay = Minutes(11 * 60 + 30);

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

bool IsSold(std::int64_t days) { return days >= 1 && days <= 182 && (days <= 14 || days % 7 == 0); }

std::string MinutesOf(Duration duration) {
  return std::to_string(duration.base() / Minutes(1).base()) + " minutes";
}

}  // namespace

Result<CapacityBlockTerms> TermsOf(const CapacityBlock& block, Instant now) {
  if (!IsSold(block.days)) {
    return Wrong("a capacity block of " + std::to_string(block.days) +
                 " days is not sold: 1 to 14 days, or weeks up to 182 days");
  }
  if (block.instances < 1 || block.instances > 64) {
    return Wrong("a capacity block has 1 to 64 instances, not " + std::to_string(block.instances));
  }
  if (block.price <= Money() || block.price > Money::Units(10'000)) {
    return Wrong("the price of an instance-hour must be above 0 and at most 10,000");
  }
  if (block.begin < now) return Wrong(ToString(block.begin) + " is past");
  if (Between(now, block.begin) > Days(56)) {
    return Wrong(ToString(block.begin) +
                 " is too far ahead: a capacity block begins within eight weeks");
  }
  CapacityBlockTerms terms;
  // The end of the last whole day that begins at 11:30.
  terms.end = FloorTo(block.begin - kEndOfDay, Days(1)) + kEndOfDay + Days(block.days);
  terms.terminates = terms.end - Minutes(block.ultra_server ? 60 : 30);
  terms.usable = Between(block.begin, terms.terminates);
  const int128 a_block = block.price.nanos() * 24 * block.days;
  terms.cost = Money::FromNanos(a_block * block.instances);
  if (terms.usable > Duration()) {
    terms.per_usable_hour =
        Money::FromNanos(DivideHalfEven(a_block * Hours(1).base(), terms.usable.base()));
  }
  return terms;
}

Status CheckJobFits(const CapacityBlock& block, const CapacityBlockTerms& terms, Instant begin,
                    Duration length) {
  const auto refuse = [](const std::string& what) {
    return Error{ErrorCode::kFailedPrecondition, what};
  };
  if (begin < block.begin) {
    return refuse("the job begins at " + ToString(begin) + ", the capacity block at " +
                  ToString(block.begin));
  }
  if (begin + length <= terms.terminates) return Ok();
  const Duration left = Between(begin, terms.terminates);
  return refuse("a job of " + MinutesOf(length) + " from " + ToString(begin) +
                " does not fit: instances are terminated from " + ToString(terms.terminates) +
                " on (the block ends at " + ToString(terms.end) + "); " +
                (left > Duration() ? "at most " + MinutesOf(left) + " are left"
                                   : std::string("nothing is left")));
}

}  // namespace plimsoll
