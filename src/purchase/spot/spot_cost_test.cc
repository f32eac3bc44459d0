#include "purchase/spot/spot_cost.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money M(const char* text) { return *Money::Parse(text); }

SpotRunModel Model() {
  SpotRunModel model(*Lifetime::Exponential(1));
  model.work = Hours(10);
  model.nodes = 4;
  model.deadline = Hours(14);
  return model;
}

SpotPrices Prices() {
  SpotPrices prices;
  prices.on_demand = M("30");
  prices.spot = M("10");
  prices.storage_mb = 730'000;
  prices.storage = M("0.1");
  prices.traffic_mb = 1'500;
  prices.traffic = M("0.02");
  prices.people = M("100");
  prices.people_per_eviction = M("7");
  prices.penalty = M("500");
  prices.penalty_per_hour = M("40");
  return prices;
}

// Eight hours of work on spot, two on demand.
SpotRunTimes Times() {
  SpotRunTimes times;
  times.spent[0] = {Hours(8), Hours(2), Minutes(30), Minutes(15), Hours(3)};
  times.spent[1] = {Hours(2), Duration(), Minutes(6), Minutes(24), Duration()};
  times.finish = Hours(16) + Minutes(15);
  times.evictions = 3;
  times.restarts = 4;
  return times;
}

TEST(SpotCostTest, EachLineIsCountedByHand) {
  const SpotCost cost = CostOfRun(Model(), Prices(), SpotPolicy::kFallback, Times());
  EXPECT_EQ(cost.work, M("400"));
  const auto line = [&](SpotLine what) { return cost.lines[static_cast<std::size_t>(what)]; };
  EXPECT_EQ(line(SpotLine::kRecomputation), M("80"));
  EXPECT_EQ(line(SpotLine::kCheckpoints), M("32"));  // 20 on spot, 12 on demand
  EXPECT_EQ(line(SpotLine::kRestarts), M("58"));     // 10 and 48
  EXPECT_EQ(line(SpotLine::kWaiting), M("90"));      // three nodes of four stay
  EXPECT_EQ(line(SpotLine::kOnDemand), M("160"));    // 8 node-hours at 20 more
  EXPECT_EQ(line(SpotLine::kStorage), M("1.625"));   // 730 GB x 0.1 / 730 h x 16.25 h
  EXPECT_EQ(line(SpotLine::kTraffic), M("0.12"));
  EXPECT_EQ(line(SpotLine::kOperations), M("121"));
  EXPECT_EQ(line(SpotLine::kDeadlinePenalty), M("590"));  // 2.25 h late
  EXPECT_EQ(cost.total(), M("1532.745"));
}

TEST(SpotCostTest, OneNodeIsNotPaidForWhileItIsWaitedFor) {
  SpotRunModel model = Model();
  model.nodes = 1;
  const SpotCost cost = CostOfRun(model, Prices(), SpotPolicy::kSpotOnly, Times());
  EXPECT_EQ(cost.lines[static_cast<std::size_t>(SpotLine::kWaiting)], Money());
}

TEST(SpotCostTest, OnDemandIsItsPriceToTheNano) {
  SpotPrices prices = Prices();
  prices.on_demand = M("32.770000001");
  prices.spot = M("11.470000001");
  SpotRunTimes times;
  times.spent[1][0] = times.finish = Millis(1'234'567);
  SpotRunModel model = Model();
  model.nodes = 1;
  const SpotCost cost = CostOfRun(model, prices, SpotPolicy::kOnDemand, times);
  // 32.770000001 x 1,234,567 / 3,600,000 = 11.2379889...
  EXPECT_EQ(cost.total().nanos(), DivideHalfEven(prices.on_demand.nanos() * 1'234'567, 3'600'000));
  EXPECT_EQ(cost.lines[static_cast<std::size_t>(SpotLine::kOperations)], Money());
}

TEST(SpotCostTest, APriceThatNobodyToldIsNotZero) {
  for (const Money price : {Money(), M("-1"), M("2000000000")}) {
    SpotPrices prices = Prices();
    prices.spot = price;
    const Status status = CheckPrices(prices);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("on spot"), std::string::npos);
  }
  SpotPrices prices = Prices();
  prices.people = M("-1");
  EXPECT_FALSE(CheckPrices(prices));
  prices = Prices();
  prices.storage_mb = -1;
  EXPECT_FALSE(CheckPrices(prices));
  prices = Prices();
  prices.storage = M("1000000000");  // of 730 GB: more than a run's sums could hold
  EXPECT_FALSE(CheckPrices(prices));
  EXPECT_TRUE(CheckPrices(Prices()));
}

}  // namespace
}  // namespace plimsoll
