#include "config/config_prices.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "catalog/price_yaml.h"

namespace plimsoll {
namespace {

bool Overlap(const PriceBatch& prices, std::size_t a, std::size_t b) {
  const auto ends_by = [&](std::size_t first, std::size_t second) {
    return prices.valid_until[first] && *prices.valid_until[first] <= prices.valid_from[second];
  };
  return !ends_by(a, b) && !ends_by(b, a);
}

void CheckOverlaps(const PriceFile& file, YamlErrors& errors) {
  const PriceBatch& prices = file.prices;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>,
           std::vector<std::size_t>>
      seen;
  for (std::size_t i = 0; i < RowsOf(prices); ++i) {
    std::vector<std::size_t>& same =
        seen[{prices.provider[i], prices.region[i], prices.instance_type[i], prices.purchase[i],
              prices.rung[i]}];
    for (const std::size_t other : same) {
      if (!Overlap(prices, i, other)) continue;
      errors.Add(static_cast<int>(file.lines[i]), prices.instance_type[i],
                 "its price overlaps the one of line " + std::to_string(file.lines[other]) +
                     "; end that with valid_until");
      break;
    }
    same.push_back(i);
  }
}

}  // namespace

bool IsCurrencyCode(std::string_view text) {
  return text.size() == 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

PriceBatch ReadPrices(const YAML::Node& document, const std::string& config_path,
                      const std::string& currency, YamlErrors& errors) {
  PriceDefaults defaults;
  defaults.currency = currency;
  defaults.source = config_path;
  PriceFile result;
  YamlFields fields(document, config_path, "", result.rejections);
  ReadPriceLists(fields, config_path, defaults, result);
  for (const Rejection& rejection : result.rejections) {
    errors.Add(static_cast<int>(rejection.line), rejection.field, rejection.reason);
  }
  CheckOverlaps(result, errors);
  return std::move(result.prices);
}

}  // namespace plimsoll
