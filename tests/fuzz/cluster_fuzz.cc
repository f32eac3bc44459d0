// Any bytes as a cluster, as counts of a queue or as histograms of waits: never a crash, and what
// is taken is sound.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "ingest/cluster/cluster_reader.h"
#include "ingest/cluster/occupancy_csv.h"
#include "ingest/cluster/wait_metrics.h"

namespace {

void CheckFacts(const plimsoll::ClusterSpec& facts) {
  PLIMSOLL_CHECK(!facts.nodes.empty() && facts.flavors.size() <= plimsoll::kFlavorsMax);
  std::uint64_t covered = 0;
  for (const plimsoll::NodeGroup& group : facts.groups) {
    PLIMSOLL_CHECK(group.first == covered && group.nodes > 0 && group.spares < group.nodes);
    covered += group.nodes;
    for (const auto& price : group.prices) PLIMSOLL_CHECK(price.per_gpu_hour >= plimsoll::Money());
  }
  PLIMSOLL_CHECK(covered == facts.nodes.size());
  for (const plimsoll::NodeSpec& node : facts.nodes) {
    PLIMSOLL_CHECK(node.flavor < facts.flavors.size());
    PLIMSOLL_CHECK(node.domains.empty() || node.domains.size() == facts.tree.levels().size());
  }
  for (const auto& window : facts.maintenance) PLIMSOLL_CHECK(!window.window.empty());
  if (facts.nodes.size() < 10'000) {
    PLIMSOLL_CHECK(facts.ToCluster().gpu_milli_total() == facts.gpus() * plimsoll::kMilliPerGpu);
  }
}

void CheckWaits(const plimsoll::WaitMetrics& metrics) {
  for (const plimsoll::WaitHistogram& histogram : metrics.histograms) {
    for (const std::int64_t per_mille : {1, 500, 950, 1'000}) {
      const auto range = plimsoll::QuantileRange(histogram, per_mille);
      PLIMSOLL_CHECK(!range || !range->high || *range->high >= range->low);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const std::string& name : plimsoll::ClusterFormatNames()) {
    const auto reading = plimsoll::ReadCluster({"fuzz", text, *plimsoll::ParseClusterFormat(name)});
    if (reading) CheckFacts(reading->facts);
  }
  const auto recognized = plimsoll::ReadCluster({"fuzz", text});
  if (!recognized) {
    PLIMSOLL_CHECK(recognized.error().message.find("fuzz") != std::string::npos);
  }
  if (const auto metrics = plimsoll::ReadWaitMetrics("fuzz", text)) CheckWaits(*metrics);
  const auto series = plimsoll::ReadOccupancyCsv("fuzz", text);
  if (series) PLIMSOLL_CHECK(series->size() >= 2 && series->step > plimsoll::Duration());
  return 0;
}
