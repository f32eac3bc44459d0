#include "config/config_prices.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

const std::vector<std::string> kPurchases{"on-demand", "spot", "reserved-1y", "reserved-3y",
                                          "owned"};
const std::vector<std::string> kRungs{kRungContracted, kRungSpotHistory, kRungList};

struct Price {
  std::string provider, region, instance_type;
  std::string purchase = "on-demand";
  std::string rung = kRungContracted;
  std::string currency, source, as_of;
  std::optional<Money> amount;
  Duration per = Hours(1);
  std::optional<Instant> from, until;

  // What may have only one price at a time.
  std::string Key() const {
    return provider + "/" + region + "/" + instance_type + "/" + purchase + "/" + rung;
  }
  bool Overlaps(const Price& other) const {
    return (!until || !other.from || *other.from < *until) &&
           (!other.until || !from || *from < *other.until);
  }
};

void ReadValidity(YamlMap& map, Price& price) {
  map.Require("valid_from", "valid_from: 2026-01-01");
  map.Time("valid_from", &price.from);
  map.Time("valid_until", &price.until);
  if (price.from && price.until && *price.until <= *price.from) {
    map.Fail("valid_until",
             "must be after valid_from; it is the first moment at which the "
             "price is no longer valid");
  }
}

Price ReadPrice(YamlMap& map, const std::string& config_path, const std::string& currency) {
  Price price;
  price.currency = currency;
  price.source = config_path;
  map.Require("provider", "provider: on-prem (or aws, gcp, azure)");
  map.Text("provider", &price.provider);
  map.Text("region", &price.region);
  map.Require("instance_type", "instance_type: p5.48xlarge (for on-prem a node pool's name)");
  map.Text("instance_type", &price.instance_type);
  map.TextOf("purchase", kPurchases, &price.purchase);
  map.TextOf("rung", kRungs, &price.rung);
  map.Text("currency", &price.currency);
  if (map.Has("currency") && !IsCurrencyCode(price.currency)) {
    map.Fail("currency", "'" + price.currency + "' is not an ISO 4217 code such as USD or EUR");
  }
  map.Require("amount", "amount: 12.50, the price of one node for `per`");
  map.Amount("amount", &price.amount);
  map.Length("per", &price.per);
  if (price.per.base() % Seconds(1).base() != 0) map.Fail("per", "must be whole seconds");
  ReadValidity(map, price);
  map.Text("source", &price.source);
  map.Text("as_of", &price.as_of);
  return price;
}

void AppendPrice(PriceBatch& prices, const Price& price) {
  prices.snapshot_id.push_back(0);
  prices.provider.push_back(price.provider);
  prices.region.push_back(price.region);
  prices.instance_type.push_back(price.instance_type);
  prices.purchase.push_back(price.purchase);
  prices.rung.push_back(price.rung);
  prices.currency.push_back(price.currency);
  prices.amount.push_back(price.amount.value_or(Money()));
  prices.per_seconds.push_back(price.per.base() / Seconds(1).base());
  prices.valid_from.push_back(price.from.value_or(Instant()));
  prices.valid_until.push_back(price.until);
  prices.source.push_back(price.source);
  prices.as_of.push_back(price.as_of);
}

}  // namespace

bool IsCurrencyCode(std::string_view text) {
  return text.size() == 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

PriceBatch ReadPrices(YamlMap& top, const std::string& config_path, const std::string& currency) {
  PriceBatch batch;
  std::multimap<std::string, std::pair<std::size_t, Price>> seen;
  std::size_t index = 0;
  top.Maps("prices", [&](YamlMap& map) {
    const Price price = ReadPrice(map, config_path, currency);
    const auto [begin, end] = seen.equal_range(price.Key());
    for (auto other = begin; other != end; ++other) {
      if (!price.Overlaps(other->second.second)) continue;
      map.Fail("valid_from", "overlaps prices[" + std::to_string(other->second.first) +
                                 "] of the same thing; end that with valid_until");
      break;
    }
    seen.emplace(price.Key(), std::pair(index++, price));
    AppendPrice(batch, price);
  });
  return batch;
}

}  // namespace plimsoll
