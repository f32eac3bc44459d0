// Idle time by class: who explains it, up to what size, and that nothing is lost on the way.
#include "allocation/idle_rules.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

const Window kHour{T(0), T(60)};

struct IdleFleet : TestFleet {
  Conditions conditions;

  void State(const std::string& node, const char* aspect, const char* value, Instant since,
             std::int64_t gpus = 0) {
    const std::size_t i = AddBlank(conditions.states);
    conditions.states.cluster[i] = "c";
    conditions.states.node[i] = node;
    conditions.states.aspect[i] = aspect;
    conditions.states.value[i] = value;
    conditions.states.gpus[i] = gpus;
    conditions.states.since[i] = since;
    conditions.states.seen[i] = since;
  }
  std::size_t SetAside(const char* kind, const std::string& name, std::int64_t gpus,
                       const Window& time) {
    const std::size_t i = AddBlank(conditions.set_asides);
    conditions.set_asides.cluster[i] = "c";
    conditions.set_asides.kind[i] = kind;
    conditions.set_asides.name[i] = name;
    conditions.set_asides.gpus[i] = gpus;
    conditions.set_asides.since[i] = time.begin;
    conditions.set_asides.seen[i] = time.until;
    return i;
  }
  void Wait(std::int64_t gpus, Instant queued) {
    const std::size_t i = AddBlank(conditions.pending);
    conditions.pending.cluster[i] = "c";
    conditions.pending.devices[i] = conditions.pending.unit_devices[i] = gpus;
    conditions.pending.device_kind[i] = "gpu";
    conditions.pending.queued[i] = queued;
  }
  void Reserve(const std::string& name, std::int64_t gpus, const NodeScope& scope = {}) {
    DeclaredReserve reserve;
    reserve.name = name;
    reserve.scope = scope;
    reserve.gpus = gpus;
    reserve.owner = "platform";
    options.idle.reserves.push_back(reserve);
  }
  AllocationOutput Run() const {
    AllocationInput input = Input();
    input.conditions = &conditions;
    auto output = plimsoll::Allocate(input, options);
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : AllocationOutput();
  }
};

TEST(IdleRulesTest, WhatNothingExplainsIsWaste) {
  IdleFleet fleet;
  fleet.Node("n", 8);
  fleet.Price("8");
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 28800000 8"}));
}

TEST(IdleRulesTest, AReserveCoversUpToItsSizeAndIsItsOwners) {
  IdleFleet fleet;
  fleet.Node("n", 8);
  fleet.Price("8");
  fleet.Reserve("spare", 3);
  const auto out = fleet.Run();
  EXPECT_EQ(Lines(out), (Texts{"waste - 18000000 5", "reserve spare 10800000 3"}));
  EXPECT_EQ(out.workloads.team, Texts{"platform"});
  EXPECT_EQ(out.workloads.source, Texts{"fleet"});
}

TEST(IdleRulesTest, AReserveOverSeveralNodesTakesTheSamePartOfEach) {
  IdleFleet fleet;
  fleet.Node("a", 8);
  fleet.Node("b", 4);
  fleet.Price("12");
  fleet.Reserve("spare", 6);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 14400000 6", "reserve spare 14400000 6",
                                       "waste - 7200000 6", "reserve spare 7200000 6"}));
}

TEST(IdleRulesTest, AReserveOfAZoneOrALabelStaysThere) {
  IdleFleet fleet;
  fleet.nodes.zone[fleet.Node("a", 2)] = "zone-b";
  fleet.nodes.labels[fleet.Node("b", 2)] = R"({"example.com/pool":"warm"})";
  fleet.Node("d", 2);
  NodeScope zone;
  zone.zone = "zone-b";
  fleet.Reserve("zone", 16, zone);
  NodeScope pool;
  pool.label_key = "example_com_pool";
  pool.label_value = "wa*";
  fleet.Reserve("pool", 1, pool);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"reserve zone 7200000", "waste - 3600000",
                                       "reserve pool 3600000", "waste - 7200000"}));
}

TEST(IdleRulesTest, AReserveEndsWhenItSays) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.Reserve("spare", 1);
  fleet.options.idle.reserves[0].until = T(22);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 2280000", "reserve spare 1320000"}));
}

// A placeholder pod is no work: what is declared of it is reserve, the rest is waste.
TEST(IdleRulesTest, PlaceholdersHoldNothing) {
  IdleFleet fleet;
  fleet.Node("n", 8);
  fleet.Price("8");
  const auto pod = fleet.Hold("n", "pause", 8, kHour);
  fleet.holdings.role[pod] = "placeholder";
  fleet.Reserve("headroom", 4);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 14400000 4", "reserve headroom 14400000 4"}));
}

TEST(IdleRulesTest, AFailedNodeIsUnavailableUntilItIsWellAgain) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.State("n", "health", "ok", T(-600));
  fleet.State("n", "health", "failed", T(10));
  fleet.State("n", "health", "ok", T(40));
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 1800000", "unavailable failed 1800000"}));
}

TEST(IdleRulesTest, ANodeThatStartsForTooLongHasFailed) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.State("n", "health", "initializing", T(-10));
  const auto out = fleet.Run();
  EXPECT_EQ(Lines(out), (Texts{"unavailable failed 2400000", "unavailable initializing 1200000"}));
}

TEST(IdleRulesTest, ACordonIsExplainedForItsGraceAndADeclaredOneForItsWindow) {
  IdleFleet fleet;
  fleet.Node("a", 1);
  fleet.Node("b", 1);
  fleet.options.window.until = T(120);
  fleet.State("a", "schedulable", "no", T(0));
  fleet.State("b", "schedulable", "no", T(0));
  NodeScope scope;
  scope.node = "b*";
  fleet.options.idle.maintenance.push_back({scope, {T(0), T(120)}, "new driver"});
  EXPECT_EQ(Lines(fleet.Run()),
            (Texts{"unavailable cordoned 3600000", "unavailable maintenance: new driver 3600000",
                   "waste - 3600000", "unavailable maintenance: new driver 3600000"}));
}

// Printouts of the same state, an hour apart, are one state that began with the first.
TEST(IdleRulesTest, ARepeatedSightingBeginsNoNewGrace) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.State("n", "schedulable", "no", T(-600));
  fleet.State("n", "schedulable", "no", T(-30));
  fleet.State("n", "schedulable", "no", T(15));
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 3600000"}));
}

TEST(IdleRulesTest, APlanLastsNoLongerThanSomebodySawIt) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.State("n", "planned", "yes", T(0));
  fleet.State("n", "planned", "yes", T(20));
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 2400000", "quota_held planned 1200000"}));
}

// Two claims over the same half of a twelfth explain that half, not all of it.
TEST(IdleRulesTest, ClaimsOfTheSameTimeTakeItOnce) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.options.idle.maintenance.push_back({{}, {T(0), T(2)}, ""});
  fleet.options.idle.maintenance.push_back({{}, {T(0), T(2)}, "again"});
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 3480000", "unavailable maintenance 120000"}));
}

TEST(IdleRulesTest, MaintenanceOfAReservationGoesBeforeAPlan) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.State("n", "planned", "yes", T(0));
  fleet.conditions.states.seen[0] = T(60);
  const auto i = fleet.SetAside("slurm-maintenance", "driver", 1, kHour);
  fleet.conditions.set_asides.source[i] = "slurm";
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"unavailable maintenance 3600000"}));
}

TEST(IdleRulesTest, CardsThatMayNotBeUsedAreUnavailableOnce) {
  IdleFleet fleet;
  fleet.Node("n", 4);
  fleet.State("n", "gpus", "", T(-60), 3);
  for (const char* device : {"GPU-1", "GPU-2", "GPU-3"}) fleet.Use("n", device, 0);
  fleet.Bind("n", "GPU-4", "gone", {T(-90), T(-80)});
  // Telemetry misses the fourth card: it is the one that the node no longer offers.
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"unavailable - 3600000", "waste - 10800000"}));
  fleet.usage = {};
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 10800000", "unavailable failed GPU 3600000"}));
}

TEST(IdleRulesTest, QuotaIsHeldBeforeAnythingIsReserved) {
  IdleFleet fleet;
  fleet.Node("n", 8);
  const auto i = fleet.SetAside("kueue-workload", "job-x", 5, {T(0), T(30)});
  fleet.conditions.set_asides.owner[i] = "research";
  fleet.Reserve("spare", 8);
  const auto out = fleet.Run();
  EXPECT_EQ(Lines(out), (Texts{"reserve spare 19800000", "quota_held job-x 9000000"}));
  EXPECT_EQ(out.workloads.queue, (Texts{"", "research"}));
}

TEST(IdleRulesTest, AReservationsIdleTimeIsDividedAmongItsAccounts) {
  IdleFleet fleet;
  fleet.Node("n", 4);
  fleet.Hold("n", "job", 1, kHour);
  const auto i = fleet.SetAside("slurm-reservation", "night", 4, kHour);
  fleet.conditions.set_asides.source[i] = "slurm";
  fleet.conditions.set_asides.node[i] = "n";
  fleet.conditions.set_asides.owner[i] = "nlp,vision";
  const auto out = fleet.Run();
  EXPECT_EQ(Lines(out), (Texts{"quota_held night 5400000", "quota_held night 5400000",
                               "usage_unknown job 3600000"}));
  EXPECT_EQ(out.workloads.account, (Texts{"nlp", "vision", ""}));
}

TEST(IdleRulesTest, AUsersReservationIsTheUsers) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  OwnerFallback bob{"", "", "nlp"};
  bob.user = "bob";
  fleet.options.attribution.fallbacks = {bob};
  const auto i = fleet.SetAside("slurm-reservation", "night", 1, kHour);
  fleet.conditions.set_asides.source[i] = "slurm";
  fleet.conditions.set_asides.owner[i] = "user:bob";
  const auto out = fleet.Run();
  EXPECT_EQ(Lines(out), (Texts{"quota_held night 3600000"}));
  EXPECT_EQ(out.workloads.user_name, Texts{"bob"});
  EXPECT_EQ(out.workloads.team, Texts{"nlp"});
}

// What is still held was not emptied when the data end.
TEST(IdleRulesTest, ANodeThatIsStillHeldIsNotEmptied) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.holdings.until[fleet.Hold("n", "a", 1, {T(-60), T(60)})].reset();
  fleet.options.data_until = T(30);
  fleet.options.idle.scale_down_delay = Minutes(15);
  fleet.nodes.provider_id[0] = "aws:///us-east-1a/i-1";
  fleet.Charge("i-1", "1", kHour);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 1800000 0.5", "usage_unknown a 1800000 0.5"}));
}

TEST(IdleRulesTest, AnEmptiedNodeWaitsForTheAutoscaler) {
  IdleFleet fleet;
  fleet.Node("n", 2);
  fleet.Hold("n", "a", 2, {T(-60), T(10)});
  fleet.Hold("n", "b", 2, {T(20), T(30)});
  fleet.options.idle.scale_down_delay = Minutes(15);
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 1800000", "scale_down_delay autoscaler 3000000",
                                       "usage_unknown a 1200000", "usage_unknown b 1200000"}));
}

TEST(IdleRulesTest, FreeCardsThatFitNoWaitingPodAreStranded) {
  IdleFleet fleet;
  for (const char* node : {"a", "b"}) fleet.Node(node, 2);
  fleet.Wait(8, T(-30));
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"stranded - 7200000", "stranded - 7200000"}));
  fleet.Wait(2, T(30));  // and one that would fit
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"stranded - 3600000", "waste - 3600000",
                                       "stranded - 3600000", "waste - 3600000"}));
  fleet.conditions = {};
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 7200000", "waste - 7200000"}));
  fleet.options.idle.typical_gpus = {8, 4};  // nothing waits: what usually comes
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"stranded - 7200000", "stranded - 7200000"}));
}

// A pod that was placed later waited as well.
TEST(IdleRulesTest, AWaitIsKnownFromItsHolding) {
  IdleFleet fleet;
  fleet.Node("a", 2);
  fleet.Node("b", 8);
  fleet.options.window.until = T(120);
  const auto pod = fleet.Hold("b", "big", 8, {T(60), T(120)});
  fleet.holdings.queued[pod] = T(0);
  fleet.Hold("b", "before", 8, {T(0), T(60)});
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"stranded - 7200000", "usage_unknown before 28800000",
                                       "waste - 7200000", "usage_unknown big 28800000"}));
}

// 3g + 3g of an A100 leave a seventh without memory: no instance can ever take it. Of 3g + 2g
// the two slices that are left could still be used.
TEST(IdleRulesTest, ASeventhThatNoInstanceCanTakeIsStranded) {
  IdleFleet fleet;
  auto catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog) << catalog.error().message;
  fleet.catalog = *std::move(catalog);
  fleet.Node("n", 1);
  fleet.Price("2.1");
  const auto hold = fleet.Hold("n", "a", 1, kHour);
  fleet.holdings.device_kind[hold] = "mig-3g.40gb";
  fleet.holdings.share_num[hold] = 3;
  fleet.holdings.share_den[hold] = 7;
  fleet.Bind("n", "GPU-1", "a", kHour, "1");
  for (const char* instance : {"1", "2"}) {
    const auto use = fleet.Use("n", "GPU-1", 100);
    fleet.usage.gpu_model[use] = "NVIDIA A100-SXM4-80GB";
    fleet.usage.instance[use] = instance;
    fleet.usage.profile[use] = "3g.40gb";
  }
  EXPECT_EQ(Lines(fleet.Run()),
            (Texts{"stranded - 514286 0.3", "waste - 1542857 0.9", "used a 1542857 0.9"}));
  fleet.usage.profile[1] = "2g.20gb";
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"waste - 2057143 1.2", "used a 1542857 0.9"}));
}

TEST(IdleRulesTest, AStallOfHalfAnHourIsHungAndAShorterOneIsNot) {
  IdleFleet fleet;
  fleet.Node("n", 1);
  fleet.Hold("n", "a", 1, kHour);
  fleet.Bind("n", "GPU-1", "a", kHour);
  const auto use = fleet.Use("n", "GPU-1", 0);
  fleet.usage.stalled[use] = 0b000000111111;
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"hung a 1800000", "unused a 1800000"}));
  fleet.usage.stalled[use] = 0b000000011111;
  EXPECT_EQ(Lines(fleet.Run()), (Texts{"unused a 3600000"}));
}

TEST(IdleRulesTest, AJobsOwnAccountingSpeaksWhereTelemetryDoesNot) {
  IdleFleet fleet;
  fleet.Node("n", 2);
  for (const char* name : {"a", "b"}) {
    const auto row = fleet.Hold("n", name, 1, kHour);
    fleet.holdings.used_ppm[row] = 250'000;
  }
  fleet.Bind("n", "GPU-1", "a", kHour);
  fleet.Use("n", "GPU-1", 50);
  EXPECT_EQ(Lines(fleet.Run()),
            (Texts{"used a 1800000", "unused a 1800000", "used b 900000", "unused b 2700000"}));
}

// What is reserved or unavailable of a node takes the idle CPU and memory with it, and the
// sums of time and money are those without any rule.
TEST(IdleRulesTest, SumsStayAndCostFollowsTime) {
  IdleFleet fleet;
  const auto node = fleet.Node("n", 8);
  fleet.nodes.cpu_milli[node] = 64'000;
  fleet.nodes.memory_bytes[node] = std::int64_t{512} << 30;
  fleet.Price("98.317");
  fleet.Hold("n", "a", 3, {T(7), T(49)});
  const Money before = Total(fleet.Run());
  fleet.State("n", "health", "failed", T(51));
  fleet.SetAside("capacity-buffer", "buffer", 2, {T(3), T(44)});
  fleet.Reserve("spare", 1);
  fleet.Wait(8, T(0));
  const auto out = fleet.Run();
  EXPECT_EQ(Total(out), before);
  std::int64_t time = 0;
  for (const GpuHours& part : out.lines.gpu_time) time += part.base();
  EXPECT_EQ(time, 8 * 3'600'000);
  EXPECT_EQ(RowsOf(out.lines), 6U);
}

}  // namespace
}  // namespace plimsoll
