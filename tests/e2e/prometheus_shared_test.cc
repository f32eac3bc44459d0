// Every telemetry file of the shared data set is read, or refused with a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "ingest/prometheus/prometheus_import.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/usage.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

const Instant kAt = AtSeconds(1'768'212'000);

std::filesystem::path SharedTelemetry() {
  const char* shared = std::getenv("PLIMSOLL_SHARED");
  const char* root = std::getenv("PLIMSOLL_ROOT");
  const std::filesystem::path base =
      shared != nullptr ? shared : std::string(root == nullptr ? "." : root) + "/../shared";
  return base / "data" / "telemetry";
}

class PrometheusSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(SharedTelemetry() / "dcgm")) {
      GTEST_SKIP() << "no shared data at " << SharedTelemetry();
    }
    auto opened = OpenDuckDb({.path = "", .threads = 1, .memory_limit = "1GB"});
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = *std::move(opened);
  }

  Result<ImportReport> Import(const std::string& file) {
    ExpositionOptions options;
    options.files = {SharedTelemetry() / file};
    options.cluster = "shared";
    options.at = kAt;
    return ImportExposition(*store_, options);
  }
  template <class Batch>
  Batch Rows(const std::string& table) {
    std::string columns;
    for (const ColumnRef& column : RefTo(Batch{})) {
      columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\"";
    }
    auto rows =
        Query<Batch>(*store_, "SELECT " + columns + " FROM active_" + table + " ORDER BY ALL");
    EXPECT_TRUE(rows.has_value()) << rows.error().message;
    return rows.has_value() ? *std::move(rows) : Batch{};
  }
  // Distinct (device, instance) with a busy fraction.
  std::size_t BusyDevices() {
    const auto usage = Rows<UsageBatch>("usage");
    std::set<std::pair<std::string, std::string>> devices;
    for (std::size_t i = 0; i < RowsOf(usage); ++i) {
      if (!usage.signal[i].empty()) devices.emplace(usage.device[i], usage.instance[i]);
    }
    return devices.size();
  }

  std::unique_ptr<Store> store_;
};

TEST_F(PrometheusSharedTest, EveryFileIsReadOrRefusedWithAReason) {
  int files = 0;
  for (const char* folder : {"dcgm", "ksm", "other"}) {
    for (const auto& entry : std::filesystem::directory_iterator(SharedTelemetry() / folder)) {
      const std::string name = std::string(folder) + "/" + entry.path().filename().string();
      SCOPED_TRACE(name);
      ++files;
      const auto report = Import(name);
      const bool samples = name.ends_with(".prom") || name.ends_with(".json");
      EXPECT_EQ(report.has_value(), samples);
      if (!report) {
        EXPECT_EQ(report.error().code, ErrorCode::kBadData);
        EXPECT_NE(report.error().message.find(name), std::string::npos) << report.error().message;
        continue;
      }
      EXPECT_EQ(report->rejected, 0);
      EXPECT_TRUE(report->accepted > 0 || !report->ignored.empty());
    }
  }
  EXPECT_GT(files, 15);
}

TEST_F(PrometheusSharedTest, ExclusivePodsAreOneCardEach) {
  ASSERT_TRUE(Import("dcgm/k8s_exclusive_pods_labels_uid.prom").has_value());
  EXPECT_EQ(BusyDevices(), 4u);
  EXPECT_EQ(RowsOf(Rows<BindingBatch>("binding")), 3u);
}

TEST_F(PrometheusSharedTest, AMigCardIsItsInstancesAndItsPowerCountsOnce) {
  ASSERT_TRUE(Import("dcgm/k8s_mig_mixed.prom").has_value());
  EXPECT_EQ(BusyDevices(), 4u);
  const auto usage = Rows<UsageBatch>("usage");
  std::int64_t energy = 0;
  for (const auto& row : usage.energy_mj) energy += row.value_or(0);
  EXPECT_EQ(energy, 240'100 * 300) << "240.1 W for the five minutes that a sample holds";
}

TEST_F(PrometheusSharedTest, TheVendorsOwnMigSampleCountsItsInstance) {
  ASSERT_TRUE(Import("dcgm/real_nvidia_docs_mig_parent_and_instance.prom").has_value());
  EXPECT_EQ(BusyDevices(), 1u);
}

TEST_F(PrometheusSharedTest, TimeSlicedPodsShareOneCardAtItsDeviceValue) {
  ASSERT_TRUE(Import("dcgm/k8s_time_slicing_virtual_gpus.prom").has_value());
  const auto usage = Rows<UsageBatch>("usage");
  ASSERT_EQ(RowsOf(usage), 1u);
  EXPECT_EQ(usage.energy_mj[0], 66'200 * 300);
  EXPECT_EQ(usage.memory_mib_ms[0], 9'800 * std::int64_t{300'000});
  EXPECT_EQ(RowsOf(Rows<BindingBatch>("binding")), 3u);
}

TEST_F(PrometheusSharedTest, BlanksAreAbsentAndRatiosAboveOneClamped) {
  const auto report = Import("dcgm/sentinels_duplicates.prom");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->duplicates, 1);
  const auto usage = Rows<UsageBatch>("usage");
  ASSERT_EQ(RowsOf(usage), 2u);
  EXPECT_EQ(usage.signal[0], kSignalSmActive);
  EXPECT_EQ(usage.quality[0], "clamped,sentinel");
  EXPECT_EQ(usage.signal[1], "") << "a card that says NaN is there, and nothing is known of it";
  EXPECT_EQ(usage.quality[1], "nan");
  EXPECT_FALSE(usage.energy_mj[0].has_value());
}

TEST_F(PrometheusSharedTest, SlurmJobsAndRenamedPodsAreHolders) {
  ASSERT_TRUE(Import("dcgm/slurm_hpc_job.prom").has_value());
  const auto jobs = Rows<BindingBatch>("binding");
  EXPECT_EQ(RowsOf(jobs), 5u);
  EXPECT_EQ(jobs.ns[0], "");
  ASSERT_TRUE(Import("dcgm/prometheus_api_exported_labels.json").has_value());
  const auto all = Rows<BindingBatch>("binding");
  for (const std::string& name : all.name) {
    EXPECT_EQ(name.find("dcgm-exporter"), std::string::npos) << name;
  }
}

TEST_F(PrometheusSharedTest, TheConstructedClusterBecomesHoldingsWaitsAndNodes) {
  ASSERT_TRUE(Import("ksm/constructed_gpu_cluster.prom").has_value());
  const auto holdings = Rows<HoldingBatch>("holding");
  std::map<std::string, std::int64_t> devices;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    devices[holdings.name[i]] += holdings.devices[i];
    if (holdings.name[i] == "llm-old-xyz") {
      EXPECT_EQ(holdings.end_reason[i], "Completed");
    }
  }
  EXPECT_EQ(devices.at("llm-train-0"), 8) << "its init container asks for more";
  EXPECT_EQ(devices.at("nb-alice-0"), 1);
  EXPECT_EQ(devices.count("queued-0"), 0u);
  const auto pending = Rows<PendingBatch>("pending");
  ASSERT_EQ(RowsOf(pending), 1u);
  EXPECT_EQ(pending.name[0], "queued-0");
  EXPECT_EQ(pending.devices[0], 8);
  EXPECT_EQ(pending.reason[0], "Unschedulable");
  const auto nodes = Rows<NodeBatch>("node");
  for (std::size_t i = 0; i < RowsOf(nodes); ++i) {
    if (nodes.node[i] == "gpu-ts1") {
      EXPECT_EQ(nodes.gpu_count[i], 1);
    }
    if (nodes.node[i] == "gpu-mig1") {
      EXPECT_EQ(nodes.gpu_count[i], 8);
    }
    if (nodes.node[i] == "gpu-a1") {
      EXPECT_EQ(nodes.capacity_type[i], "reserved");
    }
  }
}

TEST_F(PrometheusSharedTest, LoadingTwiceChangesNothing) {
  for (const char* file : {"dcgm/k8s_mig_mixed.prom", "ksm/constructed_gpu_cluster.prom"}) {
    ASSERT_TRUE(Import(file).has_value());
    const auto again = Import(file);
    ASSERT_TRUE(again.has_value());
    for (const auto& load : again->loads) EXPECT_EQ(load.outcome, "unchanged") << load.scope;
  }
}

}  // namespace
}  // namespace plimsoll
