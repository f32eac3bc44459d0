#include "ingest/prices/prices_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "catalog/catalog.h"
#include "catalog/price_file.h"
#include "ingest/prices/price_formats.h"
#include "ingest/prices/price_rows.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: cannot be read; is the path right?", path)};
  }
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return Error{ErrorCode::kUnavailable, fmt::format("{}: read error", path)};
  return std::move(text).str();
}

// Reads all inputs, then loads what they hold scope by scope.
class PriceImport {
 public:
  PriceImport(Store& store, const PricesOptions& options) : store_(store), options_(options) {
    report_.kind = "prices";
  }

  Result<ImportReport> Run(const std::vector<PriceInput>& inputs) {
    PLIMSOLL_TRY(catalog_, Catalog::Load(BuiltinCatalogFiles()));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      PLIMSOLL_RETURN_IF_ERROR(Read(inputs[i]));
      if (options_.progress) {
        options_.progress("prices", static_cast<std::int64_t>(i + 1),
                          static_cast<std::int64_t>(inputs.size()));
      }
    }
    PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store_));
    for (const auto& [scope, placed] : scopes_) {
      PLIMSOLL_RETURN_IF_ERROR(Load(scope, placed, load));
    }
    PLIMSOLL_RETURN_IF_ERROR(load.Reject(rejections_));
    std::sort(report_.warnings.begin(), report_.warnings.end());
    report_.rejected = static_cast<std::int64_t>(RowsOf(rejections_));
    PLIMSOLL_RETURN_IF_ERROR(load.Commit(report_));
    return std::move(report_);
  }

 private:
  Status Read(const PriceInput& input) {
    const std::optional<PriceFormat> format = DetectPriceFormat(input.text);
    if (!format) {
      return Error{ErrorCode::kBadData,
                   fmt::format("{}: is no price file; it may be CSV or YAML of Plimsoll's own, "
                               "AWS spot price history, OpenCost custom pricing or a SkyPilot "
                               "catalog (docs/formats/prices.md)",
                               input.name)};
    }
    PriceDefaults defaults;
    defaults.provider = options_.provider;
    defaults.currency = options_.currency;
    defaults.source = options_.source.empty()
                          ? std::filesystem::path(input.name).filename().string()
                          : options_.source;
    defaults.as_of = options_.as_of;
    ForeignPrices read = ReadAs(*format, input, defaults);
    std::move(read.warnings.begin(), read.warnings.end(), std::back_inserter(report_.warnings));
    Place(input, std::move(read.file));
    return Ok();
  }

  ForeignPrices ReadAs(PriceFormat format, const PriceInput& input,
                       const PriceDefaults& defaults) const {
    switch (format) {
      case PriceFormat::kCsv:
        return {ReadPriceCsv(input.name, input.text, defaults), {}};
      case PriceFormat::kYaml:
        return {ReadPriceYaml(input.name, input.text, defaults), {}};
      case PriceFormat::kAwsSpotHistory:
        return ReadAwsSpotHistory(input.name, input.text, defaults);
      case PriceFormat::kOpenCost:
        return ReadOpenCost(input.name, input.text, defaults);
      case PriceFormat::kSkyPilot:
        return ReadSkyPilot(input.name, input.text, defaults, catalog_);
    }
    return {};
  }

  void Place(const PriceInput& input, PriceFile file) {
    const std::string scope =
        file.name.empty() ? std::filesystem::path(input.name).filename().string() : file.name;
    PlacedPrices& placed = scopes_[scope];
    for (std::size_t row = 0; row < RowsOf(file.prices); ++row) {
      AppendRow(placed.prices, file.prices, row);
      placed.files.push_back(input.name);
      placed.lines.push_back(file.lines[row]);
    }
    std::vector<Rejection>& refused = refused_[scope];
    std::move(file.rejections.begin(), file.rejections.end(), std::back_inserter(refused));
  }

  Status Load(const std::string& scope, const PlacedPrices& placed, SnapshotLoad& load) {
    SettledPrices settled = SettlePrices(placed);
    report_.duplicates += settled.duplicates;
    report_.accepted += static_cast<std::int64_t>(RowsOf(settled.prices));
    const std::vector<std::string> jumps = PriceJumps(settled.prices, catalog_.prices());
    report_.warnings.insert(report_.warnings.end(), jumps.begin(), jumps.end());
    // A scope of which nothing is right keeps the prices that it has.
    std::int64_t snapshot_id = 0;
    if (RowsOf(settled.prices) > 0) {
      PLIMSOLL_TRY(snapshot_id, load.Open(SnapshotKey{"price", scope, Window{}}));
      std::fill(settled.prices.snapshot_id.begin(), settled.prices.snapshot_id.end(), snapshot_id);
      PLIMSOLL_RETURN_IF_ERROR(load.Append("price", settled.prices));
    }
    std::vector<Rejection>& refused = refused_[scope];
    std::move(settled.rejections.begin(), settled.rejections.end(), std::back_inserter(refused));
    std::stable_sort(refused.begin(), refused.end(), [](const Rejection& a, const Rejection& b) {
      return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    for (const Rejection& rejection : refused) Refuse(rejection, snapshot_id);
    return Ok();
  }

  void Refuse(const Rejection& rejection, std::int64_t snapshot_id) {
    Append(rejections_, rejection);
    rejections_.snapshot_id.back() = snapshot_id;
    if (report_.first_rejections.size() < kRejectionsShownMax) {
      report_.first_rejections.push_back(rejection);
    }
  }

  Store& store_;
  const PricesOptions& options_;
  Catalog catalog_;
  std::map<std::string, PlacedPrices> scopes_;
  std::map<std::string, std::vector<Rejection>> refused_;
  RejectionBatch rejections_;
  ImportReport report_;
};

}  // namespace

Result<ImportReport> ImportPriceTexts(Store& store, const std::vector<PriceInput>& inputs,
                                      const PricesOptions& options) {
  return PriceImport(store, options).Run(inputs);
}

Result<ImportReport> ImportPrices(Store& store, const PricesOptions& options) {
  std::vector<PriceInput> inputs;
  for (const std::string& file : options.files) {
    PLIMSOLL_TRY(std::string text, ReadFile(file));
    inputs.push_back({file, std::move(text)});
  }
  return ImportPriceTexts(store, inputs, options);
}

}  // namespace plimsoll
