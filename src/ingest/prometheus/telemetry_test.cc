#include "ingest/prometheus/telemetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "ingest/prometheus/exposition.h"

namespace plimsoll {
namespace {

const Instant kDay = AtSeconds(1'764'288'000);  // 2025-11-28
const Window kWeek{kDay, kDay + Days(7)};

void Feed(Telemetry& telemetry, const std::string& text) {
  ExpositionParser parser({}, telemetry);
  ASSERT_TRUE(parser.Feed(text).has_value());
  ASSERT_TRUE(parser.Finish().has_value());
}

std::string Line(const std::string& name, const std::string& labels, const std::string& value,
                 Duration at) {
  return name + "{" + labels + "} " + value + " " + std::to_string((kDay + at).base()) + "\n";
}

template <class Batch>
bool Same(const Batch& a, const Batch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      Batch::kColumns);
  return same;
}

const std::string kGpu = R"(gpu="0",UUID="GPU-a",modelName="H100",Hostname="n1")";

TEST(TelemetryTest, SamplesBecomeUsageAndBindingsOfTheirDay) {
  Telemetry telemetry({"c", kWeek});
  Feed(telemetry,
       Line("DCGM_FI_PROF_SM_ACTIVE", kGpu + R"(,pod="p",namespace="n")", "0.5", Hours(25)) +
           Line("DCGM_FI_DEV_POWER_USAGE", kGpu, "700.1", Hours(25)));
  ASSERT_EQ(telemetry.Days().size(), 1u);
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  EXPECT_EQ(day.day.begin, kDay + Days(1));
  ASSERT_EQ(RowsOf(day.usage), 1u);
  EXPECT_EQ(day.usage.active[0][0], 300'000 * std::int64_t{500'000});
  EXPECT_EQ(day.usage.energy_mj[0], 210'030'000);  // 700.1 W for 300 s
  ASSERT_EQ(RowsOf(day.bindings), 1u);
  EXPECT_EQ(day.bindings.until[0], kDay + Hours(25) + Minutes(5));
  EXPECT_EQ(day.covered, (Window{kDay + Hours(25), kDay + Hours(25) + Minutes(5)}));
  EXPECT_EQ(telemetry.counts().accepted, 2);
  EXPECT_TRUE(telemetry.Days().empty());
}

TEST(TelemetryTest, AHoldGoesOnIntoTheNextDay) {
  Telemetry telemetry({"c", kWeek});
  Feed(telemetry, Line("DCGM_FI_PROF_SM_ACTIVE", kGpu, "1", Hours(24) - Minutes(2)));
  ASSERT_EQ(telemetry.Days().size(), 2u);
  (void)telemetry.TakeDay(telemetry.Days()[0]);
  const TelemetryDay next = telemetry.TakeDay(telemetry.Days()[0]);
  ASSERT_EQ(RowsOf(next.usage), 1u);
  EXPECT_EQ(next.usage.covered[0][0], 180'000);
}

TEST(TelemetryTest, LabelChurnDuplicatesAndDialectsCountOnce) {
  Telemetry telemetry({"c", kWeek});
  Feed(telemetry,
       Line("DCGM_FI_DEV_GPU_UTIL", R"(uuid="GPU-a",hostname="n1",instance="a:9400")", "40", {}) +
           Line("DCGM_FI_DEV_GPU_UTIL", kGpu + R"(,instance="b:9400")", "60", {}) +
           Line("DCGM_FI_DEV_GPU_UTIL", kGpu + R"(,instance="b:9400")", "60", {}));
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  ASSERT_EQ(RowsOf(day.usage), 1u);
  EXPECT_EQ(day.usage.active[0][0], 300'000 * std::int64_t{600'000});
  EXPECT_EQ(telemetry.counts().duplicates, 2);
}

TEST(TelemetryTest, TheExportersPodIsKnownByTheSeriesThatNameBoth) {
  Telemetry telemetry({"c", kWeek});
  const std::string own = R"(,pod="monitor-1",namespace="ops")";
  Feed(telemetry,
       Line("DCGM_FI_DEV_GPU_UTIL", R"(UUID="GPU-b")" + own, "0", {}) +
           Line("DCGM_FI_DEV_GPU_UTIL",
                kGpu + own + R"(,exported_pod="train-0",exported_namespace="nlp")", "9", {}));
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  ASSERT_EQ(RowsOf(day.bindings), 1u);
  EXPECT_EQ(day.bindings.name[0], "train-0");
}

TEST(TelemetryTest, BlanksAreAbsentBadValuesRejectedOnceASeriesAndOthersIgnored) {
  Telemetry telemetry({"c", kWeek});
  Feed(telemetry, Line("DCGM_FI_DEV_GPU_UTIL", kGpu, "2147483632", {}) +
                      Line("DCGM_FI_DEV_GPU_UTIL", kGpu, "-1", {}) +
                      Line("DCGM_FI_DEV_GPU_UTIL", kGpu, "-2", Minutes(1)) +
                      Line("DCGM_FI_DEV_GPU_UTIL", R"(gpu="0")", "5", {}) +
                      Line("DCGM_FI_DEV_SM_CLOCK", kGpu, "1215", {}));
  EXPECT_EQ(telemetry.counts().accepted, 0);
  EXPECT_EQ(telemetry.counts().absent, 1);
  EXPECT_EQ(telemetry.counts().rejected, 3);
  const RejectionBatch rejections = telemetry.TakeRejections();
  ASSERT_EQ(RowsOf(rejections), 2u);
  EXPECT_EQ(rejections.line[0], 2);
  EXPECT_EQ(rejections.field[1], "UUID");
  EXPECT_EQ(telemetry.ignored(), std::set<std::string>{"DCGM_FI_DEV_SM_CLOCK"});
}

TEST(TelemetryTest, OnlyTheWindowCountsButWhatHeldBeforeItHolds) {
  Telemetry telemetry({"c", {kDay + Hours(1), kDay + Hours(2)}});
  Feed(telemetry, Line("DCGM_FI_PROF_SM_ACTIVE", kGpu, "1", Minutes(57)) +
                      Line("DCGM_FI_PROF_SM_ACTIVE", kGpu, "1", Minutes(30)) +
                      Line("DCGM_FI_PROF_SM_ACTIVE", kGpu, "1", Minutes(118)) +
                      Line("DCGM_FI_PROF_SM_ACTIVE", kGpu, "1", Hours(2)));
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  ASSERT_EQ(RowsOf(day.usage), 1u);
  EXPECT_EQ(day.usage.covered[0][0], 120'000);
  EXPECT_EQ(day.usage.covered[0][11], 120'000);
  EXPECT_EQ(telemetry.counts().accepted, 1);
}

TEST(TelemetryTest, PermutedAndRepeatedLinesGiveTheSameFacts) {
  std::mt19937_64 random(307);
  std::vector<std::string> lines;
  for (int i = 0; i < 400; ++i) {
    const std::string gpu = R"(UUID="GPU-)" + std::to_string(random() % 3) + R"(",Hostname="n)" +
                            std::to_string(random() % 2) + "\"";
    const std::string pod = R"(,pod="p)" + std::to_string(random() % 3) + R"(",namespace="n")";
    const char* names[] = {"DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_DEV_GPU_UTIL",
                           "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_FB_USED"};
    lines.push_back(Line(names[random() % 4], gpu + (random() % 2 == 0 ? pod : ""),
                         "0." + std::to_string(random() % 1'000),
                         Seconds(static_cast<std::int64_t>(random() % 20'000))));
  }
  const auto facts = [&](const std::vector<std::string>& input) {
    Telemetry telemetry({"c", kWeek});
    std::string text;
    for (const std::string& line : input) text += line;
    Feed(telemetry, text);
    return telemetry.TakeDay({kDay, kDay + Days(1)});
  };
  const TelemetryDay once = facts(lines);
  std::vector<std::string> twice = lines;
  twice.insert(twice.end(), lines.begin(), lines.end());
  for (int round = 0; round < 5; ++round) {
    std::shuffle(twice.begin(), twice.end(), random);
    const TelemetryDay again = facts(twice);
    ASSERT_TRUE(Same(once.usage, again.usage)) << round;
    ASSERT_TRUE(Same(once.bindings, again.bindings)) << round;
  }
}

}  // namespace
}  // namespace plimsoll
