#include "demo/write_slurm.h"

#include <algorithm>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(WriteSlurmTest, JobsHaveThreeStepsOnceStarted) {
  const std::vector<std::string> lines = LinesOf(SacctText(Week()));
  std::size_t expected = 1;
  for (const DemoJob& job : Week().jobs) expected += job.holds.empty() ? 1U : 4U;
  EXPECT_EQ(lines.size(), expected);
  const auto columns = [](const std::string& line) {
    return std::count(line.begin(), line.end(), '|');
  };
  for (const std::string& line : lines) {
    const bool piped = line.ends_with("|fold|ensemble");
    EXPECT_EQ(columns(line), columns(lines.front()) + (piped ? 1 : 0)) << line;
  }
}

TEST(WriteSlurmTest, WaitingJobHasNoStartAndNoNodes) {
  const std::string text = SacctText(Week());
  const std::size_t row = text.find("|PENDING|");
  ASSERT_NE(row, std::string::npos);
  const std::size_t begin = text.rfind('\n', row) + 1;
  const std::string line = text.substr(begin, text.find('\n', row) - begin);
  EXPECT_NE(line.find("|Unknown|Unknown|00:00:00|0:0|PENDING|2|192|"), std::string::npos) << line;
  EXPECT_NE(line.find("||3-00:00:00|None assigned|Resources|reanalysis"), std::string::npos)
      << line;
}

TEST(WriteSlurmTest, NodesAreInLongForm) {
  const std::string text = ScontrolNodesText(Week());
  EXPECT_TRUE(text.starts_with("NodeName=hpc-g1 Arch=x86_64"));
  EXPECT_NE(text.find("\n\nNodeName=hpc-g2 "), std::string::npos);
  EXPECT_NE(text.find("CfgTRES=cpu=96,mem=680G,billing=96,gres/gpu=8"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
