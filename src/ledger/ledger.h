// Ledger: brings facts from the store through allocation, a UTC day at a time, and keeps the
// cost lines. The one place that computes what every report, query and explanation reads.
//
// A day is computed again only if something that it depends on changed: charges, holdings,
// nodes or prices that touch it, its usage, or the options. The result does not depend on
// which days were computed when, nor on the order in which facts were loaded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "allocation/allocation.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "config/config.h"
#include "store/store.h"

namespace plimsoll {

struct LedgerOptions {
  AllocationOptions allocation;  // window, data_until and node_resources are filled in
  PriceBatch prices;             // from the configuration, laid over stored and catalog prices
  int threads = 2;               // days computed at the same time
  Progress progress;
};

// The allocation options that a configuration asks for.
Result<LedgerOptions> LedgerOptionsOf(const Config& config);

class Ledger {
 public:
  // The catalog must outlive the ledger.
  static Result<Ledger> Open(Store& store, const Catalog& catalog, LedgerOptions options);

  // Makes the cost lines of every UTC day that touches `window` current.
  Status Refresh(Window window);

  // The span of charges and usage, or without them of the holdings, cut to whole UTC days.
  // Empty if nothing is loaded.
  Result<Window> Extent();

  // How far the telemetry and occupancy facts reach; 0 if there are none.
  Result<Instant> DataAsOf();

  Store& store() { return *store_; }
  const Catalog& catalog() const { return *catalog_; }
  const LedgerOptions& options() const { return options_; }

 private:
  Ledger(Store& store, const Catalog& catalog, LedgerOptions options)
      : store_(&store), catalog_(&catalog), options_(std::move(options)) {}

  Store* store_;
  const Catalog* catalog_;
  LedgerOptions options_;
};

}  // namespace plimsoll
