// What waited and when; claims are tested by what they do to lines (idle_rules_test.cc).
#include "allocation/idle_claims.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

TEST(IdleClaimsTest, WaitingIsFromCreationToBindOrStill) {
  TestFleet fleet;
  Conditions conditions;
  const auto wait = AddBlank(conditions.pending);
  conditions.pending.cluster[wait] = "c";
  conditions.pending.devices[wait] = 16;
  conditions.pending.unit_devices[wait] = 8;
  conditions.pending.device_kind[wait] = "gpu";
  conditions.pending.queued[wait] = T(20);
  fleet.Node("n", 8);
  const auto placed = fleet.Hold("n", "a", 4, {T(30), T(60)});
  fleet.holdings.queued[placed] = T(-10);
  fleet.Hold("n", "b", 2, {T(30), T(60)});  // nothing tells since when it was wanted
  const auto slice = fleet.Hold("n", "m", 1, {T(40), T(60)});
  fleet.holdings.queued[slice] = T(5);
  fleet.holdings.device_kind[slice] = "mig-1g.10gb";
  AllocationInput input = fleet.Input();
  input.conditions = &conditions;
  const auto shapes = GatherWaiting(input, fleet.options);
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0].time, (Window{T(-10), T(30)}));
  EXPECT_EQ(shapes[0].gpus, 4);
  EXPECT_EQ(shapes[1].time, (Window{T(5), T(40)}));
  EXPECT_EQ(shapes[1].gpus, 0);  // an instance: fits anywhere, as far as is known
  EXPECT_EQ(shapes[2].time, (Window{T(20), fleet.options.data_until}));
  EXPECT_EQ(shapes[2].gpus, 8);
}

TEST(IdleClaimsTest, ClaimsOfOtherTimesAndUnknownNodesAreLeftOut) {
  TestFleet fleet;
  fleet.Node("n", 8);
  Conditions conditions;
  for (const char* node : {"n", "elsewhere"}) {
    const auto i = AddBlank(conditions.states);
    conditions.states.cluster[i] = "c";
    conditions.states.node[i] = node;
    conditions.states.aspect[i] = "health";
    conditions.states.value[i] = "failed";
    conditions.states.since[i] = T(10);
  }
  fleet.options.idle.maintenance.push_back({{}, {T(600), T(700)}, "another day"});
  AllocationInput input = fleet.Input();
  input.conditions = &conditions;
  NodeTable nodes = NodeTable::Gather(input, fleet.options.window);
  nodes.Measure(input.catalog);
  const DeviceGrid devices(input, fleet.options.window, nodes);
  WorkloadTable workloads(fleet.options.attribution);
  const auto claims = GatherIdleClaims(input, fleet.options, devices, nodes, workloads);
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].cost_class, CostClass::kUnavailable);
  EXPECT_EQ(claims[0].time, (Window{T(10), fleet.options.window.until}));
}

}  // namespace
}  // namespace plimsoll
