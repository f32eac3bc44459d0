#include "allocation/resolve.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

struct Resolved {
  explicit Resolved(const TestFleet& fleet)
      : nodes(NodeTable::Gather(fleet.Input(), fleet.options.window)),
        workloads(fleet.options.attribution),
        holdings(fleet.Input(), fleet.options, nodes, workloads) {
    nodes.Measure(fleet.catalog);
    DeviceGrid devices(fleet.Input(), fleet.options.window, nodes);
    FindingLog log;
    pieces = ResolveHoldings(fleet.Input(), fleet.options.window, {nodes, holdings, devices}, log);
    findings = log.Take();
    for (std::size_t id = 0; id < devices.size(); ++id) {
      for (const Piece& piece : pieces.of_device[id]) {
        const auto row = holdings.at(static_cast<std::size_t>(piece.holding)).row;
        places.push_back(devices.at(static_cast<std::int32_t>(id)).uuid + " " +
                         fleet.holdings.name[row] + (piece.has_evidence ? "" : " ?"));
      }
    }
  }
  NodeTable nodes;
  WorkloadTable workloads;
  HoldingTable holdings;
  Pieces pieces;
  FindingBatch findings;
  std::vector<std::string> places;  // "device pod", "?" without evidence
};

using Texts = std::vector<std::string>;
const Window kHour{T(0), T(60)};

TEST(ResolveTest, EvidenceDecidesAndTheLongestOverlapGoesFirst) {
  TestFleet fleet;
  fleet.Node("n", 3);
  for (const char* device : {"GPU-0", "GPU-1", "GPU-2"}) fleet.Use("n", device, 0);
  fleet.Hold("n", "a", 2, kHour);
  fleet.Bind("n", "GPU-0", "a", {T(0), T(5)});
  fleet.Bind("n", "GPU-1", "a", {T(0), T(60)});
  fleet.Bind("n", "GPU-2", "a", {T(0), T(20)});
  fleet.Bind("n", "GPU-2", "a", {T(0), T(20)});  // a repeated row is no longer overlap
  EXPECT_EQ(Resolved(fleet).places, (Texts{"GPU-1 a", "GPU-2 a"}));
}

TEST(ResolveTest, WithoutEvidenceFreeDevicesAreTakenInOrder) {
  TestFleet fleet;
  fleet.Node("n", 3);
  for (const char* device : {"GPU-0", "GPU-1", "GPU-2"}) fleet.Use("n", device, 0);
  fleet.Hold("n", "a", 2, kHour);  // sorts first, but GPU-0 is b's by evidence
  fleet.Hold("n", "b", 1, kHour);
  fleet.Bind("n", "GPU-0", "b", kHour);
  const Resolved resolved(fleet);
  EXPECT_EQ(resolved.places, (Texts{"GPU-0 b", "GPU-1 a ?", "GPU-2 a ?"}));
  EXPECT_EQ(resolved.pieces.mixed[0], std::vector<Window>{kHour});
}

TEST(ResolveTest, ADeviceIsFreeAgainAfterItsHolder) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Hold("n", "a", 1, {T(0), T(30)});
  fleet.Hold("n", "b", 1, {T(30), T(60)});
  const Resolved resolved(fleet);
  EXPECT_EQ(resolved.places, (Texts{"n/gpu-0 a ?", "n/gpu-0 b ?"}));
  EXPECT_TRUE(resolved.pieces.mixed[0].empty());
  EXPECT_EQ(RowsOf(resolved.findings), 0u);
}

TEST(ResolveTest, MoreThanThereIsIsAFinding) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Hold("n", "a", 3, {T(0), T(30)});
  const Resolved resolved(fleet);
  EXPECT_EQ(resolved.places, Texts{"n/gpu-0 a ?"});
  ASSERT_EQ(resolved.findings.kind, Texts{"over-allocated"});
  EXPECT_EQ(resolved.findings.gpu_time[0], GpuSeconds(2 * 30 * 60));
}

TEST(ResolveTest, MigUnitsTakeInstancesOfTheirProfile) {
  TestFleet fleet;
  fleet.Node("n", 1);
  for (const auto& [id, profile] : {std::pair("1", "3g.40gb"), std::pair("2", "1g.10gb")}) {
    const auto row = fleet.Use("n", "GPU-0", 0);
    fleet.usage.instance[row] = id;
    fleet.usage.profile[row] = profile;
    fleet.Bind("n", "GPU-0", "a", kHour, id);
  }
  const auto row = fleet.Hold("n", "a", 1, kHour);
  fleet.holdings.device_kind[row] = "mig-1g.10gb";
  fleet.holdings.share_den[row] = 7;
  const Resolved resolved(fleet);
  ASSERT_EQ(resolved.places, Texts{"GPU-0 a"});
  EXPECT_GE(resolved.pieces.of_device[0][0].instance, 0);
}

TEST(ResolveTest, SharesFillACardExactly) {
  TestFleet fleet;
  fleet.Node("n", 2);
  for (const char* name : {"a", "b", "c"}) {
    const auto row = fleet.Hold("n", name, 1, kHour);
    fleet.holdings.device_kind[row] = "gpu.shared";
    fleet.holdings.share_den[row] = 2;
  }
  EXPECT_EQ(Resolved(fleet).places, (Texts{"n/gpu-0 a ?", "n/gpu-0 b ?", "n/gpu-1 c ?"}));
}

}  // namespace
}  // namespace plimsoll
