#include "config/declared_config.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "config/suggest.h"

namespace plimsoll {
namespace {

void ReadAmount(YamlMap& map, const std::string& key, Money& amount) {
  std::string text;
  map.Require(key, key + ": a decimal above 0, such as 30000");
  map.Text(key, &text);
  if (text.empty()) return;
  const Result<Money> parsed = Money::Parse(text);
  if (parsed && *parsed > Money() && *parsed < Money::Units(1'000'000'000)) {
    amount = *parsed;
  } else {
    map.Fail(key, "'" + text.substr(0, 40) + "' is not an amount above 0 and below 10^9");
  }
}

DeclaredCost ReadCost(YamlMap& map, const std::vector<std::string>& teams) {
  const std::vector<std::string> kinds(std::begin(kDeclaredKinds), std::end(kDeclaredKinds));
  DeclaredCost cost;
  map.Require("name", "name: a name of its own, which reports show");
  map.Text("name", &cost.name);
  map.Require("kind",
              "kind: one of control-plane, licence, platform, people, support, storage, "
              "network, other");
  map.TextOf("kind", kinds, &cost.kind);
  ReadAmount(map, "amount", cost.amount);
  map.Text("team", &cost.team);
  const bool is_known = std::find(teams.begin(), teams.end(), cost.team) != teams.end();
  if (!teams.empty() && !cost.team.empty() && !is_known) {
    map.Fail("team", "'" + cost.team + "' is not in attribution.dimensions.team.values" +
                         DidYouMean(cost.team, teams));
  }
  map.Time("from", &cost.from);
  map.Time("until", &cost.until);
  if (cost.from && cost.until && *cost.until <= *cost.from) {
    map.Fail("until", "must be after from");
  }
  return cost;
}

}  // namespace

void ReadDeclaredCosts(YamlMap& top, const std::vector<std::string>& teams, Config& config) {
  std::set<std::string> names;
  top.Maps("monthly_costs", [&](YamlMap& map) {
    DeclaredCost cost = ReadCost(map, teams);
    if (!cost.name.empty() && !names.insert(cost.name).second) {
      map.Fail("name", "'" + cost.name + "' is taken by an earlier amount");
    }
    config.declared.push_back(std::move(cost));
  });
  top.Maps("volume_prices", [&](YamlMap& map) {
    VolumePrice price;
    map.Require("storage_class", "storage_class: gp3, or * for every class");
    map.Text("storage_class", &price.storage_class);
    ReadAmount(map, "per_gib_month", price.per_gib_month);
    config.volume_prices.push_back(std::move(price));
  });
}

}  // namespace plimsoll
