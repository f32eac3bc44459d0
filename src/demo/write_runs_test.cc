#include "demo/write_runs.h"

#include <map>
#include <nlohmann/json.hpp>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(WriteRunsTest, EveryLineNamesItsRunAttemptAndPlaceInTheAttempt) {
  std::map<std::pair<std::string, int>, int> next;
  std::size_t lines = 0;
  for (const std::string& line : LinesOf(RunsJsonl(Week()))) {
    const nlohmann::json event = nlohmann::json::parse(line);
    const std::string run = event.at("run");
    int& seq = next[{run, event.at("attempt")}];
    EXPECT_EQ(event.at("seq"), seq++) << line;
    EXPECT_EQ(event.at("kind") == "start", event.contains("format")) << line;
    ++lines;
  }
  std::size_t events = 0;
  for (const DemoRun& run : Week().runs) events += run.events.size();
  EXPECT_EQ(lines, events);
}

TEST(WriteRunsTest, StartsNameWhatTheRunJoins) {
  for (const std::string& line : LinesOf(RunsJsonl(Week()))) {
    const nlohmann::json event = nlohmann::json::parse(line);
    if (event.at("kind") != "start") continue;
    EXPECT_GT(event.at("gpus"), 0);
    if (event.at("cluster") == kDemoSlurmCluster) {
      EXPECT_TRUE(event.contains("job")) << line;
    } else {
      const std::string pod = event.at("pod");
      const bool is_spot = event.at("experiment") == "distill";  // a Job of one pod an attempt
      EXPECT_NE(pod.find(is_spot ? "distill-spot-" : "-master-0"), std::string::npos) << line;
      EXPECT_EQ(event.at("namespace"), "training");
    }
  }
}

TEST(WriteRunsTest, TimesHaveMilliseconds) {
  const std::string line = LinesOf(RunsJsonl(Week())).front();
  const std::string at = nlohmann::json::parse(line).at("at");
  EXPECT_EQ(at.size(), std::string("2026-11-16T00:00:00.000Z").size());
}

}  // namespace
}  // namespace plimsoll
