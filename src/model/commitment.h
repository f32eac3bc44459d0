// Commitments: what is used by the hour, what a promise of use is sold for, and the promises that
// were already made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// Use is counted in unit-milliseconds of an hour: one unit (a GPU, an instance) in use for a whole
// hour is this many, so that half a unit, a decimal of five places and GPU time are whole numbers.
inline constexpr std::int64_t kUnitHour = 3'600'000;

// Units of one flavor in use, an entry an hour that was measured; hours that lack are not in it.
struct HourlyUsage {
  std::string flavor;              // "" if the source tells none
  std::vector<Instant> hour;       // its begin, ascending
  std::vector<std::int64_t> used;  // unit-milliseconds, 0 or more
};

// What the promise is of: units of one flavor, or money an hour at the plan's own prices.
enum class CommitmentKind : unsigned char {
  kReservedInstance,  // AWS RI: units
  kReservation,       // Azure reservation: units; paying monthly costs the same
  kResourceCud,       // GCP resource-based CUD: units, never upfront, needs a reservation for GPUs
  kSavingsPlan,       // AWS or Azure savings plan: money an hour at plan prices
  kFlexibleCud,       // GCP spend-based CUD: the same
};
inline constexpr const char* kCommitmentKindNames[] = {
    "reserved-instance", "reservation", "resource-cud", "savings-plan", "flexible-cud"};

constexpr bool IsOfMoney(CommitmentKind kind) {
  return kind == CommitmentKind::kSavingsPlan || kind == CommitmentKind::kFlexibleCud;
}

enum class CommitmentPayment : unsigned char { kNoUpfront, kPartialUpfront, kAllUpfront };
inline constexpr const char* kCommitmentPaymentNames[] = {"no-upfront", "partial-upfront",
                                                          "all-upfront"};

// The price of one flavor under an offer, for a unit-hour.
struct FlavorPrice {
  std::string flavor;  // "*": any flavor
  Money price;
};

struct CommitmentOffer {
  std::string name;
  CommitmentKind kind = CommitmentKind::kReservedInstance;
  CommitmentPayment payment = CommitmentPayment::kNoUpfront;
  std::int64_t term_months = 12;
  // Of units: what one costs an hour besides `upfront`, by flavor. Of money: what use of the
  // flavor takes from the commitment, per unit-hour.
  std::vector<FlavorPrice> prices;
  Money upfront;  // of one unit, for the whole term
  // Of a resource CUD: capacity in one zone is held with it. GPUs are not sold without.
  bool attached_reservation = false;
};

// Units in force until `expires`; price is what one costs an hour, its upfront spread over its
// term: a prepaid unit is not free.
struct ExistingCommitment {
  std::string name;
  std::string flavor;
  std::int64_t units = 0;
  Money price;
  Instant expires;
};

}  // namespace plimsoll
