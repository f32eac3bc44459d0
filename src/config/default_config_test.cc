#include "config/default_config.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(DefaultConfigTest, TheDefaultTextLoadsAsTheDefaults) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", DefaultConfigText());
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const Config defaults;
  EXPECT_EQ(config->db, defaults.db);
  EXPECT_EQ(config->time_zone, defaults.time_zone);
  EXPECT_EQ(config->currency, defaults.currency);
  EXPECT_EQ(config->split_gpu, defaults.split_gpu);
  EXPECT_EQ(config->split_cpu, defaults.split_cpu);
  EXPECT_EQ(config->split_memory, defaults.split_memory);
  EXPECT_EQ(config->unused_commitment, defaults.unused_commitment);
  EXPECT_EQ(config->platform_team, defaults.platform_team);
  EXPECT_TRUE(config->sources.empty());
}

TEST(DefaultConfigTest, EveryCommentedExampleLoadsOnceUncommented) {
  // A line that is an example begins with "# word:" or with "#" and at least two blanks.
  std::string text;
  std::string rest = DefaultConfigText();
  while (!rest.empty()) {
    std::string line = rest.substr(0, rest.find('\n'));
    rest.erase(0, line.size() + 1);
    const bool nested = line.starts_with("#   ");
    const std::size_t colon = line.find(':');
    const bool key = line.starts_with("# ") && colon != std::string::npos &&
                     line.find(' ', 2) > colon && line.substr(2) != "plimsoll.yaml" &&
                     !line.starts_with("# plimsoll.yaml");
    text += (nested || key ? line.substr(2) : line) + "\n";
  }
  const Result<Config> config = LoadConfig("plimsoll.yaml", text);
  ASSERT_TRUE(config.has_value()) << config.error().message << "\n" << text;
  EXPECT_EQ(config->sources.size(), 5u);
  EXPECT_EQ(config->attribution.fallbacks.size(), 2u);
  EXPECT_EQ(config->prices.amount.size(), 2u);
  EXPECT_EQ(config->budgets.size(), 1u);
  EXPECT_EQ(config->node_resources.size(), 1u);
}

TEST(DefaultConfigTest, ADraftLoadsBack) {
  ConfigDraft draft;
  draft.time_zone = "Europe/Berlin";
  draft.currency = "EUR";
  SourceConfig bill;
  bill.kind = "focus";
  bill.name = "it's: a bill";
  bill.files = {"a b.csv", "*.gz"};
  SourceConfig prometheus;
  prometheus.kind = prometheus.name = "prometheus";
  prometheus.cluster = "prod";
  prometheus.url = "http://localhost:9090";
  prometheus.token_env = "TOKEN";
  draft.sources = {bill, prometheus};
  const Result<Config> config = LoadConfig("plimsoll.yaml", ConfigText(draft));
  ASSERT_TRUE(config.has_value()) << config.error().message << ConfigText(draft);
  EXPECT_EQ(config->time_zone, "Europe/Berlin");
  EXPECT_EQ(config->currency, "EUR");
  ASSERT_EQ(config->sources.size(), 2u);
  EXPECT_EQ(config->sources[0].name, "it's: a bill");
  EXPECT_EQ(config->sources[0].files, draft.sources[0].files);
  EXPECT_EQ(config->sources[1].url, "http://localhost:9090");
  EXPECT_EQ(config->sources[1].token_env, "TOKEN");
  EXPECT_EQ(config->sources[1].hold, Minutes(5));
}

}  // namespace
}  // namespace plimsoll
