#include "purchase/mix/spot_side.h"

#include <gtest/gtest.h>

#include "purchase/mix/test_mix.h"

namespace plimsoll {
namespace {

SpotSide Side(const MixWorkload& workload, const std::vector<MixFlavor>& flavors) {
  const auto side = SpotSideOf(workload, flavors.front(), flavors, Rules());
  EXPECT_TRUE(side) << side.error().message;
  return *side;
}

bool Says(const SpotSide& side, const std::string& part) {
  return side.flavor == nullptr && !side.rejected.empty() &&
         side.rejected.back().why.find(part) != std::string::npos;
}

TEST(SpotSideTest, ALatencyCriticalServiceIsNeverOnSpot) {
  MixWorkload chat = Load("chat", WorkloadKind::kInference, 3);
  chat.interruptible = true;
  chat.on_demand_floor = 2;
  EXPECT_TRUE(Says(Side(chat, {Flavor("10", "0.01")}), "latency-critical"));
}

TEST(SpotSideTest, AnInteractiveServiceNeedsAFloor) {
  MixWorkload chat = Load("chat", WorkloadKind::kInference, 3);
  chat.latency = LatencyClass::kInteractive;
  EXPECT_TRUE(Says(Side(chat, {Flavor("10", "3")}), "not interruptible"));
  chat.interruptible = true;
  EXPECT_TRUE(Says(Side(chat, {Flavor("10", "3")}), "on_demand_floor"));
  chat.on_demand_floor = 1;
  EXPECT_NE(Side(chat, {Flavor("10", "3")}).flavor, nullptr);
}

TEST(SpotSideTest, AnUnknownPriceOrEvictionLawIsNoPrice) {
  const MixWorkload queue = Load("queue", WorkloadKind::kBatch, 1);
  EXPECT_TRUE(Says(Side(queue, {Flavor("10", "")}), "unknown is not 0"));
  MixFlavor flavor = Flavor("10", "3");
  flavor.lifetime.reset();
  EXPECT_TRUE(Says(Side(queue, {flavor}), "no eviction law"));
}

// RunPod's A40: spot 0.49, on demand 0.44.
TEST(SpotSideTest, SpotDearerThanOnDemandIsOnDemand) {
  const MixWorkload queue = Load("queue", WorkloadKind::kBatch, 1);
  EXPECT_TRUE(Says(Side(queue, {Flavor("0.44", "0.49")}), "dearer than on demand at 0.44"));
  EXPECT_TRUE(Says(Side(queue, {Flavor("0.44", "0.44")}), "nothing is gained"));
}

TEST(SpotSideTest, ALargerFlavorIsCappedByTheNeed) {
  MixWorkload queue = Load("queue", WorkloadKind::kBatch, 1);
  MixFlavor large = Flavor("1.2", "0.6"), middle = Flavor("0.75", "0.3");
  large.name = "4xlarge";
  middle.name = "2xlarge";
  queue.spot_flavors = {"4xlarge", "2xlarge", "8xlarge"};
  const std::vector<MixFlavor> flavors{Flavor("0.526", ""), large, middle};
  const SpotSide side = Side(queue, flavors);
  ASSERT_NE(side.flavor, nullptr);
  EXPECT_EQ(side.flavor->name, "2xlarge");
  ASSERT_EQ(side.rejected.size(), 2u);
  EXPECT_NE(side.rejected[0].why.find("above the cap"), std::string::npos);
  EXPECT_NE(side.rejected[1].why.find("no prices"), std::string::npos);
}

TEST(SpotSideTest, ALongRunWithoutCheckpointsIsNotForSpot) {
  MixWorkload run = TrainRun("train", Hours(3), std::nullopt);
  run.save = Duration();
  EXPECT_TRUE(Says(Side(run, {Flavor("10", "3", Hours(11))}), "without checkpoints"));
  EXPECT_NE(Side(run, {Flavor("10", "3", Hours(12))}).flavor, nullptr);
  run.run->nodes = 2;  // lives half as long
  EXPECT_TRUE(Says(Side(run, {Flavor("10", "3", Hours(12))}), "without checkpoints"));
}

TEST(SpotSideTest, ADeadlineMustBeMetAsLikelyAsAsked) {
  const SpotSide late = Side(TrainRun("train", Hours(10), Hours(9)), {Flavor("10", "3", Hours(4))});
  EXPECT_TRUE(Says(late, "meets its deadline in 0 % of runs, 95 % are asked"));
  const SpotSide loose =
      Side(TrainRun("train", Hours(10), Hours(16)), {Flavor("10", "3", Hours(20))});
  ASSERT_NE(loose.flavor, nullptr);
  EXPECT_GE(loose.plan->of(loose.policy).on_time->ppb, 950'000'000);
}

// With so little slack the fallback begins at once: all of it is on demand.
TEST(SpotSideTest, AFallbackThatNeverIsOnSpotIsOnDemand) {
  EXPECT_TRUE(Says(
      Side(TrainRun("paper", Hours(48), Hours(48) + Minutes(20)), {Flavor("10", "3", Hours(168))}),
      "on demand"));
}

TEST(SpotSideTest, PenaltyIsOnceAndByTheHour) {
  MixWorkload run = TrainRun("train", Hours(10), Hours(8));
  run.penalty = Of("100");
  run.penalty_per_hour = Of("7");
  EXPECT_EQ(PenaltyOf(run, Hours(10)), Of("114"));
  EXPECT_EQ(PenaltyOf(run, Hours(8)), Money());
}

TEST(SpotSideTest, FiguresInSentences) {
  EXPECT_EQ(PercentOf(950'000'000), "95 %");
  EXPECT_EQ(PercentOf(424'779'000), "42.48 %");
  EXPECT_EQ(AmountOf(Of("1.56")), "1.56");
  EXPECT_EQ(AmountOf(Of("0.3492")), "0.3492");
  EXPECT_EQ(AmountOf(Of("16516.08")), "16,516");
  EXPECT_EQ(AmountOf(Of("-3")), "-3.00");
  EXPECT_EQ(HoursOf(Minutes(90)), "1.5 h");
  EXPECT_EQ(HoursOf(Hours(504)), "504 h");
}

}  // namespace
}  // namespace plimsoll
