// OfferRows: an offer of commitments from the words that a file or a person uses for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"

namespace plimsoll {

// Months: "1y", "36m", "3 years", "12". Null if it is none, or not from 1 month to 5 years.
std::optional<std::int64_t> ParseTerm(std::string_view text);

// By name; "ri", "sp", "cud" and the like too. Null if it is unknown.
std::optional<CommitmentKind> ParseKind(std::string_view text);
std::optional<CommitmentPayment> ParsePayment(std::string_view text);

// A price with at most nine decimals, 0 or more. Null if it is none.
std::optional<Money> ParsePrice(std::string_view text);

// One field that is wrong, with the remedy.
struct OfferProblem {
  std::string field;
  std::string reason;
};

// An offer or a part of one, as text; "" is not told.
struct OfferText {
  std::string name, kind, term, payment, flavor, rate, upfront, attached;
};
// Adds what is told to the offer of that name in `offers`, new if there is none.
std::vector<OfferProblem> AddOffer(const OfferText& text, std::vector<CommitmentOffer>& offers);

struct ExistingText {
  std::string name, flavor, units, rate, upfront, term, expires;
};
// An upfront is that of one unit and is spread over the term's hours.
std::vector<OfferProblem> AddExisting(const ExistingText& text,
                                      std::vector<ExistingCommitment>& existing);

}  // namespace plimsoll
