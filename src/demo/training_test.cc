#include <map>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

// GPUs and failures of each PyTorchJob.
struct Gang {
  std::int64_t gpus = 0, pods = 0, failed = 0;
};
std::map<std::string, Gang> GangsOf(const DemoFleet& fleet) {
  std::map<std::string, Gang> gangs;
  for (const DemoPod& pod : fleet.pods) {
    const DemoOwner& owner = fleet.owners[pod.owner];
    if (owner.kind != "PyTorchJob") continue;
    Gang& gang = gangs[owner.name];
    gang.gpus += pod.count;
    ++gang.pods;
    gang.failed += pod.end_reason == "Error" ? 1 : 0;
  }
  return gangs;
}

TEST(TrainingTest, JobsAreGangsOfEightAndSixteenGpus) {
  bool eight = false, sixteen = false;
  for (const auto& [name, gang] : GangsOf(Week())) {
    EXPECT_TRUE(gang.gpus == 8 || gang.gpus == 16) << name;
    EXPECT_EQ(gang.pods, 2) << name;
    eight = eight || gang.gpus == 8;
    sixteen = sixteen || gang.gpus == 16;
  }
  EXPECT_TRUE(eight);
  EXPECT_TRUE(sixteen);
}

TEST(TrainingTest, AGangFailsWholeAndIsTriedAgain) {
  const std::map<std::string, Gang> gangs = GangsOf(Week());
  bool failed = false;
  for (const auto& [name, gang] : gangs) {
    if (gang.failed == 0) continue;
    failed = true;
    EXPECT_EQ(gang.failed, gang.pods) << name;
  }
  EXPECT_TRUE(failed);
  EXPECT_TRUE(std::any_of(gangs.begin(), gangs.end(),
                          [](const auto& gang) { return gang.first.ends_with("-r1"); }));
}

}  // namespace
}  // namespace plimsoll
