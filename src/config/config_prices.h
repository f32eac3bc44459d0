// Inline prices of plimsoll.yaml: negotiated rates and owned nodes, written as in price files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "config/yaml_reader.h"
#include "model/price.h"

namespace plimsoll {

// Three capital letters: the shape of an ISO 4217 code.
bool IsCurrencyCode(std::string_view text);

// Reads the lists `prices` and `on_prem` of `document` (docs/formats/prices.md). A price
// without a currency is in `currency`, one without a source has `config_path` as its source.
// Prices of one thing must not overlap in time. `document` is a mapping.
PriceBatch ReadPrices(const YAML::Node& document, const std::string& config_path,
                      const std::string& currency, YamlErrors& errors);

}  // namespace plimsoll
