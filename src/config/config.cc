#include "config/config.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>

#include "catalog/yaml_document.h"
#include "config/config_prices.h"
#include "config/declared_config.h"
#include "config/idle_config.h"
#include "config/paths.h"
#include "config/slo_config.h"
#include "config/sources.h"
#include "config/spot_config.h"
#include "config/suggest.h"
#include "config/unit_config.h"
#include "config/yaml_reader.h"
#include "config/zone.h"

namespace plimsoll {
namespace {

const std::vector<std::string> kUnusedCommitments{"owner", "platform", "proportional"};
constexpr auto kTeam = static_cast<std::size_t>(Dimension::kTeam);

// "0.9" is 9 tenths.
std::optional<std::int64_t> ParseTenths(const std::string& text) {
  constexpr std::int64_t kTenth = Money::kNanosPerUnit / 10;
  const Result<Money> value = Money::Parse(text);
  if (!value || *value < Money() || *value > Money::Units(1'000'000)) return std::nullopt;
  if (value->nanos() % kTenth != 0) return std::nullopt;
  return static_cast<std::int64_t>(value->nanos() / kTenth);
}

void ReadSplit(YamlMap& top, Config& config) {
  top.Map("split", [&](YamlMap& map) {
    const auto read = [&](const std::string& key, std::int64_t* tenths) {
      std::string text;
      map.Require(key, "all of gpu, cpu and memory, as in {gpu: 9, cpu: 0.9, memory: 0.1}");
      map.Text(key, &text);
      if (text.empty()) return;
      if (const std::optional<std::int64_t> parsed = ParseTenths(text)) {
        *tenths = *parsed;
      } else {
        map.Fail(key, "'" + text +
                          "' must be a weight from 0 to 1000000 with at most one "
                          "decimal; only their ratio counts, so 0.25 : 0.05 is 2.5 : 0.5");
      }
    };
    read("gpu", &config.split_gpu);
    read("cpu", &config.split_cpu);
    read("memory", &config.split_memory);
    if (config.split_gpu + config.split_cpu + config.split_memory == 0) {
      map.Fail("gpu", "one of the weights must be more than 0");
    }
  });
}

// What is wrong with a team that the registered `teams` do not hold; "" if nothing is.
std::string UnregisteredTeam(const std::string& team, const std::vector<std::string>& teams) {
  if (teams.empty() || std::find(teams.begin(), teams.end(), team) != teams.end()) return "";
  return "'" + team + "' is not in attribution.dimensions.team.values" + DidYouMean(team, teams);
}

using RuleSpan = std::pair<std::optional<Instant>, std::optional<Instant>>;

void ReadRuleTime(YamlMap& map, RuleTime& time) {
  map.Time("since", &time.since);
  map.Time("until", &time.until);
  if (time.since && time.until && *time.until <= *time.since) {
    map.Fail("until", "must be after since");
  }
}

ValueMapping ReadMapping(YamlMap& map, const AttributionRules& rules) {
  const std::vector<std::string> names(std::begin(kDimensionNames), std::end(kDimensionNames));
  ValueMapping mapping;
  std::string dimension = names[kTeam];
  map.TextOf("dimension", names, &dimension);
  const auto at = std::find(names.begin(), names.end(), dimension) - names.begin();
  mapping.dimension = static_cast<Dimension>(at);
  map.Require("from", "from: the label's value, which may end in *");
  map.Text("from", &mapping.from);
  map.Require("to", "to: the value that it means");
  map.Text("to", &mapping.to);
  ReadRuleTime(map, mapping.time);
  const std::vector<std::string>& values = rules.dimensions[static_cast<std::size_t>(at)].values;
  const bool is_known = std::find(values.begin(), values.end(), mapping.to) != values.end();
  if (!mapping.to.empty() && !values.empty() && !is_known) {
    map.Fail("to", "'" + mapping.to + "' is not in attribution.dimensions." + dimension +
                       ".values" + DidYouMean(mapping.to, values));
  }
  return mapping;
}

OwnerFallback ReadFallback(YamlMap& map, const AttributionRules& rules) {
  OwnerFallback fallback;
  map.Text("namespace", &fallback.ns);
  map.Text("account", &fallback.account);
  map.Require("team", "team: the team that pays");
  map.Text("team", &fallback.team);
  map.Text("cost_center", &fallback.cost_center);
  map.Text("user", &fallback.user);
  map.Text("resource", &fallback.resource);
  ReadRuleTime(map, fallback.time);
  int given = 0;
  for (const char* key : {"namespace", "account", "user", "resource"}) given += map.Has(key);
  if (given != 1) {
    map.Fail("namespace",
             "exactly one of namespace, account, user and resource must be given: a fallback "
             "stands for one namespace, Slurm account or user, or billed resource");
  }
  const std::string wrong = UnregisteredTeam(fallback.team, rules.dimensions[kTeam].values);
  if (!fallback.team.empty() && !wrong.empty()) map.Fail("team", wrong);
  return fallback;
}

void ReadAttribution(YamlMap& top, AttributionRules& rules) {
  top.Map("attribution", [&](YamlMap& map) {
    map.Map("dimensions", [&](YamlMap& dimensions) {
      for (std::size_t i = 0; i < kDimensionCount; ++i) {
        dimensions.Map(kDimensionNames[i], [&](YamlMap& dimension) {
          dimension.Texts("keys", &rules.dimensions[i].keys);
          dimension.Texts("values", &rules.dimensions[i].values);
        });
      }
    });
    map.Maps("mappings",
             [&](YamlMap& item) { rules.mappings.push_back(ReadMapping(item, rules)); });
    std::set<std::tuple<std::string, std::string, std::string, std::string, RuleSpan>> seen;
    map.Maps("fallbacks", [&](YamlMap& item) {
      const OwnerFallback fallback = ReadFallback(item, rules);
      const RuleSpan span{fallback.time.since, fallback.time.until};
      if (!seen.emplace(fallback.ns, fallback.account, fallback.user, fallback.resource, span)
               .second) {
        item.Fail(fallback.ns.empty() ? "account" : "namespace",
                  "'" + fallback.ns + fallback.account + fallback.user + fallback.resource +
                      "' has a fallback already; keep one");
      }
      rules.fallbacks.push_back(fallback);
    });
  });
}

void ReadBudgets(YamlMap& top, Config& config) {
  const std::vector<std::string>& teams = config.attribution.dimensions[kTeam].values;
  top.FreeTexts("budgets", [&](const std::string& team, const std::string& text) -> std::string {
    const Result<Money> amount = Money::Parse(text);
    if (!amount || *amount <= Money()) {
      return "'" + text.substr(0, 40) +
             "' is not an amount a month; write a decimal above 0, such as 50000";
    }
    config.budgets[team] = text;
    return UnregisteredTeam(team, teams);
  });
}

void ReadBasics(YamlMap& top, Config& config) {
  top.Text("db", &config.db);
  top.Text("time_zone", &config.time_zone);
  if (top.Has("time_zone")) {
    const Result<Zone> zone = Zone::Find(config.time_zone);
    if (!zone) top.Fail("time_zone", zone.error().message);
  }
  top.Text("currency", &config.currency);
  if (!IsCurrencyCode(config.currency)) {
    top.Fail("currency", "'" + config.currency + "' is not an ISO 4217 code such as USD or EUR");
  }
  top.TextOf("unused_commitment", kUnusedCommitments, &config.unused_commitment);
  top.Text("platform_team", &config.platform_team);
  top.FreeTexts("node_resources", [&](const std::string& node, const std::string& resource) {
    config.node_resources[node] = resource;
    return std::string();
  });
  top.Texts("catalog_files", &config.catalog_files);
}

void ReadAll(const YAML::Node& document, YamlErrors& errors, Config& config) {
  YamlMap top(document, "", errors);
  const char* home = std::getenv("HOME");
  const auto resolve = [&](const std::string& path) {
    return ResolvePath(path, config.path, home == nullptr ? "" : home);
  };
  ReadBasics(top, config);
  config.sources = ReadSources(top, resolve);
  ReadAttribution(top, config.attribution);
  ReadIdlePolicy(top, config.attribution.dimensions[kTeam].values, config.idle);
  ReadDeclaredCosts(top, config.attribution.dimensions[kTeam].values, config);
  ReadSplit(top, config);
  const bool has_prices = top.Has("prices");
  const bool has_on_prem = top.Has("on_prem");  // both are known keys, one there or not
  if (has_prices || has_on_prem) {
    config.prices = ReadPrices(document, config.path, config.currency, errors);
  }
  ReadBudgets(top, config);
  ReadTargets(top, config.targets);
  ReadUnitAlerts(top, config.unit_alerts);
  ReadSpotCosts(top, config.spot_costs);
  ReadServices(top, config.time_zone, config.services);
  top.Finish();
  config.db = resolve(config.db);
  for (std::string& file : config.catalog_files) file = resolve(file);
}

}  // namespace

Result<Config> LoadConfig(const std::string& path, const std::string& text) {
  Config config;
  config.path = path;
  YamlErrors errors(path.empty() ? "plimsoll.yaml" : path);
  try {
    if (const std::optional<int> after = LineAfterDocument(text)) {
      errors.Add(*after, "", "text follows the end of the mapping: keep one document");
    }
    const YAML::Node document = YAML::Load(text);
    if (document.IsMap() || document.IsNull()) {
      ReadAll(document, errors, config);
    } else {
      YamlMap(document, "", errors);  // says what it is instead
    }
  } catch (const YAML::Exception& e) {
    errors.Add(e.mark, "", "is not YAML: " + e.msg);
  }
  if (!errors.empty()) return Error{ErrorCode::kBadData, errors.Joined()};
  return config;
}

}  // namespace plimsoll
