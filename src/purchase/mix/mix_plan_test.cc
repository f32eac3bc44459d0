#include "purchase/mix/mix_plan.h"

#include <gtest/gtest.h>

#include <numeric>

#include "purchase/mix/mix_reason.h"
#include "purchase/mix/test_mix.h"

namespace plimsoll {
namespace {

MixQuestion Ask(std::vector<MixWorkload> workloads, MixFlavor flavor) {
  MixQuestion question;
  question.workloads = std::move(workloads);
  question.flavors = {std::move(flavor)};
  question.options.spot = Rules();
  return question;
}

CommitmentOffer Offer(const char* name, std::int64_t months, const char* rate) {
  CommitmentOffer offer;
  offer.name = name;
  offer.term_months = months;
  offer.prices = {{"*", Of(rate)}};
  return offer;
}

ExistingCommitment InForce(std::int64_t units, const char* price) {
  return {"old", "node", units, Of(price), AtSeconds(4'000'000'000)};
}

MixPlan Plan(const MixQuestion& question) {
  const auto plan = PlanMix(question);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

// Every figure of the totals adds up to the nano.
void ExpectAddsUp(const MixPlan& plan) {
  const MixTotals& t = plan.totals;
  EXPECT_EQ(t.cost, t.cost_existing + t.cost_purchases + t.cost_on_demand + t.cost_spot);
  EXPECT_EQ(t.net_saving, t.as_is - t.cost);
  EXPECT_EQ(t.net_saving, t.gross_saving - t.unused_purchases -
                              std::accumulate(t.lines.begin(), t.lines.end(), Money()));
  Money parts;
  for (const MixDecision& decision : plan.decisions) parts += decision.cost;
  for (const MixPurchase& buy : plan.purchases) parts += buy.unused;
  for (const MixExisting& one : plan.existing) parts += one.unused;
  EXPECT_EQ(parts, t.cost);
}

TEST(MixPlanTest, SpotForTrainingReservedForInference) {
  MixWorkload chat = Load("chat", WorkloadKind::kInference, 0);
  chat.demand.clear();
  for (std::int64_t h = 0; h < 24; ++h) chat.demand.push_back((h < 8 ? 10 : 30) * kUnitHour);
  MixQuestion question =
      Ask({chat, TrainRun("llm", Hours(100), Hours(200))}, Flavor("3.67", "1.3", Hours(48)));
  question.offers = {Offer("3y", 36, "1.58"), Offer("1y", 12, "2.3")};
  const MixPlan plan = Plan(question);
  ASSERT_EQ(plan.decisions.size(), 2u);
  EXPECT_EQ(WaysOf(plan.decisions[0]), "reserved");  // used 2/3 of the time > 1.58 / 3.67
  EXPECT_EQ(plan.decisions[1].spot_flavor, "node");
  EXPECT_GE(*plan.decisions[1].on_time_spot_ppb, 950'000'000);
  ASSERT_EQ(plan.purchases.size(), 1u);
  EXPECT_EQ(plan.purchases[0].offer, "3y");
  EXPECT_EQ(plan.purchases[0].units, 30);
  EXPECT_GT(plan.totals.net_saving, Money());
  EXPECT_TRUE(plan.proven);
  EXPECT_EQ(plan.cost_least, plan.totals.cost);
  ExpectAddsUp(plan);
}

// Brief: 10 instances at 3.67 on demand, 1.58 reserved, save 20.90 an hour: 15,257 a month.
TEST(MixPlanTest, BaselineOfTenSavesWhatTheBriefSays) {
  MixQuestion question = Ask({Load("chat", WorkloadKind::kInference, 10)}, Flavor("3.67", ""));
  question.offers = {Offer("3y", 36, "1.58")};
  const MixPlan plan = Plan(question);
  EXPECT_EQ(plan.totals.net_saving, Of("15257"));  // (3.67 - 1.58) x 10 x 730
  EXPECT_EQ(plan.purchases[0].saving, Of("15257"));
  ExpectAddsUp(plan);
}

TEST(MixPlanTest, WhatCannotBeSpotTakesCommitmentsFirst) {
  MixQuestion question =
      Ask({Load("queue", WorkloadKind::kBatch, 3), Load("chat", WorkloadKind::kInference, 3)},
          Flavor("3", "1.2"));
  question.existing = {InForce(5, "2")};
  const MixPlan plan = Plan(question);
  EXPECT_EQ(plan.decisions[1].use.reserved, int128{3} * 730 * kUnitHour);
  EXPECT_EQ(plan.decisions[0].use.reserved, int128{2} * 730 * kUnitHour);
  EXPECT_EQ(plan.decisions[0].use.spot, int128{730} * kUnitHour);
  EXPECT_EQ(WaysOf(plan.decisions[0]), "reserved + spot");
  EXPECT_EQ(plan.totals.cost, Of("8176"));   // (5 x 2 + 1.2) x 730
  EXPECT_EQ(plan.totals.as_is, Of("9490"));  // (5 x 2 + 1 x 3) x 730
  ExpectAddsUp(plan);
}

TEST(MixPlanTest, ACommitmentThatNothingUsesIsBilled) {
  MixQuestion question = Ask({Load("chat", WorkloadKind::kInference, 1)}, Flavor("3", ""));
  question.existing = {InForce(3, "2")};
  const MixPlan plan = Plan(question);
  ASSERT_EQ(plan.existing.size(), 1u);
  EXPECT_EQ(plan.existing[0].unused, Of("2920"));
  EXPECT_EQ(plan.totals.net_saving, Money());
  ExpectAddsUp(plan);
}

TEST(MixPlanTest, AnExpiredCommitmentIsNotInForce) {
  MixQuestion question = Ask({Load("chat", WorkloadKind::kInference, 1)}, Flavor("3", ""));
  question.existing = {InForce(3, "2")};
  question.options.start = AtSeconds(4'000'000'000);
  EXPECT_TRUE(Plan(question).existing.empty());
}

TEST(MixPlanTest, AWorkloadWithoutAPriceIsInNoTotal) {
  MixWorkload other = Load("other", WorkloadKind::kBatch, 5);
  other.flavor = "NC40ads_H100_v5";
  const MixPlan plan =
      Plan(Ask({Load("chat", WorkloadKind::kInference, 1), other}, Flavor("3", "")));
  EXPECT_EQ(plan.unpriced, std::vector<std::string>{"other"});
  EXPECT_EQ(plan.decisions.size(), 1u);
  EXPECT_EQ(plan.totals.cost, Of("2190"));
}

TEST(MixPlanTest, AFloorStaysOffSpot) {
  MixWorkload chat = Load("chat", WorkloadKind::kInference, 4);
  chat.latency = LatencyClass::kInteractive;
  chat.interruptible = true;
  chat.on_demand_floor = 1;
  MixFlavor flavor = Flavor("4", "1", Hours(3));
  flavor.wait = Hours(1);
  const MixPlan plan = Plan(Ask({chat}, flavor));
  const MixDecision& decision = plan.decisions[0];
  EXPECT_EQ(decision.use.on_demand, int128{730} * kUnitHour);
  EXPECT_EQ(decision.use.spot, int128{3} * 730 * kUnitHour);
  EXPECT_EQ(decision.waits, false);  // a service does not wait
  // A quarter of the time there is no spot: (1 + 3/4) x 3 + 4 an hour.
  EXPECT_EQ(decision.cost, Of("6752.5"));
  ExpectAddsUp(plan);
}

TEST(MixPlanTest, ASavingsPlanIsBoughtInItsOwnMoney) {
  MixQuestion question = Ask({Load("chat", WorkloadKind::kInference, 4)}, Flavor("10", ""));
  question.offers = {Offer("plan", 12, "5.5")};
  question.offers[0].kind = CommitmentKind::kSavingsPlan;
  const MixPlan plan = Plan(question);
  ASSERT_EQ(plan.purchases.size(), 1u);
  EXPECT_EQ(plan.purchases[0].hourly, Of("5.5"));
  EXPECT_EQ(plan.totals.cost, Of("16060"));
}

TEST(MixPlanTest, ADeadlineMissedOnDemandTooCostsItsPenalty) {
  MixWorkload run = TrainRun("late", Hours(10), Hours(8));
  run.penalty = Of("672");
  const MixPlan plan = Plan(Ask({run}, Flavor("10", "3", Hours(10))));
  EXPECT_EQ(plan.decisions[0].on_time_on_demand_ppb, 0);
  EXPECT_EQ(plan.decisions[0].penalty_on_demand, Of("730"));
  ExpectAddsUp(plan);
}

TEST(MixPlanTest, RejectionsNameEveryWayNotTaken) {
  MixQuestion question = Ask({Load("chat", WorkloadKind::kInference, 2)}, Flavor("3", "1"));
  question.offers = {Offer("1y", 12, "2")};
  const MixPlan plan = Plan(question);
  ASSERT_EQ(plan.rejected.size(), 2u);
  EXPECT_EQ(plan.rejected[0].option, "spot");
  EXPECT_EQ(plan.rejected[1].option, "on demand");
  EXPECT_EQ(plan.rejected[1].cost, Of("4380"));
}

TEST(MixPlanTest, CyclesThatNeverMeetAreRefused) {
  MixWorkload day = Load("a", WorkloadKind::kBatch, 1), run = TrainRun("b", Hours(5), std::nullopt);
  day.demand.assign(168, kUnitHour);
  run.run->every = Hours(8'761);
  const auto plan = PlanMix(Ask({day, run}, Flavor("3", "1")));
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("672h"), std::string::npos);
  EXPECT_FALSE(PlanMix({}));
}

}  // namespace
}  // namespace plimsoll
