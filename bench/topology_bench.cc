// Placements a second of gangs in domains, on 1,000 to 100,000 GPUs under churn: with counts kept
// up to date, and counted anew each time as a scheduler without them does.
#include <chrono>
#include <cstdio>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "capacity/topology/gang_placer.h"

namespace plimsoll {
namespace {

constexpr std::int32_t kGpus = 8;  // a node
constexpr PodShape kPod = {0, 0, kGpus, kMilliPerGpu, kAnyFlavor};

// Blocks of 25 racks of 16 nodes.
Cluster ClusterOf(std::size_t nodes) {
  DomainTree tree({"block", "rack"});
  std::vector<NodeSpec> specs;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::vector<std::string> path = {"b" + std::to_string(i / 400),
                                           "r" + std::to_string(i / 16)};
    specs.push_back({"n" + std::to_string(i), 0, 0, 0, kGpus, tree.Add(path)});
  }
  return Cluster({"gpu"}, std::move(tree), std::move(specs));
}

struct Held {
  std::vector<NodePods> nodes;
  PodShape shape;
  std::vector<GpuSet> gpus;
};

// Jobs come and the oldest go while more than 85 % are taken.
class Churn {
 public:
  explicit Churn(std::size_t nodes) : cluster_(ClusterOf(nodes)), placer_(cluster_), random_(7) {}

  // Returns whether it was placed.
  bool Step(const TopologyRequest& topology) {
    while (cluster_.gpu_milli_free() * 100 < cluster_.gpu_milli_total() * 15) End();
    const GangRequest request = {Shape(), Pods(), topology};
    const GangOutcome outcome = placer_.Place(request);
    if (!outcome.placed()) {
      if (!running_.empty()) End();
      return false;
    }
    Held held{outcome.nodes, request.shape, {}};
    for (const NodePods& node : outcome.nodes) {
      for (std::int32_t pod = 0; pod < node.pods; ++pod) {
        held.gpus.push_back(cluster_.ChooseGpus(node.node, request.shape));
        cluster_.Take(node.node, request.shape, held.gpus.back());
      }
      placer_.NodeChanged(node.node);
    }
    running_.push_back(std::move(held));
    return true;
  }

  bool Anew(const TopologyRequest& topology) {
    return PlaceGang(cluster_, {Shape(), Pods(), topology}).placed();
  }

 private:
  // Most jobs are small: 1, 2, 4 or 8 GPUs a pod, 1 to 8 pods of whole nodes.
  PodShape Shape() {
    PodShape shape = kPod;
    shape.gpus = 1 << std::uniform_int_distribution<int>(0, 3)(random_);
    whole_node_ = shape.gpus == kGpus;
    return shape;
  }
  std::int32_t Pods() {
    return whole_node_ ? 1 << std::uniform_int_distribution<int>(0, 3)(random_) : 1;
  }

  void End() {
    const Held held = std::move(running_.front());
    running_.pop_front();
    std::size_t pod = 0;
    for (const NodePods& node : held.nodes) {
      for (std::int32_t i = 0; i < node.pods; ++i) {
        cluster_.Give(node.node, held.shape, held.gpus[pod++]);
      }
      placer_.NodeChanged(node.node);
    }
  }

  Cluster cluster_;
  GangPlacer placer_;
  std::mt19937_64 random_;
  std::deque<Held> running_;
  bool whole_node_ = false;
};

template <class Step>
double PerSecond(int steps, Step step) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) step();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return steps / spent.count();
}

void Measure(std::size_t nodes, const char* name, const TopologyRequest& topology) {
  Churn churn(nodes);
  for (std::size_t i = 0; i < nodes * 6; ++i) churn.Step(topology);  // to a steady state
  int placed = 0;
  constexpr int kSteps = 100'000;
  const double kept = PerSecond(kSteps, [&] { placed += churn.Step(topology) ? 1 : 0; });
  const double anew = PerSecond(20, [&] { churn.Anew(topology); });
  std::printf("%7zu GPUs  %-14s %10.0f /s kept  %8.0f /s anew  %6.0fx  %3d %% placed\n",
              nodes * static_cast<std::size_t>(kGpus), name, kept, anew, kept / anew,
              placed * 100 / kSteps);
}

}  // namespace
}  // namespace plimsoll

int main() {
  for (const std::size_t nodes : {125U, 1'250U, 12'500U}) {
    plimsoll::Measure(nodes, "required rack", {plimsoll::TopologyMode::kRequired, 1, 0, 0});
    plimsoll::Measure(nodes, "preferred rack", {plimsoll::TopologyMode::kPreferred, 1, 0, 0});
    plimsoll::Measure(nodes, "anywhere", {});
  }
  return 0;
}
