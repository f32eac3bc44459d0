#include "allocation/allocation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

const Window kHour{T(0), T(60)};

TEST(AllocationTest, RefusesAWindowThatIsNotWholeHours) {
  TestFleet fleet;
  fleet.options.window = {T(0), T(90)};
  const auto out = Allocate(fleet.Input(), fleet.options);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::kInvalidArgument);
}

TEST(AllocationTest, ABilledNodeGoesToItsHolderByUse) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///us-east-1a/i-1";
  fleet.Charge("arn:aws:ec2:us-east-1:1:instance/i-1", "3", kHour);
  fleet.Hold("n", "a", 1, kHour);
  fleet.Bind("n", "GPU-1", "a", kHour);
  fleet.Use("n", "GPU-1", 25);
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"used a 900000 0.75", "unused a 2700000 2.25"}));
  EXPECT_EQ(out.assets.rung, Texts{"billed"});
  EXPECT_EQ(out.workloads.team, Texts{"t"});
}

// What a commitment covers, what is reserved and what is owned is paid whether it runs or not.
TEST(AllocationTest, SunkNodesSayWhy) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("billed", 1)] = "aws:///us-east-1a/i-1";
  const auto covered = fleet.Charge("i-1", "3", kHour);
  fleet.charges.pricing_category[covered] = "Committed";
  fleet.nodes.provider_id[fleet.Node("on-demand", 1)] = "aws:///us-east-1a/i-2";
  fleet.Charge("i-2", "3", kHour);
  fleet.nodes.capacity_type[fleet.Node("reserved", 1)] = "reserved";
  fleet.Node("shelf", 1);
  fleet.Price("2");
  const auto out = fleet.Allocate();
  EXPECT_EQ(out.nodes.node, (Texts{"billed", "on-demand", "reserved", "shelf"}));
  EXPECT_EQ(out.nodes.sunk, (Texts{"commitment", "", "reserved", "owned"}));
}

// Seven pods on the 1g slices of one $2.10 card cost $0.30 each, not $2.10 each.
TEST(AllocationTest, SevenMigPodsShareOneCardsPrice) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Price("2.10");
  for (int i = 0; i < 7; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    const auto row = fleet.Hold("n", name, 1, kHour);
    fleet.holdings.device_kind[row] = "mig-1g.10gb";
    fleet.holdings.share_den[row] = 7;
    fleet.Bind("n", "GPU-1", name, kHour, std::to_string(i));
    const auto use = fleet.Use("n", "GPU-1", 100);
    fleet.usage.instance[use] = std::to_string(i);
    fleet.usage.profile[use] = "1g.10gb";
  }
  const auto lines = Lines(fleet.Allocate());
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "used a 514286 0.3");
  EXPECT_EQ(lines[6], "used g 514285 0.3");
}

TEST(AllocationTest, OneOfFourTimeSlicesIsAQuarterAndTheRestIsWaste) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Price("2.10");
  const auto row = fleet.Hold("n", "a", 1, kHour);
  fleet.holdings.device_kind[row] = "gpu.shared";
  fleet.holdings.share_den[row] = 4;
  fleet.Bind("n", "GPU-1", "a", kHour);
  fleet.Use("n", "GPU-1", 100);
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"waste - 2700000 1.575", "used a 900000 0.525"}));
}

// Efficiency of a holder that never computes is 0, not 1; without a signal it is unknown.
TEST(AllocationTest, IdleHoldersAreUnusedAndUnseenOnesUnknown) {
  TestFleet fleet;
  fleet.Node("n", 2);
  fleet.Price("2");
  fleet.Hold("n", "a", 1, kHour);
  fleet.Hold("n", "b", 1, kHour);
  fleet.Bind("n", "GPU-1", "a", kHour);
  fleet.Bind("n", "GPU-2", "b", kHour);
  fleet.Use("n", "GPU-1", 0);
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"unused a 3600000 1", "usage_unknown b 3600000 1"}));
}

TEST(AllocationTest, EightGpusAtNinetyPercentAreNineTenthsUsed) {
  TestFleet fleet;
  fleet.Node("n", 8);
  fleet.Price("80");
  fleet.Hold("n", "a", 8, kHour);
  for (int i = 0; i < 8; ++i) {
    const std::string device = "GPU-" + std::to_string(i);
    fleet.Bind("n", device, "a", kHour);
    fleet.Use("n", device, 90);
  }
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"used a 25920000 72", "unused a 2880000 8"}));
}

// A pod that was bound and still pulls its image holds its GPU: charged from bind.
TEST(AllocationTest, PendingAfterBindIsStartup) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Price("60");
  const auto row = fleet.Hold("n", "a", 1, {T(10), T(60)});
  fleet.holdings.ready[row] = T(30);
  fleet.Bind("n", "GPU-1", "a", {T(30), T(60)});
  fleet.Use("n", "GPU-1", 0);
  EXPECT_EQ(Lines(fleet.Allocate()),
            (Texts{"waste - 600000 10", "startup a 1200000 20", "unused a 1800000 30"}));
}

TEST(AllocationTest, NobodysBusyDeviceIsBusyAndASilentOneUnavailable) {
  TestFleet fleet;
  fleet.Node("n", 3);
  fleet.Price("3");
  fleet.Use("n", "GPU-1", 1);
  fleet.Use("n", "GPU-2", 0);
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"unavailable - 3600000 1", "busy_unattributed - 3600000 1",
                               "waste - 3600000 1"}));
  EXPECT_EQ(out.findings.kind, Texts{"device-missing"});
  EXPECT_EQ(out.findings.subject, Texts{"n/gpu-2"});
}

TEST(AllocationTest, NoPriceIsAFindingWithItsHoursAndTheTimeIsStillClassified) {
  TestFleet fleet;
  fleet.Node("n", 2);
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), Texts{"waste - 7200000"});
  ASSERT_EQ(out.findings.kind, Texts{"no-price"});
  EXPECT_EQ(out.findings.gpu_time[0], WholeGpuHours(2));
  EXPECT_EQ(out.assets.rung, Texts{"none"});
}

TEST(AllocationTest, CpuAndMemoryFollowRequestsAndTheirHoldersClasses) {
  TestFleet fleet;
  const auto node = fleet.Node("n", 1);
  fleet.nodes.cpu_milli[node] = 4'000;
  fleet.nodes.memory_bytes[node] = std::int64_t{10} << 30;
  // 90 + 4 x 9 + 10 x 1 = 136 units: GPU $90, CPU $36, memory $10.
  fleet.Price("136");
  const auto gpu = fleet.Hold("n", "a", 1, {T(0), T(30)});
  fleet.holdings.cpu_milli[gpu] = 4'000;
  fleet.Bind("n", "GPU-1", "a", {T(0), T(30)});
  Twelfths& active = fleet.usage.active[fleet.Use("n", "GPU-1", 50)];
  std::fill(active.begin() + 6, active.end(), 0);
  const auto cpu = fleet.Hold("n", "b", 0, {T(30), T(60)});
  fleet.holdings.cpu_milli[cpu] = 1'000;
  fleet.holdings.memory_bytes[cpu] = std::int64_t{10} << 30;
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"waste - 1800000 45 13.5 5", "used a 900000 22.5 9",
                                            "unused a 900000 22.5 9", "none b 0 0 4.5 5"}));
}

TEST(AllocationTest, TrafficAndDisksOfANodeAreItsOwnLines) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///us-east-1a/i-1";
  fleet.Charge("i-1", "3", kHour);
  fleet.charges.service_category[fleet.Charge("i-1", "0.5", kHour)] = "Networking";
  fleet.charges.service_category[fleet.Charge("i-1", "0.25", kHour)] = "Storage";
  fleet.charges.category[fleet.Charge("i-1", "-1", kHour)] = "Credit";
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"none - 0 0 0 0 0.25 0.5", "waste - 3600000 2"}));
  EXPECT_EQ(out.lines.node_id, (std::vector<std::int64_t>{0, 0}));
}

TEST(AllocationTest, AnHourWithoutAChargeIsOffForABilledNode) {
  TestFleet fleet;
  fleet.options.window.until = T(120);
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///us-east-1a/i-1";
  fleet.Charge("i-1", "3", {T(0), T(45)});
  fleet.Hold("n", "a", 1, {T(0), T(120)});
  fleet.Price("100");
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), Texts{"usage_unknown a 2700000 3"});
  ASSERT_EQ(out.findings.kind, Texts{"held-not-provisioned"});
  EXPECT_EQ(out.findings.gpu_time[0], GpuSeconds(75 * 60));
}

TEST(AllocationTest, TwoScopesShareTheClassesAndTheLargerCarriesTheTime) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///us-east-1a/i-1";
  fleet.Charge("i-1", "1", kHour);
  fleet.charges.account[fleet.Charge("i-1", "3", kHour)] = "2";
  fleet.Hold("n", "a", 1, kHour);
  fleet.Bind("n", "GPU-1", "a", kHour);
  fleet.Use("n", "GPU-1", 50);
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"used a 0 0.5", "unused a 0 0.5", "used a 1800000 1.5",
                                            "unused a 1800000 1.5"}));
}

TEST(AllocationTest, CurrenciesOfOneBillAreScopesOfTheirOwn) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///z/i-1";
  fleet.Charge("i-1", "4", {T(0), T(60)});
  fleet.charges.currency[fleet.Charge("i-1", "3", {T(0), T(60)})] = "EUR";
  const auto out = fleet.Allocate();
  std::map<std::string, Money> cost;
  GpuHours gpu_time;
  for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
    cost[out.scopes.currency[static_cast<std::size_t>(out.lines.scope_id[i])]] +=
        out.lines.gpu_cost[i];
    gpu_time += out.lines.gpu_time[i];
  }
  EXPECT_EQ(cost,
            (std::map<std::string, Money>{{"EUR", Money::Units(3)}, {"USD", Money::Units(4)}}));
  EXPECT_EQ(gpu_time, GpuSeconds(3'600));  // once, whatever the number of currencies
}

// Property: the order, repetition and batching of facts never change the answer.
TEST(AllocationTest, TheSameFactsInAnyOrderGiveTheSameLines) {
  const auto build = [](bool is_reversed) {
    TestFleet fleet;
    fleet.options.window.until = T(180);
    std::vector<int> order{0, 1, 2, 3, 4, 2, 0};
    if (is_reversed) std::reverse(order.begin(), order.end());
    for (const int i : order) {
      const std::string n = "n" + std::to_string(i);
      fleet.Node(n, 2);
      fleet.Hold(n, "job-" + n, 1, {T(i * 7), T(150)});
      fleet.Use(n, "GPU-" + n, 10 * i);
      fleet.Use(n, "GPU-" + n, 5, T(60));
      fleet.Bind(n, "GPU-" + n, "job-" + n, {T(i * 7), T(150)});
    }
    fleet.Price("7");
    return fleet.Allocate();
  };
  const auto a = build(false);
  const auto b = build(true);
  EXPECT_EQ(Lines(a), Lines(b));
  EXPECT_EQ(a.workloads.workload, b.workloads.workload);
  EXPECT_EQ(Total(a), Money::Units(5 * 3 * 7));
}

}  // namespace
}  // namespace plimsoll
