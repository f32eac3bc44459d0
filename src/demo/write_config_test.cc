#include "demo/write_config.h"

#include <nlohmann/json.hpp>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(WriteConfigTest, NamesEverySourceAndSlurmNode) {
  const std::string yaml = DemoConfigYaml(Week());
  for (const DemoSource& source : SourcesOf(Week())) {
    EXPECT_NE(yaml.find("name: " + source.name + "\n"), std::string::npos) << source.name;
    for (const std::string& file : source.files) EXPECT_NE(yaml.find(file), std::string::npos);
  }
  EXPECT_NE(yaml.find("\n  hpc-g2: //compute.googleapis.com/projects/"), std::string::npos);
}

TEST(WriteConfigTest, RegistersTheTeamsOfTheTruthAndNoOthers) {
  const std::string yaml = DemoConfigYaml(Week());
  for (const auto& [key, value] : TruthOf(Week()).lines) {
    if (key.who.empty() || key.who == "no-label" || key.who == "unknown-value") continue;
    EXPECT_NE(yaml.find(key.who), std::string::npos) << key.who;
  }
  EXPECT_EQ(yaml.find("voice-lab"), std::string::npos);
}

TEST(WriteConfigTest, DeclaresTheLoggedServiceAndTheTargetsOfExperiments) {
  const std::string yaml = DemoConfigYaml(Week());
  EXPECT_NE(yaml.find("  - name: chat-70b\n    slo: {ttft: 2500ms, tpot: 24ms}\n"),
            std::string::npos);
  for (const DemoRun& run : Week().runs) {
    if (run.experiment == "distill") continue;  // one run, compared with none
    if (run.experiment == "dock") continue;     // it has no target
    EXPECT_NE(yaml.find("experiment: " + run.experiment + ","), std::string::npos);
  }
  EXPECT_EQ(DemoConfigYaml(TwoDays()).find("services:"), std::string::npos);
}

TEST(WriteConfigTest, TruthIsJsonWithExactTexts) {
  const DemoTruth truth = TruthOf(TwoDays());
  const nlohmann::json json = nlohmann::json::parse(DemoTruthJson(TwoDays(), truth));
  EXPECT_EQ(json["lines"].size(), truth.lines.size());
  EXPECT_EQ(json["totals"].size(), truth.totals.size());
  EXPECT_EQ(json["runs"].size(), truth.runs.size());
  EXPECT_EQ(json["runs"][0]["run"], truth.runs.begin()->first);
  EXPECT_TRUE(json["lines"][0]["effective_cost"].is_string());
  EXPECT_EQ(json["window"], "2026-11-16T00:00:00Z/2026-11-18T00:00:00Z");
}

}  // namespace
}  // namespace plimsoll
