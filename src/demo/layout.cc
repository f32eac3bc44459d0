#include "demo/layout.h"

#include <fmt/format.h>

#include "base/check.h"

namespace plimsoll {
namespace {

const DemoShape kP5{
    "p5.48xlarge", "NVIDIA H100 80GB HBM3", "NVIDIA-H100-80GB-HBM3", 8, 192, 2048, 81'559, 70, 60};
const DemoShape kP4d{
    "p4d.24xlarge", "NVIDIA A100-SXM4-40GB", "NVIDIA-A100-SXM4-40GB", 8, 96, 1152, 40'960, 54, 33};
const DemoShape kG612{"g6.12xlarge", "NVIDIA L4", "NVIDIA-L4", 4, 48, 192, 23'034, 16, 5};
const DemoShape kG6{"g6.xlarge", "NVIDIA L4", "NVIDIA-L4", 1, 4, 16, 23'034, 16, 5};
const DemoShape kA2{
    "a2-highgpu-8g", "NVIDIA A100-SXM4-40GB", "NVIDIA-A100-SXM4-40GB", 8, 96, 680, 40'960, 54, 33};

// Whole hours of list price near what the clouds publish; see docs/guides/demo.md.
constexpr std::int64_t kP5List = 29 * kExactNanos, kP5Committed = 20 * kExactNanos;
constexpr std::int64_t kP4dList = 19 * kExactNanos, kP4dCommitted = 13 * kExactNanos;
constexpr std::int64_t kG612List = 11 * kExactNanos, kG6List = 13 * kExactNanos;
constexpr std::int64_t kA2List = 31 * kExactNanos;

struct NewNode {
  const char* pool;
  const DemoShape* shape;
  DemoPurchase purchase;
  std::int64_t price, list_price;
};

void AddCards(DemoNode& node, DemoRandom& random, std::size_t twelfths) {
  for (std::size_t c = 0; c < static_cast<std::size_t>(node.shape.gpus); ++c) {
    DemoCard card{"GPU-" + random.Uuid(), {}};
    const auto add = [&](const char* instance, const char* profile, std::int64_t sevenths) {
      card.units.push_back(node.units.size());
      node.units.push_back(
          {c, instance, profile, sevenths, std::vector<std::uint8_t>(twelfths, kNoSample), {}, {}});
    };
    if (node.pool == "mig" && c < 7) {
      add("2", "3g.20gb", 3);
      add("3", "2g.10gb", 2);
      add("9", "1g.5gb", 1);
      add("10", "1g.5gb", 1);
    } else {
      add("", "", kWholeCard);
    }
    node.cards.push_back(std::move(card));
  }
}

void AddNode(DemoFleet& fleet, const NewNode& spec, std::size_t number) {
  DemoNode node;
  const bool slurm = std::string_view(spec.pool) == "slurm";
  node.cluster = slurm ? kDemoSlurmCluster : kDemoCluster;
  node.pool = spec.pool;
  node.shape = *spec.shape;
  node.name = slurm ? fmt::format("hpc-g{}", number) : fmt::format("{}-{}", spec.pool, number);
  DemoRandom random(fleet.seed, "node/" + node.name);
  node.zone = slurm ? "us-central1-a" : number % 2 == 1 ? "us-east-1a" : "us-east-1b";
  node.instance_id = slurm ? "4" + random.Text(18, "0123456789") : "i-0" + random.Hex(16);
  node.purchase = spec.purchase;
  node.price = spec.price;
  node.list_price = spec.list_price;
  node.begin = fleet.window.begin - Days(random.Between(9, 40)) - Minutes(random.Between(0, 600));
  AddCards(node, random, fleet.twelfths());
  fleet.nodes.push_back(std::move(node));
}

struct Counts {
  std::int64_t p5 = 1, mig = 0, notebook = 1, small = 0, slurm = 0, spot = 1;
};

Counts CountsOf(std::int64_t gpus) {
  Counts n;
  std::int64_t rest = gpus - 16;
  if (rest >= 8) {
    n.mig = 1;
    rest -= 8;
  }
  if (rest >= 16) {
    n.slurm = 2;
    rest -= 16;
  }
  for (std::int64_t block = 1; rest >= 8; rest -= 8, ++block) {
    if (block % 7 == 0) {
      ++n.notebook;
      ++n.spot;
    } else {
      ++n.p5;
    }
  }
  if (rest >= 4) {
    ++n.notebook;
    rest -= 4;
  }
  n.small = rest;
  return n;
}

}  // namespace

std::int64_t LayOutNodes(DemoFleet& fleet) {
  const Counts n = CountsOf(fleet.gpus);
  const std::int64_t train = n.p5 == 1 ? 0 : (n.p5 + 1) / 2;
  for (std::int64_t i = 0; i < n.p5; ++i) {
    const bool trains = i < train;
    const char* pool = n.p5 == 1 ? "mixed" : trains ? "train" : "serve";
    const bool committed = !trains || i % 2 == 0;
    AddNode(fleet,
            {pool, &kP5, committed ? DemoPurchase::kCommitted : DemoPurchase::kOnDemand,
             committed ? kP5Committed : kP5List, kP5List},
            static_cast<std::size_t>(trains ? i + 1 : i - train + 1));
  }
  if (n.mig == 1) {
    AddNode(fleet, {"mig", &kP4d, DemoPurchase::kCommitted, kP4dCommitted, kP4dList}, 1);
  }
  for (std::int64_t i = 0; i < n.notebook + n.small; ++i) {
    const bool large = i < n.notebook;
    const std::int64_t price = large ? kG612List : kG6List;
    AddNode(fleet, {"notebook", large ? &kG612 : &kG6, DemoPurchase::kOnDemand, price, price},
            static_cast<std::size_t>(i + 1));
  }
  for (std::int64_t i = 0; i < n.slurm; ++i) {
    AddNode(fleet, {"slurm", &kA2, DemoPurchase::kOnDemand, kA2List, kA2List},
            static_cast<std::size_t>(i + 1));
  }
  std::int64_t total = 4 * n.spot;
  for (const DemoNode& node : fleet.nodes) total += node.shape.gpus;
  PLIMSOLL_CHECK(total == fleet.gpus);
  return n.spot;
}

std::size_t AddSpotNode(DemoFleet& fleet, Window life, DemoRandom& random) {
  const std::size_t index = fleet.nodes.size();
  AddNode(fleet, {"spot", &kG612, DemoPurchase::kSpot, 0, kG612List},
          NodesOf(fleet, "spot").size() + 1);
  DemoNode& node = fleet.nodes.back();
  node.begin = life.begin;
  if (life.until < fleet.window.until) node.until = life.until;
  for (Instant day = fleet.window.begin; day < fleet.window.until; day = day + Days(1)) {
    node.spot_price.push_back(random.Between(4, 6) * kExactNanos);
  }
  return index;
}

std::vector<std::size_t> NodesOf(const DemoFleet& fleet, std::string_view pool) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    if (fleet.nodes[i].pool == pool) nodes.push_back(i);
  }
  return nodes;
}

}  // namespace plimsoll
