// Price files: prices as people write them, in CSV or YAML (docs/formats/prices.md).
//
// Used for the built-in catalog, for the configuration's own prices and by ingest/prices. A
// row that is wrong is left out and reported with file, line, field and remedy; what the
// caller does with that (fail, or quarantine) is its own matter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/import.h"
#include "model/price.h"

namespace plimsoll {

// Values for rows that do not give their own.
struct PriceDefaults {
  std::string provider = {};
  std::string currency = {};
  std::string rung = kRungContracted;
  std::string source = {};
  std::string as_of = {};
};

struct PriceFile {
  std::string name;  // as the file declares it; "" if it does not
  PriceBatch prices;
  std::vector<std::int64_t> lines;  // of each price
  std::vector<Rejection> rejections;
};

// One price as text, field by field; "" takes the default or is absent.
struct PriceText {
  std::string_view provider, region, instance_type, purchase, rung, currency;
  std::string_view amount, per, valid_from, valid_until, source, as_of;
};

struct FieldProblem {
  std::string field;
  std::string reason;
};

// Adds the price to `prices`, or nothing and all that is wrong with it. Amounts keep every
// digit: one with more than nine decimals is stored for a longer block.
std::vector<FieldProblem> AppendPrice(const PriceText& text, const PriceDefaults& defaults,
                                      PriceBatch& prices);

// `file` is used in rejections. A file that is no price file at all has one rejection.
PriceFile ReadPriceCsv(const std::string& file, std::string_view text,
                       const PriceDefaults& defaults);
PriceFile ReadPriceYaml(const std::string& file, const std::string& text,
                        const PriceDefaults& defaults);

// "file:line: field: reason", for people.
std::string ToText(const Rejection& rejection);

}  // namespace plimsoll
