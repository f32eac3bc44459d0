// Fits of published spot traces against the figures that were computed of them elsewhere
// (../shared, not part of the repository).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ingest/trace/trace_reader.h"
#include "purchase/spot/fit_pool.h"

namespace plimsoll {
namespace {

std::filesystem::path SpotData() {
  std::filesystem::path shared;
  if (const char* named = std::getenv("PLIMSOLL_SHARED")) {
    shared = named;
  } else {
    const char* root = std::getenv("PLIMSOLL_ROOT");
    shared = std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  }
  return shared / "data" / "spot";
}

SpotHistory Read(const std::string& file) {
  const std::filesystem::path path = SpotData() / file;
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const Result<SpotHistory> history = ReadSpotHistory({path.string(), text});
  EXPECT_TRUE(history.has_value()) << history.error().message;
  return history.has_value() ? *history : SpotHistory();
}

double Part(std::int64_t billionths) { return static_cast<double>(billionths) / 1e9; }
double InHours(Duration duration) { return static_cast<double>(duration.base()) / 3.6e6; }

class FitPublishedSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SpotData())) GTEST_SKIP() << "no shared data in " << SpotData();
  }
};

struct Golden {
  const char* trace;
  double availability, up, down, shape;
};

constexpr Golden kGoldens[] = {
    {"aws-02-15-2023/us-east-1a_v100_1", .167, .72, 3.58, .93},
    {"aws-02-15-2023/us-east-1c_v100_1", .467, 1.48, 1.69, .73},
    {"aws-02-15-2023/us-east-1d_v100_1", .447, 1.66, 2.05, .73},
    {"aws-02-15-2023/us-east-1f_v100_1", .591, 2.26, 1.56, .65},
    {"aws-02-15-2023/us-east-2a_v100_1", .759, 5.68, 1.80, .57},
    {"aws-02-15-2023/us-east-2b_v100_1", .682, 4.26, 1.98, .64},
    {"aws-02-15-2023/us-west-2a_v100_1", .883, 6.06, .81, .56},
    {"aws-02-15-2023/us-west-2b_v100_1", .905, 10.40, 1.10, .49},
    {"aws-02-15-2023/us-west-2c_v100_1", .891, 6.81, .84, .54},
    {"aws-10-26-2022/us-west-2a_k80_1", .893, 4.36, .53, .63},
    {"aws-10-26-2022/us-west-2a_k80_8", .326, 1.57, 3.22, .86},
    {"aws-10-26-2022/us-west-2a_v100_1", .793, 4.05, 1.07, .56},
    {"aws-10-26-2022/us-west-2a_v100_8", .480, 1.16, 1.25, .67},
};

TEST_F(FitPublishedSharedTest, TracesHaveTheirAvailabilityRunsAndShape) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.trace);
    const SpotHistory history =
        Read("skypilot-spot-traces/availability/1-node/" + std::string(golden.trace) + ".json");
    PoolEvidence evidence;
    AddTrace(history.traces.at(0), {}, TraceUse::kAll, evidence);
    const PoolFigures figures = FiguresOf(evidence, Hours(1), Hours(8));
    EXPECT_EQ(history.traces[0].observed, SpotObservation::kPings);
    EXPECT_NEAR(Part(*figures.availability), golden.availability, 5.01e-4);
    EXPECT_NEAR(InHours(*figures.mean_up), golden.up, 5.01e-3);
    EXPECT_NEAR(InHours(*figures.mean_down), golden.down, 5.01e-3);
    EXPECT_NEAR(Part(figures.weibull->shape), golden.shape, 5.01e-3);
    EXPECT_LT(figures.weibull->shape_low, figures.weibull->shape);
  }
}

TEST_F(FitPublishedSharedTest, RatesOfHeldSets) {
  for (const auto& [file, rate] :
       {std::pair{"bamboo/p3-trace.csv", 0.611}, std::pair{"bamboo/g4dn-trace.csv", 0.545}}) {
    const SpotHistory history = Read(file);
    PoolEvidence evidence;
    AddLifetimes(history.lifetimes.at(0), {}, evidence);
    AddTrace(history.traces.at(0), {}, TraceUse::kCountsOnly, evidence);
    EXPECT_NEAR(Part(*FiguresOf(evidence, Hours(1), Hours(8)).taken_per_instance_hour), rate,
                5.01e-4);
  }
}

TEST_F(FitPublishedSharedTest, LifetimesOfGoogleAndAmazon) {
  PoolEvidence gcp, k80, k80x8, v100;
  for (const InstanceLifetimes& lives :
       Read("training_on_a_dime/derived_instance_lifetimes.csv").lifetimes) {
    const bool is_gcp = lives.pool.cloud == "gcp";
    if (is_gcp && lives.pool.sku == "v100x1") AddLifetimes(lives, {}, gcp);
    if (!is_gcp && lives.pool.sku == "k80x1") AddLifetimes(lives, {}, k80);
    if (!is_gcp && lives.pool.sku == "k80x8") AddLifetimes(lives, {}, k80x8);
    if (!is_gcp && lives.pool.sku == "v100x1") AddLifetimes(lives, {}, v100);
  }
  EXPECT_EQ(gcp.up.ends(), 64);
  EXPECT_NEAR(InHours(FitExponential(gcp.up)->mean), 1.9, 0.05);
  EXPECT_NEAR(InHours(FitExponential(k80.up)->mean), 4.2, 0.05);
  EXPECT_NEAR(InHours(FitExponential(k80x8.up)->mean), 7.1, 0.05);
  EXPECT_FALSE(FitExponential(v100.up).has_value()) << "none was taken";
}

TEST_F(FitPublishedSharedTest, RawPingsAreTheComplementOfThePublishedTraces) {
  for (const char* name :
       {"us-west-2a_k80_1", "us-west-2a_k80_8", "us-west-2a_v100_1", "us-west-2a_v100_8",
        "us-west-2b_k80_1", "us-west-2b_k80_8", "us-west-2b_v100_1", "us-west-2b_v100_8"}) {
    const SpotHistory raw = Read("skypilot-spot-strategy/raw_ping_traces/2022-10-26T22-05/" +
                                 std::string(name) + ".txt");
    const SpotHistory made = Read("skypilot-spot-traces/availability/1-node/aws-10-26-2022/" +
                                  std::string(name) + ".json");
    EXPECT_EQ(raw.traces.at(0).instances, made.traces.at(0).instances) << name;
    EXPECT_EQ(raw.traces[0].gap, Minutes(10));
  }
}

TEST_F(FitPublishedSharedTest, AdvisorKnowsWhereSpotIsDearer) {
  bool found = false;
  for (const SpotAdvice& advice : Read("spotinfo/spot-advisor-data.json").advice) {
    if (advice.pool.zone != "ca-central-1" || advice.pool.sku != "p5.48xlarge") continue;
    found = true;
    EXPECT_EQ(advice.saving_pct, -62);
    EXPECT_EQ(advice.share, "<5%");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(Read("spotinfo/aws_spot_advisor_gpu.csv").advice.size(), 925U);
}

TEST_F(FitPublishedSharedTest, OtherPublishedSetsAreRead) {
  EXPECT_NEAR(InHours(Millis(static_cast<std::int64_t>(
                                 Read("parcae/aws/traces/p3.csv").traces.at(0).instances.size()) *
                             Read("parcae/aws/traces/p3.csv").traces.at(0).gap.base())),
              11.37, 0.01);
  EXPECT_EQ(Read("bamboo/a100x1-east1b.txt").format, "readings");
  EXPECT_EQ(Read("bamboo/v100x1-east1c.txt").format, "readings");
}

}  // namespace
}  // namespace plimsoll
