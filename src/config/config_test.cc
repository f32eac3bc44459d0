#include "config/config.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace plimsoll {
namespace {

std::string ErrorsOf(const std::string& text) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", text);
  if (config.has_value()) return "";
  EXPECT_EQ(config.error().code, ErrorCode::kBadData);
  return config.error().message;
}
void ExpectError(const std::string& text, const std::string& part) {
  EXPECT_NE(ErrorsOf(text).find(part), std::string::npos) << text << "\ngives\n"
                                                          << ErrorsOf(text) << "\nwithout\n"
                                                          << part;
}

constexpr const char* kFull = R"(db: data/p.duckdb
time_zone: Europe/Berlin
currency: EUR
attribution:
  dimensions:
    team: {keys: [acme.io/team], values: [search, vision]}
    environment:
      values: [prod, dev]
  fallbacks:
    - {namespace: ml, team: search, cost_center: C1}
    - {account: physics, team: vision}
split: {gpu: 9, cpu: 0.9, memory: 0.1}
unused_commitment: platform
platform_team: infra
node_resources:
  n1: i-1
catalog_files: [cat/*.yaml]
prices:
  - provider: aws
    instance_type: p5.48xlarge
    amount: 45.50
    per: hour
    valid_from: 2026-01-01
    valid_until: 2027-01-01
budgets:
  search: "50000.25"
)";

TEST(ConfigTest, ReadsEveryKey) {
  const Result<Config> read = LoadConfig("/etc/plimsoll.yaml", kFull);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->path, "/etc/plimsoll.yaml");
  EXPECT_EQ(read->db, "/etc/data/p.duckdb");
  EXPECT_EQ(read->time_zone, "Europe/Berlin");
  EXPECT_EQ(read->currency, "EUR");
  const DimensionRule& team = read->attribution.dimensions[0];
  EXPECT_EQ(team.keys, std::vector<std::string>{"acme.io/team"});
  EXPECT_EQ(team.values, (std::vector<std::string>{"search", "vision"}));
  EXPECT_EQ(read->attribution.dimensions[1].keys, DefaultAttributionRules().dimensions[1].keys);
  ASSERT_EQ(read->attribution.fallbacks.size(), 2u);
  EXPECT_EQ(read->attribution.fallbacks[0].cost_center, "C1");
  EXPECT_EQ(read->attribution.fallbacks[1].account, "physics");
  EXPECT_EQ(read->split_gpu, 90);
  EXPECT_EQ(read->split_cpu, 9);
  EXPECT_EQ(read->split_memory, 1);
  EXPECT_EQ(read->unused_commitment, "platform");
  EXPECT_EQ(read->node_resources.at("n1"), "i-1");
  EXPECT_EQ(read->catalog_files, std::vector<std::string>{"/etc/cat/*.yaml"});
  EXPECT_EQ(read->budgets.at("search"), "50000.25");
  ASSERT_EQ(RowsOf(read->prices), 1u);
  EXPECT_EQ(read->prices.currency[0], "EUR");
}

TEST(ConfigTest, AnEmptyFileIsTheDefaults) {
  for (const char* text : {"", "# only a comment\n", "---\n", "sources:\n"}) {
    const Result<Config> read = LoadConfig("plimsoll.yaml", text);
    ASSERT_TRUE(read.has_value()) << text << read.error().message;
    EXPECT_EQ(read->db, "plimsoll.duckdb");
  }
}

TEST(ConfigTest, GivesEveryErrorWithItsLineInOrder) {
  EXPECT_EQ(ErrorsOf("time_zone: Europe/Berlni\n"
                     "sources:\n"
                     "  - kind: prometheus\n"
                     "    url: prometheus:9090\n"
                     "curency: EUR\n"
                     "budgets:\n"
                     "  search: lots\n"),
            "plimsoll.yaml:1: time_zone: 'Europe/Berlni' is not an IANA time zone such as "
            "Europe/Berlin or UTC; did you mean 'Europe/Berlin'?\n"
            "plimsoll.yaml:4: sources[0].url: must start with http:// or https://; write it as "
            "in http://prometheus:9090\n"
            "plimsoll.yaml:5: curency: is not a known key; did you mean 'currency'?\n"
            "plimsoll.yaml:7: budgets.search: 'lots' is not an amount a month; write a decimal "
            "above 0, such as 50000");
}

TEST(ConfigTest, BrokenYamlIsAnErrorWithItsLine) {
  ExpectError("db: a\n  b: c\n", "plimsoll.yaml:2: is not YAML: ");
  ExpectError("a: [1, 2\n", "is not YAML: ");
  ExpectError("- a\n", "plimsoll.yaml:1: must be a mapping of keys to values, not a list");
  ExpectError("just text", "must be a mapping");
  ExpectError("db: a\n---\ndb: b\n", "plimsoll.yaml:2: text follows the end of the mapping");
  ExpectError(",", "plimsoll.yaml:1: text follows the end of the mapping");
  ExpectError(std::string(10'000, '['), "is not YAML: ");
  ExpectError("a: *b\n", "is not YAML: ");
}

TEST(ConfigTest, DoubledKeysAreErrors) {
  ExpectError("db: a\ndb: b\n", "plimsoll.yaml:2: db: is given twice; keep one");
  ExpectError("attribution: {}\nattribution: {}\n", "plimsoll.yaml:2: attribution: is given twice");
}

TEST(ConfigTest, WrongTypesAreErrors) {
  ExpectError("db: [a]\n", "db: must be a single value, not a list");
  ExpectError("db: ''\n", "db: is empty");
  ExpectError("split: 9\n", "split: must be a mapping of keys to values, not a single value");
  ExpectError("catalog_files: {a: b}\n", "catalog_files: must be a list such as [a, b]");
  ExpectError("catalog_files: [[a]]\n", "catalog_files[0]: must be a single value");
  ExpectError("node_resources: {n1: [a]}\n", "node_resources.n1: must be a single value");
  ExpectError("sources: focus\n", "sources: must be a list");
  ExpectError("sources: [focus]\n", "sources[0]: must be a mapping");
  ExpectError("sources: [~]\n", "sources[0]: is empty");
  ExpectError("? [a]\n: b\n", "a key must be a single word");
}

TEST(ConfigTest, WeightsAreExactTenths) {
  ExpectError("split: {gpu: 9, cpu: 0.25, memory: 0.1}\n", "split.cpu: '0.25' must be a weight");
  ExpectError("split: {gpu: -1, cpu: 1, memory: 1}\n", "split.gpu: '-1' must be a weight");
  ExpectError("split: {gpu: 0, cpu: 0, memory: 0}\n", "one of the weights must be more than 0");
  ExpectError("split: {gpu: 9}\n", "split.cpu: is missing; write all of gpu, cpu and memory");
  const Result<Config> read = LoadConfig("p", "split: {gpu: 2.5, cpu: 0, memory: 10}\n");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->split_gpu, 25);
  EXPECT_EQ(read->split_cpu, 0);
  EXPECT_EQ(read->split_memory, 100);
}

TEST(ConfigTest, AttributionIsChecked) {
  ExpectError("attribution: {dimensions: {teams: {}}}\n",
              "attribution.dimensions.teams: is not a known key; did you mean 'team'?");
  ExpectError("attribution: {dimensions: {team: {value: [a]}}}\n", "did you mean 'values'?");
  ExpectError("attribution: {dimensions: {team: {keys: []}}}\n", "must be a list such as [a, b]");
  const std::string registered =
      "attribution:\n  dimensions: {team: {values: [search]}}\n  fallbacks:\n    - ";
  ExpectError(registered + "{namespace: n, team: serach}\n",
              "plimsoll.yaml:4: attribution.fallbacks[0].team: 'serach' is not in "
              "attribution.dimensions.team.values; did you mean 'search'?");
  ExpectError(registered + "{team: search}\n", "exactly one of namespace, account, user");
  ExpectError(registered + "{namespace: a, account: b, team: search}\n", "exactly one of");
  ExpectError(registered + "{namespace: a}\n", "fallbacks[0].team: is missing");
  ExpectError(registered + "{namespace: a, team: search}\n    - {namespace: a, team: search}\n",
              "fallbacks[1].namespace: 'a' has a fallback already");
  ExpectError("attribution: {dimensions: {team: {values: [search]}}}\nbudgets: {serach: 5}\n",
              "budgets.serach: 'serach' is not in attribution.dimensions.team.values");
}

TEST(ConfigTest, ClosedWordsSuggestTheNearest) {
  ExpectError("unused_commitment: propotional\n",
              "'propotional' is not one of owner, platform, proportional; did you mean "
              "'proportional'?");
  ExpectError("currency: usd\n", "'usd' is not an ISO 4217 code");
  ExpectError("budgets: {a: 0}\n", "not an amount a month");
  ExpectError("budgets: {a: -5}\n", "not an amount a month");
}

TEST(ConfigTest, TildeIsTheHome) {
  const Result<Config> read = LoadConfig("p.yaml", "db: ~/p.duckdb\n");
  ASSERT_TRUE(read.has_value());
  const char* home = std::getenv("HOME");
  EXPECT_EQ(read->db, (home == nullptr ? std::string("~") : home) + std::string("/p.duckdb"));
}

}  // namespace
}  // namespace plimsoll
