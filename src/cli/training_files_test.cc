#include "cli/training_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

constexpr char kCluster[] =
    "groups:\n"
    "  - {name: own, flavor: H100, nodes: 4, gpus: 8, topology: {rack: 2}}\n";
constexpr char kJobs[] =
    "name,submit,pods,gpus,run\n"
    "a,2026-11-01T00:00:00Z,2,8,1h\n"
    "b,2026-11-01T01:00:00Z,1,many,1h\n"
    "c,2026-11-01T02:00:00Z,1,4,30m\n";

struct Answered {
  std::string err, error;
  std::optional<TrainingModel> model;
};

class TrainingFilesTest : public ::testing::Test {
 protected:
  TrainingFilesTest() : io_("training-files") {
    io_.Write("cluster.yaml", kCluster);
    io_.Write("jobs.csv", kJobs);
  }

  Answered Read(const TrainingFileArgs& args) {
    std::ostringstream out, err;
    Io io = io_.io;
    io.out = &out;
    io.err = &err;
    const Command root;
    Context context(io, {}, root);
    auto model = ReadTrainingModel(context, args);
    Answered answered{err.str(), model ? "" : model.error().message, {}};
    if (model) answered.model = std::move(*model);
    return answered;
  }

  TestIo io_;
};

TEST_F(TrainingFilesTest, FilesAreAModelAndWhatIsRefusedIsSaid) {
  const Answered read = Read({"cluster.yaml", "jobs.csv", "", ""});
  ASSERT_TRUE(read.model) << read.error;
  EXPECT_EQ(read.model->history.jobs.size(), 2U);
  EXPECT_EQ(read.model->groups[0].units[0], 4);
  EXPECT_NE(read.err.find("1 of 3 jobs are refused"), std::string::npos) << read.err;
  EXPECT_NE(read.err.find("line 3"), std::string::npos) << read.err;
  EXPECT_EQ(read.model->files[0].first, "cluster");  // not where the file lies
}

TEST_F(TrainingFilesTest, TheFormatsBelongToTheQuestion) {
  const Answered told = Read({"cluster.yaml", "jobs.csv", "cluster", "jobs"});
  const Answered recognized = Read({"cluster.yaml", "jobs.csv", "", ""});
  ASSERT_TRUE(told.model && recognized.model) << told.error;
  EXPECT_EQ(told.model->files, recognized.model->files) << "a format that is told is no other one";
  const auto& files = recognized.model->files;
  const auto has = [&](const char* name, const char* value) {
    return std::find(files.begin(), files.end(),
                     std::pair<std::string, std::string>(name, value)) != files.end();
  };
  EXPECT_TRUE(has("cluster format", "cluster"));
  EXPECT_TRUE(has("jobs format", "jobs"));
}

TEST_F(TrainingFilesTest, WhatIsMissingIsSaid) {
  EXPECT_EQ(Read({"cluster.yaml", "", "", ""}).error,
            "give --cluster FILE, the nodes, and --jobs FILE, what runs on them");
  EXPECT_NE(Read({"cluster.yaml", "none.csv", "", ""}).error.find("none.csv"), std::string::npos);
  EXPECT_NE(Read({"jobs.csv", "jobs.csv", "", ""}).error.find("jobs.csv"), std::string::npos);
}

// The whole way: files, the cluster's simulator, an answer.
TEST_F(TrainingFilesTest, TheCommandAnswersAProbe) {
  std::string jobs = "name,submit,pods,gpus,run\n";
  for (int i = 0; i < 60; ++i) {
    jobs += "j" + std::to_string(i) + ",2026-11-01T" + (i / 4 < 10 ? "0" : "") +
            std::to_string(i / 4) + ":" + std::to_string(10 + i % 4 * 15) + ":00Z," +
            (i % 5 == 0 ? "2" : "1") + ",8,40m\n";
  }
  io_.Write("many.csv", jobs);
  const std::vector<std::string> command = {
      "plan",           "training", "--cluster", "cluster.yaml",
      "--jobs",         "many.csv", "--probe",   "gpus=16,domain=rack,within=4h",
      "--replications", "4",        "--format",  "json"};
  const Ran ran = io_.Run(command);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_GT(json["p_start"]["estimate"], 0.3);
  EXPECT_EQ(json["replications"], 4);
  EXPECT_EQ(json["probes"], 200);
  EXPECT_GT(json["utilization"], 0.3);
  EXPECT_EQ(io_.Run(command).out, ran.out);
}

TEST_F(TrainingFilesTest, TheCommandSaysWhichFileIsMissing) {
  const Ran ran = io_.Run({"plan", "training", "--probe", "gpus=16,within=4h"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("give --cluster FILE"), std::string::npos) << ran.err;
}

TEST_F(TrainingFilesTest, QuotasAreReadAndDecideTheHash) {
  io_.Write("quota.yaml",
            "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: all}\nspec:\n"
            "  stopPolicy: Hold\n  resourceGroups:\n"
            "  - coveredResources: [nvidia.com/gpu, x/disk]\n    flavors:\n    - name: H100\n"
            "      resources: [{name: nvidia.com/gpu, nominalQuota: 8}, {name: x/disk, "
            "nominalQuota: 1}]\n");
  const Answered read = Read({"cluster.yaml", "jobs.csv", "", "", {"quota.yaml"}});
  EXPECT_EQ(read.error, "");
  EXPECT_NE(read.err.find("quota.yaml: x/disk: no job asks for it"), std::string::npos) << read.err;
  EXPECT_NE(read.err.find("ClusterQueue 'all' is stopped"), std::string::npos);
  ASSERT_TRUE(read.model->quota);
  EXPECT_EQ(read.model->files.size(), 5U);  // cluster, jobs, their formats, quota
  EXPECT_NE(Read({"cluster.yaml", "jobs.csv", "", "", {"none.yaml"}}).error.find("none.yaml"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
