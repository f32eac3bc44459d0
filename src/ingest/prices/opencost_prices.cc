#include <fmt/format.h>

#include <utility>

#include "catalog/csv.h"
#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

// Fields whose value PriceBook can look up: the instance type, or the node's own name.
bool IsTypeOrName(std::string_view field) {
  return field == "metadata.name" || field.ends_with("node.kubernetes.io/instance-type") ||
         field.ends_with("node_kubernetes_io_instance_type");
}

// "2019-04-17 23:34:22 UTC" -> "2019-04-17"; "" if it is no time.
std::string DateOf(std::string_view end) {
  if (end.ends_with(" UTC")) end.remove_suffix(4);
  const Result<Instant> at = ParseInstant(end);
  return at.has_value() ? ToDateString(*at) : "";
}

class OpenCostReader {
 public:
  OpenCostReader(const std::string& file, const PriceDefaults& defaults)
      : file_(file), defaults_(defaults) {}

  ForeignPrices Read(std::string_view text) {
    const CsvTable table = ReadCsv(text);
    for (const CsvError& error : table.errors) {
      result_.file.rejections.push_back(
          {file_, error.line, "", error.reason, "", std::string(error.raw)});
    }
    for (const CsvRecord& record : table.records) ReadRecord(table, record);
    return std::move(result_);
  }

 private:
  void Reject(const CsvRecord& record, std::string field, std::string reason) {
    result_.file.rejections.push_back(
        {file_, record.line, std::move(field), std::move(reason), "", std::string(record.raw)});
  }

  void ReadRecord(const CsvTable& table, const CsvRecord& record) {
    const std::string_view asset = table.Field(record, "AssetClass");
    if (asset != "node") {
      return Reject(record, "AssetClass",
                    fmt::format("'{}' is not used: Plimsoll prices whole nodes", asset));
    }
    std::string_view type = table.Field(record, "InstanceType");
    if (type.empty() && IsTypeOrName(table.Field(record, "InstanceIDField"))) {
      type = table.Field(record, "InstanceID");
    }
    if (type.empty()) {
      return Reject(record, "InstanceType",
                    "is empty, and InstanceIDField is neither metadata.name nor the instance type "
                    "label: nodes are priced by name or type");
    }
    PriceDefaults defaults = defaults_;
    const std::string date = DateOf(table.Field(record, "EndTimestamp"));
    if (!date.empty()) defaults.as_of = date;
    PriceText text;
    text.region = table.Field(record, "Region");
    text.instance_type = type;
    text.amount = table.Field(record, "MarketPriceHourly");
    const std::vector<FieldProblem> problems = AppendPrice(text, defaults, result_.file.prices);
    if (problems.empty()) return result_.file.lines.push_back(record.line);
    for (const FieldProblem& problem : problems) {
      Reject(record, problem.field == "amount" ? "MarketPriceHourly" : problem.field,
             problem.reason);
    }
  }

  const std::string& file_;
  const PriceDefaults& defaults_;
  ForeignPrices result_;
};

}  // namespace

ForeignPrices ReadOpenCost(const std::string& file, std::string_view text,
                           const PriceDefaults& defaults) {
  return OpenCostReader(file, defaults).Read(text);
}

}  // namespace plimsoll
