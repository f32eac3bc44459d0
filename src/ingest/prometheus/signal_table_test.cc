#include "ingest/prometheus/signal_table.h"

#include <gtest/gtest.h>

#include <set>

namespace plimsoll {
namespace {

Reading Value(const char* name, std::string_view text) {
  return ReadSignalValue(*FindSignal(name), text);
}

TEST(SignalTableTest, EveryNameIsThereOnceAndFoundByIt) {
  std::set<std::string> names;
  for (const SignalRow& row : SignalRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(FindSignal(row.name), &row);
    EXPECT_EQ(DialectOf(row.exporter).exporter, row.exporter);
    EXPECT_NE(DialectOf(row.exporter).device[0], nullptr);
  }
  EXPECT_EQ(FindSignal("DCGM_FI_DEV_SM_CLOCK"), nullptr);
  EXPECT_EQ(FindSignal("kube_pod_info"), nullptr);
}

TEST(SignalTableTest, QueriesAskEveryNameOnceAndOneExporterAtATime) {
  std::set<std::string> asked;
  for (const SignalQuery& query : SignalQueries()) {
    ASSERT_FALSE(query.names.empty());
    const Exporter exporter = FindSignal(query.names.front())->exporter;
    EXPECT_TRUE(exporter != Exporter::kDcgm || query.names.size() == 1);
    for (const std::string& name : query.names) {
      EXPECT_TRUE(asked.insert(name).second) << name;
      EXPECT_EQ(FindSignal(name)->exporter, exporter) << name;
    }
  }
  EXPECT_EQ(asked.size(), SignalRows().size());
  EXPECT_EQ(SignalQueries().size(), 15u) << "the page says how many: docs/formats/prometheus.md";
}

TEST(SignalTableTest, ValuesComeInTheSignalsUnit) {
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "97").value, 970'000);
  EXPECT_EQ(Value("dcgm_gpu_utilization", "97").value, 970'000);
  EXPECT_EQ(Value("DCGM_FI_PROF_SM_ACTIVE", "0.5").value, 500'000);
  EXPECT_EQ(Value("DCGM_FI_DEV_POWER_USAGE", "652.31").value, 652'310);
  EXPECT_EQ(Value("DCGM_FI_DEV_FB_USED", "72110").value, 72'110);
  EXPECT_EQ(Value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "918273645001").value, 918'273'645'001);
  EXPECT_EQ(Value("gpu_gfx_activity", "87").value, 870'000);
  EXPECT_EQ(Value("amd_gpu_package_power", "612").value, 612'000);
  EXPECT_EQ(Value("gpu_energy_consumed", "9.1827364500e+12").value, 9'182'736'450) << "uJ";
  EXPECT_EQ(Value("gpu_used_vram", "171234").value, 171'234);
  EXPECT_EQ(Value("habanalabs_power_mW", "512000").value, 512'000);
  EXPECT_EQ(Value("habanalabs_memory_used_bytes", "8.1e+10").value, 77'248);
  EXPECT_EQ(Value("neuroncore_utilization_ratio", "0.8633101879976985").value, 863'310);
  EXPECT_EQ(Value("duty_cycle", "98").value, 980'000);
  EXPECT_EQ(Value("memory_used", "2147483648").value, 2'048) << "2 GiB is no blank constant";
  EXPECT_EQ(Value("nvidia_gpu_power_usage_milliwatts", "136074.78").value, 136'075);
  EXPECT_EQ(Value("hw_gpu_utilization_ratio", "0.97").value, 970'000);
  EXPECT_EQ(Value("hw_energy_joules_total", "12.5").value, 12'500);
}

TEST(SignalTableTest, BlankConstantsAreSentinelsAndNaNIsAbsentNeverZero) {
  for (const SignalRow& row : SignalRows()) {
    for (const char* text : {"NaN", "+Inf", "-Inf"}) {
      EXPECT_EQ(ReadSignalValue(row, text).kind, ReadingKind::kAbsent) << row.name << text;
    }
    for (const char* text : {"9223372036854775794", "9.223372036854775e+18", "9223372036854770000",
                             "18446744073709551615"}) {
      EXPECT_EQ(ReadSignalValue(row, text).kind, ReadingKind::kSentinel) << row.name << text;
    }
    if (row.exporter != Exporter::kDcgm) continue;
    for (const char* text : {"140737488355328.000000", "140737488355331"}) {
      EXPECT_EQ(ReadSignalValue(row, text).kind, ReadingKind::kSentinel) << row.name << text;
    }
    if (row.unit == SignalUnit::kMillijoule) continue;  // 2 MJ are drawn in an hour
    for (const char* text : {"2147483632", "2147483635"}) {
      EXPECT_EQ(ReadSignalValue(row, text).kind, ReadingKind::kSentinel) << row.name << text;
    }
  }
  EXPECT_EQ(Value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "2147483633").value, 2'147'483'633);
  EXPECT_EQ(Value("gpu_gfx_activity", "65535").kind, ReadingKind::kSentinel);
  EXPECT_EQ(Value("gpu_used_vram", "65535").value, 65'535) << "64 GiB may well be used";
}

TEST(SignalTableTest, RatiosAboveOneStayVisibleForTheFolderToClamp) {
  EXPECT_EQ(Value("DCGM_FI_PROF_SM_ACTIVE", "1.7").value, 1'000'001);
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "100").value, 1'000'000);
  EXPECT_EQ(Value("DCGM_FI_DEV_GPU_UTIL", "101").value, 1'000'001);
}

TEST(SignalTableTest, NegativeAndImpossibleValuesAreBad) {
  for (const SignalRow& row : SignalRows()) {
    EXPECT_EQ(ReadSignalValue(row, "-1").kind, ReadingKind::kBad) << row.name;
  }
  EXPECT_EQ(Value("DCGM_FI_DEV_POWER_USAGE", "1000001").kind, ReadingKind::kBad);
  EXPECT_EQ(Value("habanalabs_power_mW", "1000000001").kind, ReadingKind::kBad);
}

}  // namespace
}  // namespace plimsoll
