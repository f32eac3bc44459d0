#include "allocation/node_hour.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;
const Window kHour{T(0), T(60)};

TEST(NodeHourTest, LeftOverNanosGoToTheFirstDevices) {
  TestFleet fleet;
  fleet.Node("n", 3);
  fleet.Price("0.000000010");
  for (const char* name : {"a", "b", "c"}) {
    fleet.Hold("n", name, 1, kHour);
    fleet.Bind("n", std::string("GPU-") + name, name, kHour);
    fleet.Use("n", std::string("GPU-") + name, 100);
  }
  EXPECT_EQ(Lines(fleet.Allocate()),
            (Texts{"used a 3600000 0.000000004", "used b 3600000 0.000000003",
                   "used c 3600000 0.000000003"}));
}

TEST(NodeHourTest, AReplacedCardGetsNothingWhileTheOtherSpeaks) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.options.window.until = T(120);
  fleet.Price("1");
  fleet.Use("n", "GPU-old", 0, T(0));
  fleet.Use("n", "GPU-new", 100, T(60));
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"waste - 3600000 1", "busy_unattributed - 3600000 1"}));
}

TEST(NodeHourTest, RequestsAboveCapacityLeaveNoRest) {
  TestFleet fleet;
  const auto node = fleet.Node("n", 0);
  fleet.nodes.cpu_milli[node] = 1'000;
  fleet.Price("4");
  fleet.holdings.cpu_milli[fleet.Hold("n", "a", 0, kHour)] = 1'500;
  fleet.holdings.cpu_milli[fleet.Hold("n", "b", 0, kHour)] = 500;
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"none a 0 0 3", "none b 0 0 1"}));
}

TEST(NodeHourTest, MemoryHeldBeyondTheNodeIsAFindingAndNothingIsIdle) {
  TestFleet fleet;
  const auto node = fleet.Node("n", 0);
  fleet.nodes.memory_bytes[node] = std::int64_t{8} << 30;
  fleet.Price("11");
  fleet.options.window.until = T(120);
  for (const auto& [name, gib] : {std::pair("a", 6), std::pair("b", 5)}) {
    fleet.holdings.memory_bytes[fleet.Hold("n", name, 0, kHour)] = std::int64_t{gib} << 30;
  }
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"none a 0 0 0 6", "none b 0 0 0 5", "none - 0 0 0 11"}));
  ASSERT_EQ(out.findings.kind, Texts{"over-committed"});
  EXPECT_EQ(out.findings.subject[0], "n");
  EXPECT_TRUE(out.findings.detail[0].starts_with("over-committed by 3.00 GiB of memory"))
      << out.findings.detail[0];
}

TEST(NodeHourTest, ANodeOfUnknownSizeIsNotOverCommitted) {
  TestFleet fleet;
  const auto node = fleet.Node("n", 0);
  fleet.nodes.cpu_milli[node] = 1'000;
  fleet.Price("1");
  const auto row = fleet.Hold("n", "a", 0, kHour);
  fleet.holdings.cpu_milli[row] = 1'000;
  fleet.holdings.memory_bytes[row] = 1;
  EXPECT_TRUE(fleet.Allocate().findings.kind.empty());
}

TEST(NodeHourTest, OverCommittedDevicesAreReportedAsStaleLabels) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Price("6");
  fleet.Hold("n", "a", 1, {T(0), T(60)});
  fleet.Hold("n", "b", 1, {T(30), T(60)});
  fleet.Bind("n", "GPU-1", "a", {T(0), T(60)});
  fleet.Bind("n", "GPU-1", "b", {T(30), T(60)});
  fleet.Use("n", "GPU-1", 0);
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"unused a 1800000 3", "unused b 1800000 3"}));
  ASSERT_EQ(out.findings.kind, Texts{"label-stale"});
  EXPECT_EQ(out.findings.gpu_time[0], GpuSeconds(1'800));
}

}  // namespace
}  // namespace plimsoll
