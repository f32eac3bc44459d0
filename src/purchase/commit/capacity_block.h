// CapacityBlock: GPU capacity bought for days ahead (AWS Capacity Blocks for ML), with the end
// that it really has.
//
// A block is paid whole at the purchase and neither changed nor cancelled. It ends at 11:30 UTC,
// and its instances are terminated from 30 minutes before on (60 for UltraServers), so a day has
// 23.5 usable hours. Savings plans and reservations do not lower its price.
// Rules: docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct CapacityBlock {
  Instant begin;               // 11:30 UTC, or later on the first day
  std::int64_t days = 1;       // 1 to 14, or a multiple of 7 up to 182
  std::int64_t instances = 1;  // 1 to 64
  Money price;                 // of an instance-hour
  bool ultra_server = false;
};

struct CapacityBlockTerms {
  Instant end;         // 11:30 UTC
  Instant terminates;  // nothing runs from here on
  Duration usable;
  Money cost;             // price x 24 hours x days x instances, paid at the purchase
  Money per_usable_hour;  // of an instance: 39.33 a day long is 40.167 an hour used
};

// Fails with kInvalidArgument, naming the rule: days that are not sold, a begin that is past or
// more than eight weeks ahead, a count of instances.
Result<CapacityBlockTerms> TermsOf(const CapacityBlock& block, Instant now);

// Fails with kFailedPrecondition where a job of `length` from `begin` on would still run when the
// instances are terminated, or begin before the block does; says what would fit.
Status CheckJobFits(const CapacityBlock& block, const CapacityBlockTerms& terms, Instant begin,
                    Duration length);

}  // namespace plimsoll
