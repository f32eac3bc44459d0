#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class PlanMigTest : public ::testing::Test {
 protected:
  PlanMigTest() : io("plan_mig") {}

  Json Ask(std::vector<std::string> options) {
    std::vector<std::string> line{"plan", "mig"};
    line.insert(line.end(), options.begin(), options.end());
    line.insert(line.end(), {"--format", "json"});
    const Ran run = io.Run(line);
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out, nullptr, false);
  }

  TestIo io;
};

TEST_F(PlanMigTest, AValidPartitionHasItsPlacements) {
  const Json answer = Ask({"--gpu", "A100-80", "--profiles", "3g,2g,1g,1g"});
  EXPECT_EQ(answer["valid"], true);
  EXPECT_EQ(answer["stranded"], 0);
  EXPECT_EQ(answer["stranded_memory_slices"], 0);
  ASSERT_EQ(answer["placements"].size(), 4U);
  std::int64_t slots = 0;
  for (const Json& placed : answer["placements"]) {
    const std::int64_t mask = ((1 << placed["size"].get<int>()) - 1) << placed["start"].get<int>();
    EXPECT_EQ(slots & mask, 0);
    slots |= mask;
  }
  EXPECT_EQ(slots, 0xff);
  EXPECT_TRUE(Holds(answer["create"], "nvidia-smi mig -cgi 3g.40gb:"));
}

TEST_F(PlanMigTest, AnImpossibleListIsRefusedWithTheReason) {
  const Json answer = Ask({"--gpu", "A100-40GB", "--profiles", "1g,1g,2g,2g,3g,3g"});
  EXPECT_EQ(answer["valid"], false);
  EXPECT_TRUE(Holds(answer["reason"], "12 compute slices"));
  EXPECT_TRUE(answer["stranded"].is_null());
  EXPECT_TRUE(answer["placements"].empty());
}

TEST_F(PlanMigTest, StrandedSlicesAreSaidWithWhatWouldUseThem) {
  const Ran run = io.Run({"plan", "mig", "--gpu", "A100-80GB", "--profiles", "2x3g"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "Stranded: 1 of 7 compute slices")) << run.out;
  EXPECT_TRUE(Holds(run.out, "a 4g.40gb in place of a 3g.40gb")) << run.out;
}

TEST_F(PlanMigTest, ProfilesOfAFleetAreAlternatives) {
  const Json answer = Ask({"--gpu", "A100-40GB", "--cards", "4"});
  EXPECT_EQ(answer["alternatives"][0]["profile"], "1g.5gb");
  EXPECT_EQ(answer["alternatives"][0]["instances"], 28);
  EXPECT_EQ(answer["alternatives"].back()["profile"], "7g.40gb");
  EXPECT_EQ(answer["alternatives"].back()["instances"], 4);
  EXPECT_EQ(answer["maximal_placements"], 78);
  const Ran text = io.Run({"plan", "mig", "--gpu", "A100-40GB", "--cards", "4"});
  EXPECT_TRUE(Holds(text.out, "On 4 cards, one of these and never two together")) << text.out;
}

TEST_F(PlanMigTest, ModelsArePackedAndTheSavingIsPriced) {
  io.Write("models.yaml",
           "models:\n"
           "  - {name: chat, memory_gib: 30, replicas: 2}\n"
           "  - {name: embed, memory_gib: 8, replicas: 5}\n"
           "  - {name: big, memory_gib: 140, tensor_parallel: 2}\n");
  const Json answer =
      Ask({"--gpu", "A100-80GB", "--models", "models.yaml", "--card-price", "2.00"});
  EXPECT_EQ(answer["cards"], 4);
  EXPECT_EQ(answer["cards_whole"], 2);
  EXPECT_EQ(answer["cards_without_mig"], 9);
  EXPECT_EQ(answer["cards_proven"], true);
  EXPECT_EQ(answer["cost_per_hour"], "8.000000000");
  EXPECT_EQ(answer["saving_per_month"], "7300.000000000");
  std::int64_t cents = 0;
  for (const Json& instance : answer["instances"]) {
    EXPECT_GE(std::stod(instance["memory_gib"].dump()),
              std::stod(instance["memory_gib_needed"].dump()));
    ++cents;
  }
  EXPECT_EQ(cents, 7);
  EXPECT_EQ(answer["models"][2]["profile"], "whole card");
  EXPECT_EQ(answer["ways_to_share"].size(), 4U);
}

TEST_F(PlanMigTest, PeopleSeeTheBoundAndWhenNotToCut) {
  io.Write("m.csv", "name,memory_gib,replicas,instances_per_pod\nsmall,5,56,1\npod,30,1,10\n");
  const Ran run = io.Run({"plan", "mig", "--gpu", "A100-80GB", "--models", "m.csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* part :
       {"No packing has fewer cards (lower bound", "Leave a model on a whole card",
        "asks for 10 MIG devices a pod, 7 are visible", "time-slicing", "MPS"}) {
    EXPECT_TRUE(Holds(run.out, part)) << part << "\n" << run.out;
  }
}

TEST_F(PlanMigTest, WrongOptionsSayHowToWriteThem) {
  io.Write("bad.csv", "name,memory_gib\na,none\n");
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--gpu", "A100-80GB", "--profiles", "5g"}, "is no MIG profile of A100-SXM-80GB"},
      {{"--gpu", "A100-80GB", "--profiles", "0x1g"}, "2x1g"},
      {{"--gpu", "L4", "--profiles", "1g"}, "has no MIG profiles"},
      {{"--gpu", "A100-81GB"}, "did you mean"},
      {{"--gpu", "A100-80GB", "--cards", "0"}, "--cards '0' is not a whole number from 1"},
      {{"--gpu", "A100-80GB", "--card-price", "free"}, "such as 1.80"},
      {{"--gpu", "A100-80GB", "--profiles", "1g", "--models", "x"}, "cannot stand with"}};
  for (const auto& [options, wanted] : cases) {
    std::vector<std::string> line{"plan", "mig"};
    line.insert(line.end(), options.begin(), options.end());
    const Ran run = io.Run(line);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_TRUE(Holds(run.err, wanted)) << run.err;
  }
  const Ran bad = io.Run({"plan", "mig", "--gpu", "A100-80GB", "--models", "bad.csv"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(Holds(bad.err, "bad.csv:2: memory_gib")) << bad.err;
}

TEST_F(PlanMigTest, MediaExtensionsAreOneOfTheSmallSlices) {
  const Json one = Ask({"--gpu", "A100-80GB", "--profiles", "1g.10gb+me,6x1g.10gb"});
  EXPECT_EQ(one["valid"], true);
  const Json two = Ask({"--gpu", "A100-80GB", "--profiles", "2x1g.10gb+me"});
  EXPECT_EQ(two["valid"], false);
  EXPECT_TRUE(Holds(two["reason"], "holds 1 of 1g.10gb+me at most"));
}

}  // namespace
}  // namespace plimsoll
