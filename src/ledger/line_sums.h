// LineSums: the sums at the end of every grouped query over cost lines, and their row of figures.
// RunQuery and RunSharedQuery ask for the same sums, each behind keys of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "ledger/query.h"
#include "sharing/sharing.h"
#include "store/store.h"

namespace plimsoll {

struct LineSums {
  // Without a signal: class usage_unknown; all of it if none that is held has one.
  std::vector<GpuHours> gpu_time, gpu_used, gpu_unknown;
  std::array<std::vector<MoneyTotal>, kCostKindCount> cost;

  // Adds the columns, in the order of LineSumsSql.
  void AppendTo(BatchRef& refs);
  SharingAmounts At(std::size_t row) const;
};

// "sum(l.gpu_time)::BIGINT, ..." over the alias l of kLedgerFrom.
std::string LineSumsSql();

// GPU time used is null where all of it is without a signal.
LedgerRow RowOf(std::vector<std::string> keys, const SharingAmounts& amounts);

}  // namespace plimsoll
