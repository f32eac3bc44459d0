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

// Pods name the run that they are an attempt of, whatever their job is called.
TEST(TrainingTest, EveryGangIsAnAttemptOfARun) {
  std::map<std::string, std::int64_t> gpus;
  for (const DemoRun& run : Week().runs) gpus[run.id] = run.gpus;
  std::map<std::string, std::pair<std::string, std::int64_t>> gangs;
  for (const DemoPod& pod : Week().pods) {
    const DemoOwner& owner = Week().owners[pod.owner];
    if (owner.kind != "PyTorchJob") continue;
    auto& [run, held] = gangs[owner.name];
    run = pod.labels.at("plimsoll.io/run");
    held += pod.count;
    EXPECT_TRUE(owner.name.starts_with(run)) << owner.name;
  }
  for (const auto& [name, gang] : gangs) EXPECT_EQ(gpus.at(gang.first), gang.second) << name;
}

}  // namespace
}  // namespace plimsoll
