#include "ingest/prices/price_formats.h"

#include <algorithm>

#include "catalog/csv.h"

namespace plimsoll {
namespace {

// The first line that is neither blank nor a comment, with which a CSV must start.
std::string_view FirstLine(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    return line.substr(first);
  }
  return {};
}

}  // namespace

std::optional<PriceFormat> DetectPriceFormat(std::string_view text) {
  const std::string_view line = FirstLine(text);
  if (line.empty()) return std::nullopt;
  if (line.front() == '{' || line.front() == '[') return PriceFormat::kAwsSpotHistory;
  const CsvTable table = ReadCsv(line);
  const auto has = [&](std::string_view column) { return table.Column(column).has_value(); };
  if (has("MarketPriceHourly") && has("AssetClass")) return PriceFormat::kOpenCost;
  if (has("InstanceType") && has("Price") && has("Region")) return PriceFormat::kSkyPilot;
  if (has("instance_type") || has("amount")) return PriceFormat::kCsv;
  if (line.find(':') != std::string_view::npos || line == "---") return PriceFormat::kYaml;
  return std::nullopt;
}

}  // namespace plimsoll
