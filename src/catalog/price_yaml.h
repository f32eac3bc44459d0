// Prices within a YAML document: a price file's, or the configuration's own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/price_file.h"
#include "catalog/yaml_fields.h"

namespace plimsoll {

// Reads the lists `prices` and `on_prem` of `fields` into `result` (docs/formats/prices.md).
// A wrong entry is left out and all that is wrong with it goes to result.rejections.
// REQUIRES: `fields` reports to result.rejections.
void ReadPriceLists(YamlFields& fields, const std::string& file, const PriceDefaults& defaults,
                    PriceFile& result);

// The defaults that a document gives at its top: provider, currency, rung, source, as_of.
PriceDefaults ReadPriceDefaults(YamlFields& fields, const PriceDefaults& fallback);

}  // namespace plimsoll
