#include "demo/write_dcgm.h"

#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

std::vector<std::string> DcgmLines(const std::string& cluster) {
  const ScratchFolder folder("dcgm-" + cluster);
  OpenMetricsWriter out(folder.File("t.om"));
  WriteDcgm(TwoDays(), cluster, out);
  EXPECT_TRUE(out.Finish().has_value());
  return LinesOf(ReadFile(folder.File("t.om")));
}

std::size_t SamplesOf(const DemoFleet& fleet, bool slurm) {
  std::size_t samples = 0;
  for (const DemoNode& node : fleet.nodes) {
    for (const DemoUnit& unit : node.units) {
      if (node.slurm() != slurm || !unit.instance.empty()) continue;
      for (const std::uint8_t percent : unit.percent) samples += percent != kNoSample ? 1U : 0U;
    }
  }
  return samples;
}

TEST(WriteDcgmTest, HasOneSampleAWholeCardAndTwelfth) {
  for (const bool slurm : {false, true}) {
    std::size_t found = 0;
    for (const std::string& line : DcgmLines(slurm ? kDemoSlurmCluster : kDemoCluster)) {
      found += line.starts_with("DCGM_FI_PROF_SM_ACTIVE{") ? 1U : 0U;
    }
    EXPECT_EQ(found, SamplesOf(TwoDays(), slurm));
  }
}

TEST(WriteDcgmTest, HoldersStandInPodOrJobLabels) {
  bool pod = false, job = false, instance = false;
  for (const std::string& line : DcgmLines(kDemoCluster)) {
    pod = pod || line.find(R"(container="pytorch",namespace="training",pod=")") != line.npos;
    instance = instance || line.find(R"(GPU_I_PROFILE="3g.20gb",GPU_I_ID="2")") != line.npos;
    EXPECT_EQ(line.find("hpc_job"), line.npos);
  }
  for (const std::string& line : DcgmLines(kDemoSlurmCluster)) {
    job = job || line.find(R"(hpc_job="91001")") != line.npos;
  }
  EXPECT_TRUE(pod && job && instance);
}

TEST(WriteDcgmTest, FailedCardSaysXid79JustBeforeItVanishes) {
  std::vector<std::string> errors;
  for (const std::string& line : DcgmLines(kDemoCluster)) {
    if (line.starts_with("DCGM_FI_DEV_XID_ERRORS{") && line.find("} 79 ") != line.npos) {
      errors.push_back(line);
    }
  }
  ASSERT_EQ(errors.size(), 1U);
  const Instant last = kDemoBegin + Days(1) + Hours(2) + Minutes(10);
  EXPECT_TRUE(errors[0].ends_with(" 79 " + std::to_string(last.base() / 1000))) << errors[0];
}

}  // namespace
}  // namespace plimsoll
