// Fills a cluster with pods by every policy and says how long a run takes, beside what was
// published for the public simulator of the same experiment.
//
//   fgd_bench NODES.csv PODS.csv [--runs N] [--copies N] [--published fgd_summary.csv]
//             [--workload NAME]
//
// A run is what `plimsoll plan training --fill 130%` does for one seed; --copies makes the cluster
// so many times as large. The peer's authors say some 10 minutes a run of 10,900 pods on 2 vCPU
// (hkust-adsl/kubernetes-scheduler-simulator, README): 18 pods a second. Bound: 20,000 pods a
// second of one core by every policy.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "capacity/placement/fill.h"
#include "ingest/cluster/openb_nodes.h"
#include "ingest/cluster/openb_pods.h"

namespace {

using namespace plimsoll;  // NOLINT: one file

constexpr double kPeerPodsPerSecond = 10'900.0 / 600;
constexpr double kPodsPerSecondLeast = 20'000;

std::string TextOf(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "fgd_bench: cannot read %s\n", path);
    std::exit(2);
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

template <class Value>
Value OrExit(Result<Value> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "fgd_bench: %s\n", result.error().message.c_str());
  std::exit(2);
}

// The published mean of the workload's allocated GPUs at 130 %.
std::optional<double> Published(const std::string& summary, const std::string& workload,
                                const std::string& policy) {
  const std::string begin = "alloc_pct," + workload + "," + policy + ",130,";
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin)) continue;
    const std::size_t comma = line.find(',', begin.size());
    return std::atof(line.c_str() + comma + 1);
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "fgd_bench NODES.csv PODS.csv [--runs N] [--published FILE]\n");
    return 2;
  }
  std::int64_t runs = 2, copies = 1;
  std::string published, workload = "default";
  for (int i = 3; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--runs") == 0) runs = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--copies") == 0) copies = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--published") == 0) published = TextOf(argv[i + 1]);
    if (std::strcmp(argv[i], "--workload") == 0) workload = argv[i + 1];
  }
  const OpenbNodes nodes = OrExit(ReadOpenbNodes(argv[1], TextOf(argv[1])));
  const OpenbPods pods = OrExit(ReadOpenbPods(argv[2], TextOf(argv[2]), nodes.flavors));
  std::vector<NodeSpec> all;
  for (std::int64_t i = 0; i < copies; ++i) {
    all.insert(all.end(), nodes.nodes.begin(), nodes.nodes.end());
  }
  const Cluster cluster(nodes.flavors, DomainTree(), std::move(all));
  std::printf("%zu nodes, %lld GPUs, %zu pods; %lld runs a policy, on one core\n", cluster.size(),
              static_cast<long long>(cluster.gpu_milli_total() / kMilliPerGpu), pods.shapes.size(),
              static_cast<long long>(runs));
  bool quick = true;
  const char* const names[] = {"Random",     "DotProd", "GpuClustering",
                               "GpuPacking", "BestFit", "FGD"};
  for (std::size_t i = 0; i < 6; ++i) {
    FillOptions options;
    options.policy = static_cast<PlacementPolicy>(i);
    options.runs = runs;
    options.threads = 1;
    const std::clock_t begin = std::clock();
    const FillOutcome outcome = OrExit(RunFill(cluster, pods.shapes, options));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::int64_t arrived = 0;
    for (const FillRun& run : outcome.runs) arrived += run.pods_arrived;
    const std::size_t end = outcome.runs[0].points.size() - 1;
    const double allocated =
        static_cast<double>(outcome.SpreadOf(end, FillFigure::kAllocated).mean) / 1e9;
    const double a_run = seconds / static_cast<double>(runs);
    const double pace = static_cast<double>(arrived) / seconds;
    std::printf("%-13s %.3f s a run, %8.0f pods/s, %6.0f times the peer's; allocated %.2f %%",
                names[i], a_run, pace, pace / kPeerPodsPerSecond, allocated);
    const std::optional<double> theirs = Published(published, workload, names[i]);
    if (theirs) std::printf(", published %.2f %% (%+.2f)", *theirs, allocated - *theirs);
    std::printf("\n");
    quick = quick && pace >= kPodsPerSecondLeast;
  }
  std::printf("bound:        %s\n", quick ? "held" : "MISSED");
  return quick ? 0 : 1;
}
