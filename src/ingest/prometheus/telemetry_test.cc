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
                      Line("DCGM_FI_DEV_SM_CLOCK", kGpu, "1215", {}) +
                      Line("memory_used", R"(pod="web-0")", "5", {}));
  EXPECT_EQ(telemetry.counts().accepted, 0);
  EXPECT_EQ(telemetry.counts().absent, 1);
  EXPECT_EQ(telemetry.counts().rejected, 3);
  const RejectionBatch rejections = telemetry.TakeRejections();
  ASSERT_EQ(RowsOf(rejections), 2u);
  EXPECT_EQ(rejections.line[0], 2);
  EXPECT_EQ(rejections.field[1], "UUID");
  EXPECT_EQ(telemetry.ignored(), (std::set<std::string>{"DCGM_FI_DEV_SM_CLOCK", "memory_used"}));
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  ASSERT_EQ(RowsOf(day.usage), 1u) << "the card was there, and said nothing";
  EXPECT_EQ(day.usage.quality[0], "sentinel");
  EXPECT_EQ(day.usage.signal[0], "");
}

// ---- marks -------------------------------------------------------------------------------

// "device instance hour-of-window: marks" of every row that has marks.
std::vector<std::string> MarksOf(const TelemetryDay& day) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < RowsOf(day.usage); ++i) {
    if (day.usage.quality[i].empty()) continue;
    all.push_back(day.usage.device[i] + " " + day.usage.instance[i] + " " +
                  std::to_string(Between(kDay, day.usage.hour[i]).base() / Hours(1).base()) + ": " +
                  day.usage.quality[i].text());
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(TelemetryTest, TwoExportersAtOnceAreMarkedAndOneThatReplacesAnotherIsNot) {
  const char* metric = "DCGM_FI_PROF_SM_ACTIVE";
  const std::string first = kGpu + R"(,instance="10.0.0.1:9400",job="operator")";
  const std::string second = kGpu + R"(,instance="10.0.0.2:9400",job="operator")";
  Telemetry replaced({"c", kWeek});
  Feed(replaced, Line(metric, first, "1", {}) + Line(metric, second, "1", Minutes(5)));
  EXPECT_EQ(MarksOf(replaced.TakeDay({kDay, kDay + Days(1)})), Texts{});
  Telemetry both({"c", kWeek});
  Feed(both, Line(metric, second, "1", Minutes(50)) + Line(metric, first, "1", {}) +
                 Line(metric, second, "1", Minutes(70)) + Line(metric, first, "1", Minutes(100)));
  EXPECT_EQ(MarksOf(both.TakeDay({kDay, kDay + Days(1)})),
            (Texts{"GPU-a  0: duplicate-exporter", "GPU-a  1: duplicate-exporter"}));
}

TEST(TelemetryTest, CopiesForEachPodCountOnceAndEveryPodIsABinding) {
  for (const char* extra :
       {R"(,vgpu="0")", R"(,dra_claim_name="shared",dra_device_name="gpu-1")"}) {
    Telemetry telemetry({"c", kWeek});
    std::string text = Line("DCGM_FI_DEV_GPU_UTIL", kGpu, "63", {});
    for (const char* pod : {"emb-0", "emb-1", "nb-0"}) {
      const std::string labels = kGpu + R"(,namespace="n",pod=")" + pod + "\"" + extra;
      text += Line("DCGM_FI_DEV_GPU_UTIL", labels, "21", {}) +
              Line("DCGM_FI_DEV_POWER_USAGE", labels, "66.2", {}) +
              Line("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", labels, "99887766554", {}) +
              Line("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", labels, "99907626554", Minutes(5));
    }
    Feed(telemetry, text);
    const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
    ASSERT_EQ(RowsOf(day.usage), 1u);
    EXPECT_EQ(day.usage.active[0][0], 300'000 * std::int64_t{630'000});
    EXPECT_EQ(day.usage.energy_mj[0], 66'200 * 300) << "by either way";
    EXPECT_EQ(day.usage.quality[0], "coarse,time-slicing-copies");
    ASSERT_EQ(RowsOf(day.bindings), 3u);
    EXPECT_EQ(telemetry.counts().duplicates, 3 + 2 + 2 + 2);
  }
}

TEST(TelemetryTest, ASilentPartitionIsUnknownNotIdle) {
  Telemetry telemetry({"c", kWeek});
  const auto partition = [](const char* number) {
    return R"(gpu_id="0",hostname="mi-2",gpu_compute_partition_type="cpx",gpu_partition_id=")" +
           std::string(number) + "\"";
  };
  Feed(telemetry, Line("gpu_gfx_activity", partition("0"), "80", {}) +
                      Line("gpu_gfx_activity", partition("1"), "0", {}) +
                      Line("gpu_package_power", partition("0"), "600", {}) +
                      Line("amd_gpu_package_power", partition("1"), "0", Minutes(1)));
  const TelemetryDay day = telemetry.TakeDay(telemetry.Days()[0]);
  EXPECT_EQ(MarksOf(day), (Texts{"mi-2/amd-0 0 0: coarse", "mi-2/amd-0 1 0: partition-silent"}));
  ASSERT_EQ(RowsOf(day.usage), 3u);
  EXPECT_EQ(day.usage.energy_mj[0], 600'000 * 300) << "a silent partition ends no sample";
  EXPECT_EQ(day.usage.covered[2][0], 0);
}

TEST(TelemetryTest, ACountersRiseCrossesBlocksAndDaysHoweverTheSamplesCome) {
  std::vector<std::string> lines;
  for (int minute = 0; minute <= 26 * 60; minute += 3) {
    lines.push_back(Line("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", kGpu,
                         std::to_string(minute * std::int64_t{18'000'001}), Minutes(minute)));
  }
  std::mt19937_64 random(308);
  for (int round = 0; round < 3; ++round) {
    std::shuffle(lines.begin(), lines.end(), random);
    std::string text;
    for (const std::string& line : lines) text += line;
    Telemetry telemetry({"c", kWeek});
    Feed(telemetry, text);
    ASSERT_EQ(telemetry.Days().size(), 2u);
    std::int64_t energy = 0;
    std::int64_t covered = 0;
    for (const Window window : telemetry.Days()) {
      const TelemetryDay day = telemetry.TakeDay(window);
      for (std::size_t i = 0; i < RowsOf(day.usage); ++i) {
        energy += day.usage.energy_mj[i].value_or(0);
        covered += day.usage.power_ms[i].value_or(0);
      }
    }
    EXPECT_EQ(energy, 26 * 60 * std::int64_t{18'000'001}) << "nothing lost, nothing twice";
    EXPECT_EQ(covered, Hours(26).base());
  }
}

TEST(TelemetryTest, TheTailOfADayComesAgainWithTheNextAndCountsOnce) {
  Telemetry telemetry({"c", kWeek});
  const auto counter = [](Duration at, const char* value) {
    return Line("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", kGpu, value, at);
  };
  const std::string after = counter(Hours(24) + Minutes(1), "60000000");
  Feed(telemetry, counter(Hours(24) - Minutes(1), "0"));
  telemetry.SetTailOnly(true);
  Feed(telemetry, after);
  telemetry.SetTailOnly(false);
  const TelemetryDay first = telemetry.TakeDay({kDay, kDay + Days(1)});
  Feed(telemetry, after);
  ASSERT_EQ(telemetry.Days().size(), 1u);
  const TelemetryDay second = telemetry.TakeDay(telemetry.Days()[0]);
  EXPECT_EQ(first.usage.energy_mj[0], 30'000'000);
  EXPECT_EQ(second.usage.energy_mj[0], 30'000'000);
  EXPECT_EQ(telemetry.counts().accepted, 2);
  EXPECT_EQ(telemetry.counts().duplicates, 0);
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

TEST(TelemetryTest, KubeStateMetricsCoversTimeUntilAHoldAfterItsLastSample) {
  Telemetry telemetry({"c", kWeek});
  const std::string info = R"(namespace="n",pod="p",uid="u",node="n1")";
  Feed(telemetry, Line("kube_pod_info", info, "1", Hours(2)) +
                      Line("kube_pod_info", info, "1", Hours(3)) +
                      Line("container_memory_working_set_bytes",
                           R"(namespace="n",pod="p",container="c")", "1", Hours(9)));
  EXPECT_EQ(telemetry.Fleet(true).facts.covered,
            (Window{kDay + Hours(2), kDay + Hours(3) + Minutes(5)}));
  Telemetry silent({"c", kWeek});
  EXPECT_FALSE(silent.Fleet(true).facts.covered.has_value());
}

TEST(TelemetryTest, AnAmountThatNoObjectCanHaveIsRefusedWithItsPlace) {
  Telemetry telemetry({"c", kWeek});
  telemetry.SetInput("ksm.txt");
  const std::string gpus = R"(node="n1",resource="nvidia_com_gpu",unit="integer")";
  Feed(telemetry, Line("kube_node_status_capacity", gpus, "1e20", {}) +
                      Line("kube_node_status_capacity", gpus, "-8", Minutes(1)));
  EXPECT_EQ(telemetry.counts().rejected, 2);
  ASSERT_EQ(telemetry.first_rejections().size(), 1u) << "the second is counted only";
  EXPECT_EQ(telemetry.first_rejections()[0].file, "ksm.txt");
  EXPECT_EQ(telemetry.first_rejections()[0].line, 1);
  EXPECT_EQ(telemetry.first_rejections()[0].field, "kube_node_status_capacity");
  EXPECT_EQ(telemetry.first_rejections()[0].raw, "1e20");
  EXPECT_FALSE(telemetry.has_fleet());
}

}  // namespace
}  // namespace plimsoll
