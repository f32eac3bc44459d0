#include "cli/training_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"
#include "cli/test_training_model.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

constexpr char kTargets[] =
    "classes:\n"
    "  - {name: small, gpus_max: 7, within: 30m, share: 90%}\n"
    "  - {name: large, gpus_min: 8, within: 2h, share: 80%}\n"
    "gangs:\n"
    "  - {gpus: 16, domain: rack, within: 4h, probability: 50%}\n";

struct Answered {
  std::string out, err, error;
  Json json() const { return Json::parse(out); }
};

class TrainingRunTest : public ::testing::Test {
 protected:
  TrainingRunTest() : io_("training-run") { io_.Write("targets.yaml", kTargets); }

  Answered Run(const TrainingArgs& args, const std::string& format = "json") {
    std::ostringstream out, err;
    Io io = io_.io;
    io.out = &out;
    io.err = &err;
    CommonOptions options;
    options.format = format;
    const Command root;
    Context context(io, options, root);
    const auto code = RunTraining(context, args, model_, TestSimulator());
    return {out.str(), err.str(), code ? "" : code.error().message};
  }

  TrainingArgs Grid() const {
    TrainingArgs args;
    args.targets = "targets.yaml";
    args.grid = {"owned=1..8", "spot=0,2"};
    args.replications = 6;
    args.epochs = 20;
    return args;
  }

  TrainingModel model_ = TestModel();
  TestIo io_;
};

TEST_F(TrainingRunTest, AProbeIsAProbabilityWithItsInterval) {
  TrainingArgs args;
  args.probes = {"gpus=16,domain=rack,within=4h"};
  const Json json = Run(args).json();
  EXPECT_GT(json["p_start"]["estimate"], 0.7);
  EXPECT_LT(json["p_start"]["low"], json["p_start"]["estimate"]);
  EXPECT_GT(json["p_start"]["high"], json["p_start"]["estimate"]);
  EXPECT_EQ(json["replications"], 100);
  EXPECT_EQ(json["probes"], 5'000);
  EXPECT_EQ(json["within_hours"], "4.000000000");
  EXPECT_EQ(json["curve"].back()["p_start"]["estimate"], json["p_start"]["estimate"]);
  EXPECT_EQ(json["gpus"], 32);
  EXPECT_EQ(json["cost_per_month"], "46720.000000000");
}

TEST_F(TrainingRunTest, WaitsAreByClassWithClosedFormsBeside) {
  TrainingArgs args;
  args.targets = "targets.yaml";
  const Json json = Run(args).json();
  ASSERT_EQ(json["classes"].size(), 2U);
  EXPECT_EQ(json["classes"][0]["name"], "small");
  EXPECT_GT(json["classes"][0]["jobs"], 1'000);
  EXPECT_EQ(json["formulas"].size(), 3U);
  EXPECT_EQ(json["gangs"].size(), 1U);
  EXPECT_LE(json["utilization"], 1);
}

TEST_F(TrainingRunTest, TheLeastFleetMeetsAndTheNextCheaperOneDoesNot) {
  const Json json = Run(Grid()).json();
  EXPECT_EQ(json["fleets_compared"], 16);
  ASSERT_FALSE(json["least"]["fleet"].is_null()) << json.dump();
  const std::size_t least = json["least"]["fleet"];
  const Json& best = json["fleets"][least - 1];
  EXPECT_EQ(best["meets"], true);
  for (const Json& fleet : json["fleets"]) {
    const bool cheaper = std::stod(fleet["cost_per_month"].get<std::string>()) <
                         std::stod(best["cost_per_month"].get<std::string>());
    EXPECT_FALSE(cheaper && fleet["meets"].get<bool>());
  }
  EXPECT_EQ(json["best"].size(), 2U);
  EXPECT_EQ(json["targets"].size(), 16U * 3);
  EXPECT_FALSE(json["bounds"].empty());
}

TEST_F(TrainingRunTest, MergedShardsAnswerByteForByteAsOneRun) {
  const std::string whole = Run(Grid()).out;
  for (const int count : {1, 3, 7}) {
    TrainingArgs merge = Grid();
    for (int i = 1; i <= count; ++i) {
      TrainingArgs shard = Grid();
      shard.threads = i;
      shard.shard = std::to_string(i) + "/" + std::to_string(count);
      shard.output = "shard-" + std::to_string(count) + "-" + std::to_string(i) + ".json";
      EXPECT_EQ(Run(shard).error, "");
    }
    merge.merge = {"shard-" + std::to_string(count) + "-*.json"};
    EXPECT_EQ(Run(merge).out, whole);
    EXPECT_EQ(Run(merge, "table").out, Run(Grid(), "table").out);
  }
}

TEST_F(TrainingRunTest, ShardsOfAnotherQuestionAreRefused) {
  TrainingArgs shard = Grid();
  shard.shard = "1/1";
  shard.output = "s.json";
  EXPECT_EQ(Run(shard).error, "");
  TrainingArgs merge = Grid();
  merge.seed = 7;
  merge.merge = {"s.json"};
  EXPECT_NE(Run(merge).error.find("s.json: answers another question"), std::string::npos);
  merge = Grid();
  merge.merge = {"targets.yaml"};
  EXPECT_NE(Run(merge).error.find("targets.yaml: is no shard"), std::string::npos);
}

TEST_F(TrainingRunTest, AChangeIsComparedUnderTheSameJobs) {
  TrainingArgs args;
  args.targets = "targets.yaml";
  args.what_if = {"owned=3"};
  const Json json = Run(args).json();
  EXPECT_EQ(json["cost_per_month"]["difference"], "-11680.000000000");
  bool slower = false;
  for (const Json& one : json["differences"]) {
    if (one["target"] != "large" || one["measure"] != "mean_wait") continue;
    slower = one["difference"]["low"] > 0;
  }
  EXPECT_TRUE(slower);
}

TEST_F(TrainingRunTest, TablesFit120Columns) {
  for (TrainingArgs args : {Grid(), TrainingArgs()}) {
    for (const bool change : {false, true}) {
      if (change && !args.grid.empty()) continue;
      if (change) args.what_if = {"owned=3"};
      const Answered answer = Run(args, "table");
      EXPECT_EQ(answer.error, "");
      std::istringstream lines(answer.out);
      std::string line;
      while (std::getline(lines, line)) {
        // Notes are wrapped only on a terminal.
        if (line.starts_with("closed forms") || line.starts_with("replications in")) continue;
        EXPECT_LE(line.size(), 120U) << line;
      }
    }
  }
}

TEST_F(TrainingRunTest, APageIsWrittenBesideTheAnswer) {
  TrainingArgs args = Grid();
  args.html = "page.html";
  const Answered answer = Run(args);
  EXPECT_EQ(answer.error, "");
  std::ifstream page("page.html");
  const std::string html(std::istreambuf_iterator<char>(page), {});
  EXPECT_NE(html.find("Training capacity"), std::string::npos);
}

TEST_F(TrainingRunTest, WaitsOnRecordStandBesideTheSimulatedOnes) {
  TrainingArgs args;
  EXPECT_TRUE(Run(args).json()["record"].is_null());
  model_.is_on_record = true;
  for (TrainingJob& job : model_.history.jobs) job.started = job.submitted + Minutes(6);
  for (const bool probe : {false, true}) {
    if (probe) args.probes = {"gpus=16,within=4h"};
    const Json record = Run(args).json()["record"];
    ASSERT_EQ(record.size(), 4U) << "three classes with jobs, and a queue";
    EXPECT_EQ(record[3]["by"], "queue");
    EXPECT_EQ(record[3]["recorded"]["p95_wait_hours"], "0.100000000");
    EXPECT_LT(record[3]["jobs"], 200) << "without the first tenth";
    EXPECT_FALSE(record[3]["simulated"]["p95_wait_hours"].is_null());
  }
}

TEST_F(TrainingRunTest, OptionsThatExcludeEachOtherAreSaid) {
  TrainingArgs args;
  args.shard = "1/2";
  args.merge = {"x"};
  EXPECT_NE(Run(args).error.find("--shard and --merge exclude"), std::string::npos);
  args = {};
  args.output = "x";
  EXPECT_EQ(Run(args).error, "--output is for --shard");
  args = {};
  args.shard = "3/2";
  EXPECT_NE(Run(args).error.find("'3/2' is not a shard"), std::string::npos);
  args.html = "x";
  EXPECT_NE(Run(args).error.find("--html is for the whole answer"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
