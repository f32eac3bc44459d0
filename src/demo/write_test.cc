#include <cstdlib>
#include <map>

#include "base/hash.h"
#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

std::map<std::string, std::string> HashesOf(const DemoFleet& fleet, const std::string& name) {
  const ScratchFolder folder(name);
  EXPECT_TRUE(WriteDemo(fleet, folder.path()).has_value());
  std::map<std::string, std::string> hashes;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    hashes[entry.path().filename().string()] = HashOf(ReadFile(entry.path().string())).ToHex();
  }
  return hashes;
}

TEST(WriteTest, SameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  const auto first = HashesOf(MakeFleet(40, 2, 5), "a");
  const auto again = HashesOf(MakeFleet(40, 2, 5), "b");
  const auto other = HashesOf(MakeFleet(40, 2, 6), "c");
  EXPECT_EQ(first, again);
  ASSERT_EQ(first.size(), 10U);
  for (const auto& [file, hash] : first) EXPECT_NE(hash, other.at(file)) << file;
}

TEST(WriteTest, WritesTheFilesOfItsSources) {
  const auto written = HashesOf(TwoDays(), "sources");
  std::size_t files = 2;  // plimsoll.yaml, demo_truth.json
  for (const DemoSource& source : SourcesOf(TwoDays())) {
    for (const std::string& file : source.files) EXPECT_TRUE(written.contains(file)) << file;
    files += source.files.size();
  }
  EXPECT_EQ(written.size(), files);
}

TEST(WriteTest, FleetWithoutSlurmHasNoSecondBill) {
  const auto written = HashesOf(MakeFleet(16, 1), "small");
  EXPECT_FALSE(written.contains("focus_gcp.csv"));
  EXPECT_FALSE(written.contains("chat_requests.csv"));
  EXPECT_EQ(written.size(), 6U);
}

TEST(WriteTest, ServingNodesHaveARequestLog) {
  const auto written = HashesOf(MakeFleet(48, 1), "serving");
  EXPECT_TRUE(written.contains("chat_requests.csv"));
  EXPECT_EQ(written.size(), 11U);
}

TEST(WriteTest, NamesTheFolderThatCannotBeMade) {
  const ScratchFolder folder("blocked");
  std::ofstream(folder.File("file")) << "x";
  const Status status = WriteDemo(MakeFleet(16, 1), folder.File("file"));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(status.error().message.find(folder.File("file")), std::string::npos);
}

// Series of a family stand together and their samples in time order.
TEST(WriteTest, TelemetryIsGroupedAndOrdered) {
  const ScratchFolder folder("grouped");
  ASSERT_TRUE(WriteDemo(TwoDays(), folder.path()).has_value());
  for (const char* name : {"telemetry.om", "telemetry_hpc.om"}) {
    const std::vector<std::string> lines = LinesOf(ReadFile(folder.File(name)));
    EXPECT_EQ(lines.back(), "# EOF");
    std::map<std::string, bool> finished;
    std::string series;
    std::int64_t last = 0;
    for (const std::string& line : lines) {
      if (line.starts_with("#")) continue;
      const std::string key = line.substr(0, line.find("} ") + 1);
      const std::int64_t at = std::stoll(line.substr(line.rfind(' ') + 1));
      if (key != series) {
        ASSERT_TRUE(finished.emplace(key, true).second) << line;
        series = key;
        last = 0;
      }
      ASSERT_GT(at, last) << line;
      last = at;
    }
  }
}

TEST(WriteTest, PromtoolTakesTheTelemetry) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool is not installed";
  }
  const ScratchFolder folder("promtool");
  ASSERT_TRUE(WriteDemo(MakeFleet(16, 1), folder.path()).has_value());
  const std::string command = "promtool tsdb create-blocks-from openmetrics '" +
                              folder.File("telemetry.om") + "' '" + folder.File("blocks") +
                              "' >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace plimsoll
