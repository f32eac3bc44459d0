// The experiment of Weng et al. on their trace against their published results (../shared, not
// part of the repository): mean allocated GPUs of 10 seeds, in percent, after 130 % have arrived.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "capacity/placement/fill.h"
#include "ingest/cluster/openb_nodes.h"
#include "ingest/cluster/openb_pods.h"

namespace plimsoll {
namespace {

std::filesystem::path TraceData() {
  std::filesystem::path shared;
  if (const char* named = std::getenv("PLIMSOLL_SHARED")) {
    shared = named;
  } else {
    const char* root = std::getenv("PLIMSOLL_ROOT");
    shared = std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  }
  return shared / "data" / "traces" / "alibaba_gpu_v2023";
}

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

struct Published {
  double mean = 0, sd = 0;
};
// By metric, workload, policy, percent arrived.
using Table = std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, Published>;

Table ReadPublished() {
  Table table;
  std::istringstream lines(TextOf(TraceData() / "expected_results" / "fgd_summary.csv"));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
    if (fields.size() < 7 || fields[0] == "metric") continue;
    table[{fields[0], fields[1], fields[2], std::stoll(fields[3])}] = {std::stod(fields[5]),
                                                                       std::stod(fields[6])};
  }
  return table;
}

class FgdPublishedSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TraceData())) GTEST_SKIP() << "no shared data in " << TraceData();
    const std::filesystem::path nodes = TraceData() / "csv" / "openb_node_list_gpu_node.csv";
    nodes_ = *ReadOpenbNodes(nodes.string(), TextOf(nodes));
    published_ = ReadPublished();
  }

  FillOutcome Fill(const std::string& list, PlacementPolicy policy, std::int64_t runs) {
    const std::filesystem::path path = TraceData() / "csv" / ("openb_pod_list_" + list + ".csv");
    const OpenbPods pods = *ReadOpenbPods(path.string(), TextOf(path), nodes_.flavors);
    FillOptions options;
    options.policy = policy;
    options.runs = runs;
    return *RunFill(Cluster(nodes_.flavors, DomainTree(), nodes_.nodes), pods.shapes, options);
  }

  static double Percent(const FillOutcome& outcome, std::size_t at, FillFigure figure) {
    return static_cast<double>(outcome.SpreadOf(at, figure).mean) / 1e9;
  }
  static std::size_t End(const FillOutcome& outcome) { return outcome.runs[0].points.size() - 1; }

  OpenbNodes nodes_;
  Table published_;
};

constexpr std::pair<PlacementPolicy, const char*> kPolicies[] = {
    {PlacementPolicy::kRandom, "Random"},
    {PlacementPolicy::kDotProduct, "DotProd"},
    {PlacementPolicy::kClustering, "GpuClustering"},
    {PlacementPolicy::kPacking, "GpuPacking"},
    {PlacementPolicy::kBestFit, "BestFit"},
    {PlacementPolicy::kFgd, "FGD"}};

TEST_F(FgdPublishedSharedTest, AllocatedGpusAreThePublishedOnes) {
  for (const char* list : {"default", "cpu050", "gpushare40", "gpuspec33", "multigpu20"}) {
    for (const auto& [policy, name] : kPolicies) {
      // Packing and clustering depend on the order of nodes: their runs lie far apart.
      const bool wide =
          policy == PlacementPolicy::kPacking || policy == PlacementPolicy::kClustering;
      const FillOutcome outcome = Fill(list, policy, wide ? 10 : 3);
      const Published published = published_.at({"alloc_pct", list, name, 130});
      const double allocated = Percent(outcome, End(outcome), FillFigure::kAllocated);
      EXPECT_NEAR(allocated, published.mean, 0.5) << list << " " << name;
    }
  }
}

TEST_F(FgdPublishedSharedTest, PoliciesComeInThePublishedOrder) {
  std::map<std::string, double> allocated;
  for (const auto& [policy, name] : kPolicies) {
    const FillOutcome outcome = Fill("default", policy, 4);
    allocated[name] = Percent(outcome, End(outcome), FillFigure::kAllocated);
  }
  EXPECT_GT(allocated["FGD"], allocated["BestFit"]);
  for (const char* middle : {"GpuPacking", "GpuClustering"}) {
    EXPECT_GT(allocated["BestFit"], allocated[middle]);
    EXPECT_GT(allocated[middle], allocated["DotProd"]);
  }
  EXPECT_GT(allocated["DotProd"], allocated["Random"]);
}

TEST_F(FgdPublishedSharedTest, FragmentationOnTheWayIsThePublishedOne) {
  for (const auto& [policy, name] : kPolicies) {
    const FillOutcome outcome = Fill("default", policy, 4);
    for (std::size_t at = 0; at < End(outcome); ++at) {
      const std::int64_t percent = outcome.runs[0].points[at].arrived_percent;
      const auto fragmented = published_.find({"frag_gpu_pct_of_total", "default", name, percent});
      if (fragmented != published_.end()) {
        EXPECT_NEAR(Percent(outcome, at, FillFigure::kFragmented), fragmented->second.mean,
                    0.3 + 2 * fragmented->second.sd)
            << name << " at " << percent;
      }
      const auto ratio = published_.find({"frag_ratio_pct_of_idle", "default", name, percent});
      if (ratio == published_.end()) continue;
      EXPECT_NEAR(Percent(outcome, at, FillFigure::kRatio), ratio->second.mean,
                  1.5 + 2 * ratio->second.sd)
          << name << " at " << percent;
    }
  }
}

}  // namespace
}  // namespace plimsoll
