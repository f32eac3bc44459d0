// ImportPrices: price files of several kinds into the price table.
//
// A kind is recognised by its content: Plimsoll's own CSV and YAML (with owned nodes), AWS
// spot price history, OpenCost custom pricing, SkyPilot catalogs; see docs/formats/prices.md.
// One snapshot a file's declared name, else a file name: loading the same prices again, in
// another order or twice, changes nothing; other prices of that name restate it. A row that
// is wrong, doubtful or contradicts another goes to the quarantine; the others are loaded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct PricesOptions {
  std::vector<std::string> files;
  // For rows that do not say it themselves; "" if every row does.
  std::string provider;
  std::string currency = "USD";
  std::string source;  // default: the file's name
  std::string as_of;   // date on which the prices were read; SkyPilot catalogs need it
  Progress progress;   // files
};

// One price file, already read.
struct PriceInput {
  std::string name;  // for messages, and the scope of a file that declares no name
  std::string text;
};

// Fails with kNotFound (files), kBadData (a file of no known kind), or as the store does;
// then nothing was changed.
Result<ImportReport> ImportPrices(Store& store, const PricesOptions& options);

// As above for texts in memory; options.files is not looked at.
Result<ImportReport> ImportPriceTexts(Store& store, const std::vector<PriceInput>& inputs,
                                      const PricesOptions& options);

}  // namespace plimsoll
