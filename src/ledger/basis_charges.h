// BasisCharges: the bill's rows behind each node, and behind each kind of off-node cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/explain.h"
#include "ledger/ledger.h"

namespace plimsoll {

// How off-node lines and off-node charges find each other: "Tax: Amazon EC2".
std::string ServiceKey(const std::string& workload_kind, const std::string& workload);

// Charges of one kind for one basis (see ExplainedBasis): node is empty off-node, service on.
struct BasisCharges {
  std::string cluster, node, service, currency;
  ExplainedCharges charges;
};

// Every charge with effective cost in the window, matched as allocation matches it, with the
// part of its cost that falls into the window; in a stable order.
Result<std::vector<BasisCharges>> ChargesByBasis(Ledger& ledger, Window window);

}  // namespace plimsoll
