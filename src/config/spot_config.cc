#include "config/spot_config.h"

#include <iterator>
#include <set>
#include <string>

namespace plimsoll {
namespace {

void ReadMonthly(YamlMap& map, SpotCostRule& rule) {
  std::string text;
  map.Text("monthly", &text);
  if (text.empty()) return;
  const Result<Money> amount = Money::Parse(text);
  if (amount && *amount > Money() && *amount < Money::Units(1'000'000'000)) {
    rule.monthly = *amount;
  } else {
    map.Fail("monthly", "'" + text.substr(0, 40) + "' is not an amount above 0 and below 10^9");
  }
}

void ReadShare(YamlMap& map, SpotCostRule& rule) {
  std::string text;
  map.Text("share_percent", &text);
  if (text.empty()) return;
  const Result<Money> share = Money::Parse(text);
  if (share && *share > Money() && *share <= Money::Units(100)) {
    rule.share = *share;
  } else {
    map.Fail("share_percent", "'" + text.substr(0, 40) +
                                  "' is not a share above 0 and up to 100, such as 25 or 12.5");
  }
}

SpotCostRule ReadRule(YamlMap& map) {
  const std::vector<std::string> kinds(std::begin(kSpotCostKinds), std::end(kSpotCostKinds));
  SpotCostRule rule;
  map.Require("name", "name: a name of its own, which the saving shows");
  map.Text("name", &rule.name);
  map.Require("kind", "kind: one of storage, traffic, operations");
  map.TextOf("kind", kinds, &rule.kind);
  map.Text("filter", &rule.filter);
  ReadShare(map, rule);
  ReadMonthly(map, rule);
  if (map.Has("filter") == map.Has("monthly")) {
    map.Fail(map.Has("filter") ? "monthly" : "filter",
             "give one of filter (cost lines, such as workload:\"Amazon S3\") and monthly (an "
             "amount)");
  }
  if (map.Has("monthly") && map.Has("share_percent")) {
    map.Fail("share_percent", "is of a filter; write the part of the monthly amount itself");
  }
  return rule;
}

}  // namespace

void ReadSpotCosts(YamlMap& top, std::vector<SpotCostRule>& rules) {
  std::set<std::string> names;
  top.Maps("spot_costs", [&](YamlMap& map) {
    SpotCostRule rule = ReadRule(map);
    if (!rule.name.empty() && !names.insert(rule.name).second) {
      map.Fail("name", "'" + rule.name + "' is taken by an earlier cost");
    }
    rules.push_back(std::move(rule));
  });
}

}  // namespace plimsoll
