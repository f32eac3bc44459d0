#include "ingest/prometheus/dcgm_series.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

DcgmSeries Read(Pairs labels, const char* name = "DCGM_FI_DEV_GPU_UTIL") {
  return ReadDcgmSeries({name, std::move(labels)}, *FindDcgmMetric(name));
}

TEST(DcgmSeriesTest, EveryDialectNamesTheSameDevice) {
  for (const char* key : {"UUID", "uuid", "gpu_uuid"}) {
    EXPECT_EQ(Read({{key, "GPU-a"}}).uuid, "GPU-a");
  }
  for (const char* key : {"Hostname", "hostname"}) {
    EXPECT_EQ(Read({{"UUID", "GPU-a"}, {key, "node-1"}}).labels.node, "node-1");
  }
  EXPECT_EQ(Read({{"modelName", "H100"}}).labels.gpu_model, "H100");
  EXPECT_EQ(Read({{"gpu", "7"}}).labels.gpu_index, 7);
  EXPECT_EQ(Read({}).labels.gpu_index, -1);
  EXPECT_EQ(Read({}).uuid, "");
}

TEST(DcgmSeriesTest, AHostnameThatIsTheExportersPodGivesWayToTheNode) {
  EXPECT_EQ(Read({{"Hostname", "nvidia-dcgm-exporter-7xk2p"}, {"node", "gpu-a1"}}).labels.node,
            "gpu-a1");
}

TEST(DcgmSeriesTest, HoldersOfEveryDialect) {
  const DcgmSeries exported = Read({{"exported_pod", "train-0"},
                                    {"exported_namespace", "nlp"},
                                    {"pod", "exp-1"},
                                    {"namespace", "gpu-operator"}});
  EXPECT_EQ(exported.holder.name, "train-0");
  EXPECT_EQ(exported.holder.ns, "nlp");
  EXPECT_EQ(exported.exporter.name, "exp-1");
  EXPECT_EQ(Read({{"pod", "train-0"}, {"namespace", "nlp"}}).holder.name, "train-0");
  const DcgmSeries old = Read({{"pod_name", "legacy-0"}, {"pod_namespace", "nlp"}});
  EXPECT_EQ(old.holder.name, "legacy-0");
  EXPECT_EQ(old.holder.ns, "nlp");
  const DcgmSeries job = Read({{"hpc_job", "812345"}});
  EXPECT_EQ(job.holder.name, "812345");
  EXPECT_EQ(job.holder.ns, "");
}

TEST(DcgmSeriesTest, TheExportersOwnPodHoldsNothing) {
  EXPECT_EQ(Read({{"pod", "nvidia-dcgm-exporter-7xk2p"}, {"namespace", "x"}}).holder.name, "");
  EXPECT_EQ(Read({{"pod", "mon-1"}, {"container", "nvidia-dcgm-exporter"}}).holder.name, "");
  EXPECT_EQ(Read({{"pod", ""}, {"namespace", ""}}).holder.name, "");
}

TEST(DcgmSeriesTest, PowerIsTheCardsAlsoOnAnInstance) {
  const Pairs labels{
      {"UUID", "GPU-a"}, {"GPU_I_ID", "9"}, {"GPU_I_PROFILE", "1g.10gb"}, {"pod", "p"}};
  const DcgmSeries power = Read(labels, "DCGM_FI_DEV_POWER_USAGE");
  EXPECT_EQ(power.instance, "");
  EXPECT_EQ(power.labels.profile, "");
  EXPECT_EQ(power.holder_instance, "9") << "the holder stays on the instance";
  const DcgmSeries busy = Read(labels, "DCGM_FI_PROF_GR_ENGINE_ACTIVE");
  EXPECT_EQ(busy.instance, "9");
  EXPECT_EQ(busy.labels.profile, "1g.10gb");
}

Reading Value(const char* name, std::string_view text) {
  return ReadDcgmValue(*FindDcgmMetric(name), text);
}

TEST(DcgmSeriesTest, ValuesComeInTheSignalsUnit) {
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "97").value, 970'000);
  EXPECT_EQ(Value("DCGM_FI_PROF_SM_ACTIVE", "0.5").value, 500'000);
  EXPECT_EQ(Value("DCGM_FI_DEV_POWER_USAGE", "652.31").value, 652'310);
  EXPECT_EQ(Value("DCGM_FI_DEV_FB_USED", "72110").value, 72'110);
}

TEST(DcgmSeriesTest, BlankConstantsAndNaNAreAbsentNotZero) {
  for (const char* text :
       {"NaN", "2147483632", "2147483635", "9223372036854775794", "140737488355328.000000",
        "140737488355331", "9.223372036854775e+18", "+Inf"}) {
    for (const DcgmMetric& metric : kDcgmMetrics) {
      EXPECT_EQ(ReadDcgmValue(metric, text).kind, ReadingKind::kAbsent) << metric.name << text;
    }
  }
}

TEST(DcgmSeriesTest, RatiosAboveOneStayVisibleForTheFolderToClamp) {
  EXPECT_EQ(Value("DCGM_FI_PROF_SM_ACTIVE", "1.7").value, 1'000'001);
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "100").value, 1'000'000);
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "101").value, 1'000'001);
}

TEST(DcgmSeriesTest, NegativeAndImpossibleValuesAreBad) {
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "-1").kind, ReadingKind::kBad);
  EXPECT_EQ(Value("DCGM_FI_DEV_POWER_USAGE", "1000001").kind, ReadingKind::kBad);
}

TEST(DcgmSeriesTest, OnlyListedMetricsAreRead) {
  EXPECT_EQ(FindDcgmMetric("DCGM_FI_DEV_SM_CLOCK"), nullptr);
  EXPECT_EQ(FindDcgmMetric("kube_pod_info"), nullptr);
}

}  // namespace
}  // namespace plimsoll
