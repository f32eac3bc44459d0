#include "property/naive_placement.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll::naive {
namespace {

std::size_t FreeEnough(const Node& node, std::int64_t milli) {
  return static_cast<std::size_t>(
      std::count_if(node.left.begin(), node.left.end(), [&](auto left) { return left >= milli; }));
}

bool Fits(const Node& node, const PodShape& pod) {
  if (node.cpu < pod.cpu_milli || node.memory < pod.memory_mib) return false;
  if (!Accepts(pod.flavors, node.flavor)) return false;
  return pod.gpus == 0 || FreeEnough(node, pod.gpu_milli) >= static_cast<std::size_t>(pod.gpus);
}

std::int64_t Sum(const std::vector<std::int64_t>& left) {
  std::int64_t sum = 0;
  for (const std::int64_t one : left) sum += one;
  return sum;
}

// GPUs by what is left of them, the least first, that the pod can have.
std::vector<std::size_t> Tightest(const Node& node, const PodShape& pod) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < node.left.size(); ++i) {
    if (node.left[i] >= pod.gpu_milli) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return node.left[a] < node.left[b]; });
  order.resize(static_cast<std::size_t>(pod.gpus));
  return order;
}

double GpuOf(const PodShape& pod) { return static_cast<double>(pod.gpus) * pod.gpu_milli; }

int Kind(const PodShape& pod) {
  if (pod.gpus == 0) return -1;
  return pod.gpu_milli < 1'000 ? 0 : pod.gpus;
}

int Clustering(const Node& node, const PodShape& pod, double most) {
  if (pod.gpus == 0) return 0;
  std::set<int> kinds;
  for (const PodShape& other : node.pods) {
    if (Kind(other) >= 0) kinds.insert(Kind(other));
  }
  int base = kinds.empty() ? 25 : 0;
  if (kinds.count(Kind(pod)) > 0) base = kinds.size() == 1 ? 75 : 50;
  return base + static_cast<int>(25 * (most - static_cast<double>(Sum(node.left))) / most);
}

int Packing(const Node& node, const PodShape& pod, const std::vector<std::size_t>& gpus) {
  if (pod.gpus == 0) return 0;
  const int idle = static_cast<int>(FreeEnough(node, 1'000));
  const int all = static_cast<int>(node.left.size());
  if (idle == all) return 33 - all;
  int idle_used = 0;
  std::int64_t left_percent = 0;
  for (const std::size_t gpu : gpus) {
    if (node.left[gpu] == 1'000) ++idle_used;
    left_percent += node.left[gpu] / 10;
  }
  if (idle_used > 0) return std::max(50 - idle_used, 33);
  return std::max(100 - static_cast<int>(left_percent / 10), 50);
}

struct Scored {
  int points = -1;
  std::vector<std::size_t> gpus;
};

Scored Fgd(const Node& node, const PodShape& pod, const TypicalPods& typical) {
  std::vector<std::vector<std::size_t>> choices;
  if (pod.gpus == 1 && pod.gpu_milli < 1'000) {
    for (std::size_t i = 0; i < node.left.size(); ++i) {
      if (node.left[i] >= pod.gpu_milli) choices.push_back({i});
    }
  } else {
    choices.push_back(pod.gpus == 0 ? std::vector<std::size_t>() : Tightest(node, pod));
  }
  Scored best;
  for (const std::vector<std::size_t>& gpus : choices) {
    Node then = node;
    Take(then, pod, gpus);
    const double grows =
        static_cast<double>(Fragmented(then, typical) - Fragmented(node, typical)) /
        static_cast<double>(typical.count) / 1'000;
    const int points = static_cast<int>(100 / (1 + std::exp(grows)));
    if (points > best.points) best = {points, gpus};
  }
  return best;
}

}  // namespace

std::int64_t Fragmented(const Node& node, const TypicalPods& typical) {
  std::int64_t all = 0;
  for (const TypicalPod& pod : typical.pods) {
    std::int64_t useless = Sum(node.left);
    if (pod.shape.gpus > 0 && Fits(node, pod.shape)) {
      useless = 0;
      for (const std::int64_t left : node.left) useless += left < pod.shape.gpu_milli ? left : 0;
    }
    all += pod.count * useless;
  }
  return all;
}

std::optional<Choice> Choose(PlacementPolicy policy, const std::vector<Node>& nodes,
                             const PodShape& pod, const TypicalPods& typical) {
  double cpu_most = 0, gpu_most = 0;  // of nodes as they are empty
  for (const Node& node : nodes) {
    std::int64_t cpu = node.cpu;
    for (const PodShape& other : node.pods) cpu += other.cpu_milli;
    cpu_most = std::max(cpu_most, static_cast<double>(cpu));
    gpu_most = std::max(gpu_most, 1'000.0 * static_cast<double>(node.left.size()));
  }
  std::optional<Choice> best;
  int most = -1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (!Fits(node, pod)) continue;
    Scored scored{0, pod.gpus == 0 ? std::vector<std::size_t>() : Tightest(node, pod)};
    const double cpu = static_cast<double>(node.cpu), gpu = static_cast<double>(Sum(node.left));
    const double asked = static_cast<double>(pod.cpu_milli);
    switch (policy) {
      case PlacementPolicy::kDotProduct:
        scored.points = static_cast<int>(100 * (1 - (cpu / cpu_most * (asked / cpu_most) +
                                                     gpu / gpu_most * (GpuOf(pod) / gpu_most)) /
                                                        2));
        break;
      case PlacementPolicy::kBestFit:
        scored.points = static_cast<int>(
            (1 - ((cpu - asked) / cpu_most * 0.5 + (gpu - GpuOf(pod)) / gpu_most * 0.5)) * 100);
        break;
      case PlacementPolicy::kClustering:
        scored.points = Clustering(node, pod, gpu_most);
        break;
      case PlacementPolicy::kPacking:
        scored.points = Packing(node, pod, scored.gpus);
        break;
      case PlacementPolicy::kFgd:
        scored = Fgd(node, pod, typical);
        break;
      case PlacementPolicy::kRandom:
        break;
    }
    if (scored.points <= most) continue;
    most = scored.points;
    best = Choice{i, scored.gpus};
  }
  return best;
}

void Take(Node& node, const PodShape& pod, const std::vector<std::size_t>& gpus) {
  node.cpu -= pod.cpu_milli;
  node.memory -= pod.memory_mib;
  for (const std::size_t gpu : gpus) node.left[gpu] -= pod.gpu_milli;
  node.pods.push_back(pod);
}

}  // namespace plimsoll::naive
