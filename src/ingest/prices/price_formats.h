// Price formats: which kind of price file a text is, and the readers of the foreign kinds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/price_file.h"

namespace plimsoll {

enum class PriceFormat : unsigned char {
  kCsv,             // docs/formats/prices.md
  kYaml,            // docs/formats/prices.md
  kAwsSpotHistory,  // output of `aws ec2 describe-spot-price-history`
  kOpenCost,        // custom pricing CSV: EndTimestamp,InstanceID,Region,AssetClass,...
  kSkyPilot,        // catalogs/v*/CLOUD/vms.csv
};

// By content only; null if it is none of them.
std::optional<PriceFormat> DetectPriceFormat(std::string_view text);

struct ForeignPrices {
  PriceFile file;
  std::vector<std::string> warnings;
};

// Spot prices of Linux by zone: each from its time stamp until the zone's next one, the last
// without an end. The price's region is the zone.
ForeignPrices ReadAwsSpotHistory(const std::string& file, std::string_view text,
                                 const PriceDefaults& defaults);

// Rows of asset class node that are matched by instance type or node name, as contracted
// prices without a validity: OpenCost itself does not look at EndTimestamp, it becomes the as_of
// date.
ForeignPrices ReadOpenCost(const std::string& file, std::string_view text,
                           const PriceDefaults& defaults);

// On-demand prices by region and spot prices by zone, from defaults.as_of on: the files carry
// no date and outlive price cuts. Host-only prices (machine types whose accelerator is priced
// in a row of its own) are refused. `catalog` tells which types have accelerators.
ForeignPrices ReadSkyPilot(const std::string& file, std::string_view text,
                           const PriceDefaults& defaults, const Catalog& catalog);

}  // namespace plimsoll
