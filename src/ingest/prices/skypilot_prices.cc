#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "catalog/csv.h"
#include "catalog/provider.h"
#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

// The folder of ".../catalogs/v7/aws/vms.csv", which names the cloud; "" if the file is not
// called that.
std::string CloudOf(const std::string& file) {
  const std::filesystem::path path(file);
  if (path.filename() != "vms.csv") return "";
  return path.parent_path().filename().string();
}

class SkyPilotReader {
 public:
  SkyPilotReader(const std::string& file, const PriceDefaults& defaults, const Catalog& catalog)
      : file_(file), defaults_(defaults), catalog_(catalog) {
    if (defaults_.provider.empty()) defaults_.provider = CanonicalProvider(CloudOf(file));
    defaults_.rung = kRungList;
  }

  ForeignPrices Read(std::string_view text) {
    const CsvTable table = ReadCsv(text);
    if (!ParseInstant(defaults_.as_of)) {
      Reject(table.header, "",
             "a SkyPilot catalog carries no date: say when it was fetched (as of)");
    }
    if (defaults_.provider.empty()) {
      Reject(table.header, "", "a SkyPilot catalog does not name its cloud: say the provider");
    }
    if (!result_.file.rejections.empty()) return std::move(result_);
    for (const CsvError& error : table.errors) {
      result_.file.rejections.push_back(
          {file_, error.line, "", error.reason, "", std::string(error.raw)});
    }
    for (const CsvRecord& record : table.records) ReadRecord(table, record);
    if (spot_not_below_ > 0) {
      result_.warnings.push_back(fmt::format("{}: {} spot prices are not below the on-demand price",
                                             file_, spot_not_below_));
    }
    return std::move(result_);
  }

 private:
  void Reject(const CsvRecord& record, std::string field, std::string reason) {
    result_.file.rejections.push_back(
        {file_, record.line, std::move(field), std::move(reason), "", std::string(record.raw)});
  }

  void ReadRecord(const CsvTable& table, const CsvRecord& record) {
    const std::string_view type = table.Field(record, "InstanceType");
    const std::string_view price = table.Field(record, "Price");
    const std::string_view spot = table.Field(record, "SpotPrice");
    if (type.empty()) {
      return Reject(record, "InstanceType",
                    "is empty: the price of an accelerator without its host is not used");
    }
    if (table.Field(record, "AcceleratorName").empty() &&
        catalog_.FindShape(defaults_.provider, type) != nullptr) {
      return Reject(record, "AcceleratorName",
                    fmt::format("is empty though {} has accelerators: this is the price of the "
                                "host alone",
                                type));
    }
    if (price.empty() && spot.empty()) {
      return Reject(record, "Price", "neither an on-demand nor a spot price is given");
    }
    PriceText text;
    text.instance_type = type;
    text.valid_from = defaults_.as_of;
    bool both = !price.empty() && !spot.empty();
    if (!price.empty()) {
      text.region = table.Field(record, "Region");
      text.purchase = "on-demand";
      text.amount = price;
      both = Append(record, text, "Price") && both;
    }
    // A blank spot price is no offer, not a free one.
    if (!spot.empty()) {
      const std::string_view zone = table.Field(record, "AvailabilityZone");
      text.region = zone.empty() ? table.Field(record, "Region") : zone;
      text.purchase = "spot";
      text.amount = spot;
      both = Append(record, text, "SpotPrice") && both;
    }
    const std::vector<Money>& amounts = result_.file.prices.amount;
    if (both && amounts.back() >= amounts[amounts.size() - 2]) ++spot_not_below_;
  }

  bool Append(const CsvRecord& record, const PriceText& text, const char* column) {
    const std::vector<FieldProblem> problems = AppendPrice(text, defaults_, result_.file.prices);
    for (const FieldProblem& problem : problems) {
      Reject(record, problem.field == "amount" ? column : problem.field, problem.reason);
    }
    if (problems.empty()) result_.file.lines.push_back(record.line);
    return problems.empty();
  }

  const std::string& file_;
  PriceDefaults defaults_;
  const Catalog& catalog_;
  ForeignPrices result_;
  std::int64_t spot_not_below_ = 0;
};

}  // namespace

ForeignPrices ReadSkyPilot(const std::string& file, std::string_view text,
                           const PriceDefaults& defaults, const Catalog& catalog) {
  return SkyPilotReader(file, defaults, catalog).Read(text);
}

}  // namespace plimsoll
