#include "cli/training_fill.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

class TrainingFillTest : public ::testing::Test {
 protected:
  TrainingFillTest() : io_("training_fill") {
    std::string nodes = "sn,cpu_milli,memory_mib,gpu,model\n";
    for (int i = 0; i < 20; ++i) {
      nodes += "n" + std::to_string(i) + ",96000,393216,8," + (i < 5 ? "T4" : "G2") + "\n";
    }
    io_.Write("nodes.csv", nodes);
    io_.Write("pods.csv",
              "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
              "a,4000,8192,1,500,\nb,8000,16384,1,1000,\nc,16000,16384,2,1000,T4\n"
              "d,12000,16384,0,0,\ne,2000,8192,1,300,\n");
  }

  Ran Run(std::vector<std::string> more) {
    std::vector<std::string> args{"plan", "training", "--nodes", "nodes.csv", "--pods", "pods.csv"};
    args.insert(args.end(), more.begin(), more.end());
    return io_.Run(args);
  }

  nlohmann::json Json(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const Ran ran = Run(more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  }

  TestIo io_;
};

TEST_F(TrainingFillTest, GivesTheFieldsOfTheContract) {
  const nlohmann::json answer =
      Json({"--fill", "130%", "--policy", "bestfit", "--seeds", "3", "--seed", "7"});
  EXPECT_EQ(answer["policy"], "bestfit");
  EXPECT_EQ(answer["gpus"], 160);
  EXPECT_GT(answer["allocated_percent"]["mean"].get<double>(), 70);
  EXPECT_LE(answer["allocated_percent"]["mean"].get<double>(), 100);
  EXPECT_TRUE(answer["allocated_percent"]["sd"].is_number());
  EXPECT_TRUE(answer["fragmentation_ratio_percent"].is_number());
  ASSERT_EQ(answer["points"].size(), 8U);
  EXPECT_EQ(answer["points"][0]["arrived_percent"], 50);
  EXPECT_TRUE(answer["points"][0]["fragmentation_ratio_percent"].is_number());
  ASSERT_EQ(answer["runs"].size(), 3U);
  EXPECT_EQ(answer["runs"][0]["seed"], 7);
  EXPECT_EQ(answer["runs"][2]["seed"], 9);
  double mean = 0;
  for (const auto& run : answer["runs"]) mean += run["allocated_percent"].get<double>() / 3;
  EXPECT_NEAR(mean, answer["allocated_percent"]["mean"].get<double>(), 1e-8);
}

TEST_F(TrainingFillTest, TheSameSeedGivesTheSameBytes) {
  const Ran one = Run({"--policy", "random", "--seeds", "2", "--format", "json"});
  EXPECT_EQ(one.out, Run({"--policy", "random", "--seeds", "2", "--format", "json"}).out);
  EXPECT_NE(one.out,
            Run({"--policy", "random", "--seeds", "2", "--seed", "1", "--format", "json"}).out);
}

TEST_F(TrainingFillTest, PoliciesSideBySideBeginWithTheBest) {
  const nlohmann::json answer = Json({"--policy", "all", "--seeds", "2"});
  ASSERT_EQ(answer["policies"].size(), 6U);
  EXPECT_EQ(answer["policies"][0]["policy"], answer["policy"]);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_GE(answer["policies"][i - 1]["allocated_percent"]["mean"].get<double>(),
              answer["policies"][i]["allocated_percent"]["mean"].get<double>());
  }
  const Ran two = Run({"--policy", "fgd", "--policy", "bestfit", "--seeds", "1"});
  EXPECT_NE(two.out.find("bestfit"), std::string::npos);
}

TEST_F(TrainingFillTest, OneRunHasNoDeviation) {
  EXPECT_TRUE(Json({"--seeds", "1"})["allocated_percent"]["sd"].is_null());
}

TEST_F(TrainingFillTest, WhatIsWrongIsSaidWithItsRemedy) {
  const auto error = [&](std::vector<std::string> more) {
    const Ran ran = Run(std::move(more));
    EXPECT_EQ(ran.code, 2) << ran.out;
    return ran.err;
  };
  EXPECT_NE(error({"--fill", "x"}).find("such as 130%"), std::string::npos);
  EXPECT_NE(error({"--fill", "0%"}).find("1% to 1000%"), std::string::npos);
  EXPECT_NE(error({"--seeds", "0"}).find("--seeds"), std::string::npos);
  EXPECT_NE(error({"--seed", "-1"}).find("--seed"), std::string::npos);
  EXPECT_NE(error({"--policy", "fdg"}).find("fgd"), std::string::npos);
  EXPECT_NE(io_.Run({"plan", "training", "--nodes", "nodes.csv"}).err.find("--pods"),
            std::string::npos);
  EXPECT_NE(io_.Run({"plan", "training", "--fill", "100%"}).err.find("--nodes"), std::string::npos);
  EXPECT_EQ(io_.Run({"plan", "training"}).code, 2);
  io_.Write("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,2,5\n");
  const Ran bad = Run({});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("pods.csv:2: gpu_milli"), std::string::npos);
}

TEST_F(TrainingFillTest, PodsMayAskForMigInstances) {
  io_.Write("nodes.csv",
            "sn,cpu_milli,memory_mib,gpu,model\na,96000,393216,4,A100-80GB\n"
            "b,96000,393216,4,T4\n");
  const std::string header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,mig_profile\n";
  io_.Write("pods.csv", header + "a,1000,1024,1,1000,3g.40gb\n");
  // Two on each of four cards, three sevenths of a card each; the T4s take none.
  const nlohmann::json answer = Json({"--seeds", "1", "--policy", "packing"});
  EXPECT_EQ(answer["runs"][0]["pods_placed"], 8);
  EXPECT_NEAR(answer["allocated_percent"]["mean"].get<double>(), 8 * 42.8 / 8, 1e-6);
  io_.Write("pods.csv", header + "a,1000,1024,1,1000,9g.1gb\n");
  const Ran wrong = Run({});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("pods.csv: pod a: '9g.1gb' is no MIG profile"), std::string::npos);
}

TEST_F(TrainingFillTest, ModelsThatNoNodeHasAreWarnedOf) {
  io_.Write("pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\na,1,1,1,1000,H100\n"
            "b,1,1,1,1000,\n");
  const Ran ran = Run({"--seeds", "1"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("H100; 1 pods"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
