// OnPremPrice: what an owned node costs, as a price that nothing has divided.
//
// An owned node is paid over its amortization period. The price is the money of that whole
// period for a block of that whole period, so that no rounding enters before a usage is
// multiplied in:
//
//   amount = capex - residual + months x hosting
//          + capex x support a year x months / 12
//          + price per kWh x kW x PUE x 730 x months          rounded once, half to even
//   per    = months x 730 h                                   (a month is 8760 h / 12)
//
// Worked example: capex 350'400, 48 months, 10 kW at PUE 1.25 and 0.12 a kWh, hosting 730 a
// month, support 5 % a year. An hour costs 10 (350'400 / 35'040 h) + 1.5 (10 x 1.25 x 0.12)
// + 1 (730 / 730 h) + 2 (350'400 x 5 % / 8760 h) = 14.5; the price is 14.5 x 35'040 h =
// 508'080 per 126'144'000 s.
//
// After the period the hardware is paid for: give the node a second entry with capex 0 from
// that day on, so that the change is visible.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

inline constexpr std::int64_t kHoursPerMonth = 730;
inline constexpr std::int64_t kSecondsPerMonth = kHoursPerMonth * 3600;

struct OnPremNode {
  Money capex;     // bought and installed
  Money residual;  // what it is sold for at the end
  std::int64_t amortization_months = 0;
  std::int64_t power_watts = 0;    // mean draw of the node at the plug
  std::int64_t pue_milli = 1'000;  // power usage effectiveness: 1.25 is 1250
  Money price_per_kwh;
  Money hosting_per_month;       // rack, network, hands
  std::int64_t support_ppm = 0;  // of capex a year: 5 % is 50'000
};

struct BlockPrice {
  Money amount;
  std::int64_t per_seconds = 0;

  friend bool operator==(const BlockPrice&, const BlockPrice&) = default;
};

// Fails with kInvalidArgument if months are not 1..600, PUE is below 1, a figure is negative
// or the residual exceeds capex; with kOutOfRange if the amount reaches 10^9 units (the
// store's limit for one row).
Result<BlockPrice> OnPremPrice(const OnPremNode& node);

}  // namespace plimsoll
