// Properties of allocation over random fleets: it equals a naive second allocator, conserves
// every nano and millisecond, and does not depend on the order or repetition of its facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/row_hash.h"
#include "property/naive_allocation.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kSeeds = 150;

NaiveLines LinesOf(const AllocationOutput& output) {
  NaiveLines lines;
  const CostLineBatch& l = output.lines;
  for (std::size_t i = 0; i < RowsOf(l); ++i) {
    const auto node = static_cast<std::size_t>(l.node_id[i]);
    const auto workload = static_cast<std::size_t>(l.workload_id[i]);
    NaiveLine& line = lines[{l.hour[i], l.node_id[i] < 0 ? "" : output.nodes.node[node],
                             l.workload_id[i] < 0 ? "" : output.workloads.workload[workload],
                             static_cast<CostClass>(l.cost_class[i])}];
    line.gpu_millis += l.gpu_time[i].base();
    line.gpu += l.gpu_cost[i].nanos();
    line.cpu += l.cpu_cost[i].nanos();
    line.memory += l.memory_cost[i].nanos();
    line.overhead += l.overhead_cost[i].nanos();
  }
  return lines;
}

std::string Text(const NaiveLines& lines) {
  std::string text;
  for (const auto& [key, line] : lines) {
    const auto& [hour, node, workload, cost_class] = key;
    text += ToString(hour) + " " + node + " '" + workload + "' " + std::string(NameOf(cost_class)) +
            " " + std::to_string(line.gpu_millis) + "ms";
    for (const int128 nanos : {line.gpu, line.cpu, line.memory, line.overhead}) {
      text += " " + Money::FromNanos(nanos).ToString();
    }
    text += "\n";
  }
  return text;
}

AllocationOutput AllocateFleet(const RandomFleet& fleet) {
  auto output = Allocate(fleet.Input(), fleet.options);
  EXPECT_TRUE(output) << output.error().message;
  return output ? *std::move(output) : AllocationOutput{};
}

TEST(AllocationPropertyTest, EqualsTheNaiveAllocator) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RandomFleet fleet = FleetMaker(seed).Make();
    ASSERT_EQ(Text(LinesOf(AllocateFleet(fleet))), Text(AllocateNaively(fleet))) << "seed " << seed;
  }
}

TEST(AllocationPropertyTest, ConservesEveryNanoAndMillisecond) {
  for (std::uint64_t seed = 1'000; seed < 1'000 + kSeeds; ++seed) {
    const RandomFleet fleet = FleetMaker(seed).Make();
    const AllocationOutput output = AllocateFleet(fleet);
    Money assets;
    for (const Money cost : output.assets.cost) assets += cost;
    Money charged;
    for (std::size_t i = 0; i < RowsOf(fleet.charges); ++i) {
      if (!fleet.charges.resource_id[i].empty()) charged += fleet.charges.effective_cost[i];
    }
    ASSERT_EQ(assets, charged) << "seed " << seed;
    std::map<std::pair<Instant, std::int64_t>, std::int64_t> millis;
    Money on_nodes;
    for (std::size_t i = 0; i < RowsOf(output.lines); ++i) {
      const CostLineBatch& l = output.lines;
      if (l.node_id[i] < 0) continue;
      on_nodes += l.gpu_cost[i] + l.cpu_cost[i] + l.memory_cost[i];
      millis[{l.hour[i], l.node_id[i]}] += l.gpu_time[i].base();
    }
    ASSERT_EQ(on_nodes, charged) << "seed " << seed;
    for (std::size_t i = 0; i < RowsOf(output.assets); ++i) {
      const AssetCostBatch& a = output.assets;
      const Window provisioned{a.provisioned_begin[i], a.provisioned_until[i]};
      const std::string& name = output.nodes.node[static_cast<std::size_t>(a.node_id[i])];
      const auto at = std::find(fleet.nodes.node.begin(), fleet.nodes.node.end(), name);
      const auto row = static_cast<std::size_t>(at - fleet.nodes.node.begin());
      const std::int64_t expected = fleet.nodes.gpu_count[row] * provisioned.length().base();
      ASSERT_EQ((millis[{a.hour[i], a.node_id[i]}]), expected) << "seed " << seed;
    }
  }
}

template <class Batch>
Batch Shuffled(const Batch& batch, std::mt19937_64& random, bool repeat) {
  std::vector<std::size_t> order(RowsOf(batch));
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (repeat) order.insert(order.end(), order.begin(), order.end());
  std::shuffle(order.begin(), order.end(), random);
  Batch out;
  for (const std::size_t row : order) AppendRow(out, batch, row);
  return out;
}

TEST(AllocationPropertyTest, OrderAndRepetitionOfFactsChangeNothing) {
  for (std::uint64_t seed = 5'000; seed < 5'000 + kSeeds; ++seed) {
    const RandomFleet fleet = FleetMaker(seed).Make();
    std::mt19937_64 random(seed);
    RandomFleet other = FleetMaker(seed).Make();
    other.charges = Shuffled(fleet.charges, random, false);  // a charge twice is two charges
    other.nodes = Shuffled(fleet.nodes, random, true);
    other.holdings = Shuffled(fleet.holdings, random, true);
    other.bindings = Shuffled(fleet.bindings, random, true);
    other.usage = Shuffled(fleet.usage, random, true);
    const AllocationOutput a = AllocateFleet(fleet);
    const AllocationOutput b = AllocateFleet(other);
    ASSERT_EQ(Text(LinesOf(a)), Text(LinesOf(b))) << "seed " << seed;
    ASSERT_EQ(HashOfRows(a.lines), HashOfRows(b.lines)) << "seed " << seed;
  }
}

TEST(AllocationPropertyTest, SplittingTheWindowChangesNothing) {
  for (std::uint64_t seed = 9'000; seed < 9'000 + kSeeds; ++seed) {
    RandomFleet fleet = FleetMaker(seed).Make();
    const NaiveLines whole = LinesOf(AllocateFleet(fleet));
    NaiveLines joined;
    for (std::int64_t hour = 0; hour < kFleetHours; ++hour) {
      fleet.options.window = {kFleetBegin + Hours(hour), kFleetBegin + Hours(hour + 1)};
      // The bill's knowledge reaches over the whole time, whatever the window.
      fleet.options.billed.clear();
      for (const std::string& node : fleet.nodes.node) {
        fleet.options.billed.push_back(
            {"i-" + node, "", {kFleetBegin, kFleetBegin + Hours(kFleetHours)}});
      }
      joined.merge(LinesOf(AllocateFleet(fleet)));
    }
    ASSERT_EQ(Text(joined), Text(whole)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plimsoll
