// Any bytes through every price reader: no crash, no price that breaks the table's promises,
// and settled rows stay settled.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "catalog/catalog.h"
#include "catalog/price_book.h"
#include "ingest/prices/price_formats.h"
#include "ingest/prices/price_rows.h"

namespace plimsoll {
namespace {

void CheckFile(const PriceFile& file) {
  const PriceBatch& prices = file.prices;
  PLIMSOLL_CHECK(RowsOf(prices) == file.lines.size());
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    PLIMSOLL_CHECK(prices.amount[row] > Money());
    PLIMSOLL_CHECK(prices.amount[row] < Money::Units(1'000'000'000));
    PLIMSOLL_CHECK(prices.per_seconds[row] > 0);
    PLIMSOLL_CHECK(!prices.valid_until[row] || prices.valid_from[row] < *prices.valid_until[row]);
    PLIMSOLL_CHECK(!prices.instance_type[row].empty() && !prices.provider[row].empty());
  }
  for (const Rejection& rejection : file.rejections) PLIMSOLL_CHECK(!rejection.reason.empty());

  PlacedPrices placed{prices, {}, file.lines};
  placed.files.assign(file.lines.size(), "f");
  const SettledPrices settled = SettlePrices(placed);
  PLIMSOLL_CHECK(RowsOf(settled.prices) + static_cast<std::size_t>(settled.duplicates) +
                     settled.rejections.size() ==
                 RowsOf(prices));
  PlacedPrices again{settled.prices, {}, {}};
  again.files.assign(RowsOf(settled.prices), "f");
  again.lines.assign(RowsOf(settled.prices), 0);
  const SettledPrices twice = SettlePrices(again);
  PLIMSOLL_CHECK(twice.prices.amount == settled.prices.amount);
  PLIMSOLL_CHECK(twice.duplicates == 0 && twice.rejections.empty());
  PriceJumps(settled.prices, prices);

  const PriceBook book(settled.prices);
  for (std::size_t row = 0; row < RowsOf(settled.prices); ++row) {
    const PriceQuery query{.provider = settled.prices.provider[row],
                           .region = settled.prices.region[row],
                           .instance_type = settled.prices.instance_type[row],
                           .purchase = settled.prices.purchase[row]};
    PLIMSOLL_CHECK(book.Find(query, settled.prices.valid_from[row]).has_value());
  }
}

void RunAll(const std::string& text) {
  static const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  PriceDefaults defaults;
  defaults.provider = "aws";
  defaults.currency = "USD";
  defaults.as_of = "2026-07-20";
  DetectPriceFormat(text);
  CheckFile(ReadPriceCsv("f", text, defaults));
  CheckFile(ReadPriceYaml("f", text, defaults));
  CheckFile(ReadAwsSpotHistory("f", text, defaults).file);
  CheckFile(ReadOpenCost("f", text, defaults).file);
  CheckFile(ReadSkyPilot("f", text, defaults, catalog).file);
  for (const char* name : {"f.yaml", "f.csv"}) {
    const Result<Catalog> loaded = Catalog::Load({{name, text}});
    PLIMSOLL_CHECK(loaded.has_value() || !loaded.error().message.empty());
  }
}

}  // namespace
}  // namespace plimsoll

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  plimsoll::RunAll(std::string(data, data + size));
  return 0;
}
