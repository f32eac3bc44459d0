// Inline prices of plimsoll.yaml: contracted rates and owned nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "config/yaml_reader.h"
#include "model/price.h"

namespace plimsoll {

// Three capital letters: the shape of an ISO 4217 code.
bool IsCurrencyCode(std::string_view text);

// Reads key `prices` of `top`. A price without a currency is in `currency`, one without a
// source has `config_path` as its source. Prices of one thing must not overlap in time.
PriceBatch ReadPrices(YamlMap& top, const std::string& config_path, const std::string& currency);

}  // namespace plimsoll
