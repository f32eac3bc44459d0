#include "allocation/assemble.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

TEST(AssembleTest, ATaxInAnHourThatDidNotRunIsNobodysWaste) {
  TestFleet fleet;
  fleet.options.window.until = T(120);
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///z/i-1";
  fleet.Charge("i-1", "3", {T(0), T(60)});
  fleet.charges.category[fleet.Charge("i-1", "1", {T(60), T(120)})] = "Tax";
  EXPECT_EQ(Lines(fleet.Allocate()), (Texts{"waste - 3600000 3", "waste - 0 1"}));
}

TEST(AssembleTest, AnUnbilledNodeRunsWhileItExistsAndDataReaches) {
  TestFleet fleet;
  const auto node = fleet.Node("n", 1);
  fleet.nodes.begin[node] = T(15);
  fleet.options.data_until = T(45);
  fleet.Price("8");
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), Texts{"waste - 1800000 4"});
  EXPECT_EQ(out.assets.provisioned_begin[0], T(15));
  EXPECT_EQ(out.scopes.issuer, Texts{""});
  EXPECT_EQ(out.scopes.billing_begin[0], MonthOf(kDay).begin);
}

TEST(AssembleTest, OnlyDimensionsThatAreUsedAreKept) {
  TestFleet fleet;
  fleet.Node("n", 1);
  fleet.Node("gone", 1);
  fleet.nodes.until[1] = T(0);
  fleet.Price("1");
  fleet.Hold("n", "a", 1, {T(0), T(60)});
  fleet.Hold("gone", "b", 1, {T(0), T(60)});
  const auto out = fleet.Allocate();
  EXPECT_EQ(out.nodes.node, Texts{"n"});
  EXPECT_EQ(out.workloads.workload, Texts{"a"});
  EXPECT_EQ(out.lines.node_id, std::vector<std::int64_t>{0});
}

// Two days at once are the two days one after the other.
TEST(AssembleTest, AWindowIsTheSumOfItsParts) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 2)] = "aws:///z/i-1";
  fleet.Charge("i-1", "100", {T(0), T(7 * 60)});
  fleet.charges.category[fleet.Charge("", "1", {T(-999), T(999)})] = "Tax";
  fleet.Hold("n", "a", 1, {T(10), T(400)});
  fleet.Bind("n", "GPU-1", "a", {T(10), T(400)});
  for (int h = 0; h < 7; ++h) {
    fleet.Use("n", "GPU-1", 10 * h, T(60 * h));
    fleet.Use("n", "GPU-2", 0, T(60 * h));
  }
  fleet.options.window = {T(0), T(7 * 60)};
  const auto whole = Lines(fleet.Allocate());
  fleet.options.window = {T(0), T(3 * 60)};
  auto parts = Lines(fleet.Allocate());
  fleet.options.window = {T(3 * 60), T(7 * 60)};
  for (const std::string& line : Lines(fleet.Allocate())) parts.push_back(line);
  EXPECT_EQ(whole, parts);
}

}  // namespace
}  // namespace plimsoll
