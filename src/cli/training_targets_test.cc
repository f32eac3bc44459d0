#include "cli/training_targets.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr char kFile[] =
    "classes:\n"
    "  - {name: small, gpus_max: 8, within: 10m, share: 95%}\n"
    "  - {name: large, gpus_min: 9, queue: research, within: 4h, share: 90%}\n"
    "  - {name: rest}\n"
    "gangs:\n"
    "  - {gpus: 32, domain: rack, within: 4h, probability: 90%}\n"
    "deadlines: 99%\n"
    "confidence: 90%\n";

TargetNames Names() { return {{"prod", "research"}, {"block", "rack"}, {"h100", "a100"}, 8}; }

std::string Problems(const std::string& text) {
  const auto file = ReadTargets("t.yaml", text);
  return file ? "" : file.error().message;
}

TEST(TrainingTargetsTest, AFileSaysWhoStartsWithinWhat) {
  const auto file = ReadTargets("t.yaml", kFile);
  ASSERT_TRUE(file) << file.error().message;
  const auto targets = BindTargets(*file, Names());
  ASSERT_TRUE(targets) << targets.error().message;
  ASSERT_EQ(targets->classes.size(), 3U);
  EXPECT_EQ(targets->classes[0].within, Minutes(10));
  EXPECT_EQ(targets->classes[0].share, 950'000'000);
  EXPECT_EQ(targets->classes[1].queue, 1U);
  EXPECT_FALSE(targets->classes[2].within);
  EXPECT_EQ(targets->classes[2].share, 0);
  ASSERT_EQ(targets->gangs.size(), 1U);
  const GangTarget& gang = targets->gangs[0];
  EXPECT_EQ(gang.name, "32 GPUs in one rack within 4h");
  EXPECT_EQ(gang.job.pods, 4);
  EXPECT_EQ(gang.job.shape.gpus, 8);
  EXPECT_EQ(gang.job.topology.mode, TopologyMode::kRequired);
  EXPECT_EQ(gang.job.topology.level, 1U);
  EXPECT_EQ(targets->deadline_share, 990'000'000);
  EXPECT_EQ(targets->confidence, 900'000'000);
}

TEST(TrainingTargetsTest, AllThatIsWrongIsSaidAtOnceWithItsLine) {
  EXPECT_EQ(Problems("classes:\n"
                     "  - {name: a, gpus_min: 9, gpus_max: 8}\n"
                     "  - {name: a, share: 95%}\n"
                     "  - {within: soon, shre: 9}\n"
                     "gangs: [{domain: rack}]\n"),
            "t.yaml:2: classes[0].gpus_max: is below gpus_min: no job is in this class\n"
            "t.yaml:3: classes[1].within: is missing beside share: the time in which they start\n"
            "t.yaml:3: classes[1].name: 'a' is given to two classes\n"
            "t.yaml:4: classes[2].name: is missing\n"
            "t.yaml:4: classes[2].within: 'soon' is no time such as 30m, 4h or 1h30m\n"
            "t.yaml:4: classes[2].shre: is not known here; see docs/formats\n"
            "t.yaml:5: gangs[0].gpus: is missing: how many GPUs start together\n"
            "t.yaml:5: gangs[0].within: is missing: 4h, or 0 for at once");
}

TEST(TrainingTargetsTest, AFileThatAsksForNothingIsRefused) {
  EXPECT_NE(Problems("confidence: 90%\n").find("nothing is asked for"), std::string::npos);
  EXPECT_NE(Problems("deadlines: 0%\n").find("no share above 0"), std::string::npos);
  EXPECT_NE(Problems("deadlines: 9%\nconfidence: 10%\n").find("not from 50%"), std::string::npos);
  EXPECT_NE(Problems("[]").find("t.yaml"), std::string::npos);
}

TEST(TrainingTargetsTest, AProbeIsWrittenAsParts) {
  const auto probe = ParseProbe("gpus=32,domain=rack,within=4h,flavor=h100,priority=-5,run=2d");
  ASSERT_TRUE(probe) << probe.error().message;
  EXPECT_EQ(probe->gpus, 32);
  EXPECT_EQ(probe->within, Hours(4));
  EXPECT_EQ(probe->run, Days(2));
  EXPECT_EQ(probe->priority, -5);
  TargetFile file;
  file.gangs = {*probe};
  const auto targets = BindTargets(file, Names());
  ASSERT_TRUE(targets);
  EXPECT_EQ(targets->gangs[0].job.shape.flavors, FlavorSet{0b01});
  EXPECT_EQ(targets->gangs[0].name, "32 GPUs h100 in one rack within 4h");
}

TEST(TrainingTargetsTest, WhatIsWrongWithAProbeIsNamed) {
  const auto error = [](const std::string& text) {
    const auto probe = ParseProbe(text);
    return probe ? "" : probe.error().message;
  };
  EXPECT_EQ(error("gpus=32"), "--probe: within is missing, such as within=4h; 0 is at once");
  EXPECT_EQ(error("within=4h"), "--probe: gpus is missing, such as gpus=32");
  EXPECT_EQ(error("gpus=0,within=4h"), "--probe: gpus=0 is no whole number from 1 to 10000000");
  EXPECT_EQ(error("gpus=2.5,within=4h"), "--probe: gpus=2.5 is no whole number from 1 to 10000000");
  EXPECT_NE(error("gpus=8,within=4h,rack=3").find("'rack' is none of"), std::string::npos);
  EXPECT_NE(error("gpus=8,4h").find("'4h' is no part"), std::string::npos);
  EXPECT_NE(error("").find("is no part"), std::string::npos);
}

TEST(TrainingTargetsTest, NamesThatAreNotThereAreSaidWithThoseThatAre) {
  const auto error = [](const std::string& text) {
    TargetFile file;
    file.gangs = {*ParseProbe(text)};
    const auto targets = BindTargets(file, Names());
    return targets ? "" : targets.error().message;
  };
  EXPECT_EQ(error("gpus=8,within=0,domain=pod"), "domain 'pod' is not there; there is block, rack");
  EXPECT_EQ(error("gpus=8,within=0,flavor=b200"),
            "flavor 'b200' is not there; there is h100, a100");
  EXPECT_EQ(error("gpus=8,within=0,queue=q"), "queue 'q' is not there; there is prod, research");
  EXPECT_EQ(error("gpus=12,within=0"),
            "12 GPUs at once: 12 GPUs are no whole pods of 8; give pod_gpus, the GPUs of one pod");
  EXPECT_EQ(error("gpus=12,within=0,pod_gpus=4"), "");
}

TEST(TrainingTargetsTest, APartOfAProbeIsGivenOnce) {
  const Result<GangText> probe = ParseProbe("gpus=1,gpus=2,within=4h");
  ASSERT_FALSE(probe);
  EXPECT_EQ(probe.error().message, "--probe: gpus is given twice: leave one");
}

}  // namespace
}  // namespace plimsoll
