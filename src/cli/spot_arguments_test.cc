#include "cli/spot_arguments.h"

#include <gtest/gtest.h>

#include <functional>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

SpotArguments Arguments() {
  SpotArguments args;
  args.work = "100h";
  args.checkpoint_write = "5m";
  args.mtbf = "4h";
  args.on_demand = "32.77";
  args.spot = "11.47";
  return args;
}

TEST(SpotArgumentsTest, AllOptionsReachTheQuestion) {
  SpotArguments args = Arguments();
  args.restart = "10m";
  args.wait = "0.5h";
  args.interval = "1h";
  args.step = "7s";
  args.notice = "6m";
  args.save_probability = "3/6";
  args.nodes = "16";
  args.hardware_mtbf = "2000h";
  args.storage_gb = "965.7";
  args.storage_price = "0.023";
  args.traffic_price = "0.01";
  args.people = "250";
  args.people_per_eviction = "5";
  args.deadline = "130h";
  args.penalty = "1000";
  args.penalty_per_hour = "20";
  args.on_time = "99%";
  args.delay_cost = "12";
  args.no_final_checkpoint = true;
  args.seed = 7;
  args.replications = 500;
  const auto question = SpotQuestionOf(args);
  ASSERT_TRUE(question) << question.error().message;
  const SpotRunModel& run = question->run;
  EXPECT_EQ(run.work, Hours(100));
  EXPECT_EQ(run.save, Minutes(5));
  EXPECT_EQ(run.restart, Minutes(10));
  EXPECT_EQ(run.wait, Minutes(30));
  EXPECT_EQ(run.interval, Hours(1));
  EXPECT_EQ(run.notice, Minutes(6));
  EXPECT_EQ(run.save_per_billion, 500'000'000U);
  EXPECT_EQ(run.nodes, 16);
  EXPECT_EQ(run.hardware_mtbf, Hours(2'000));
  EXPECT_EQ(run.deadline, Hours(130));
  EXPECT_FALSE(run.last_is_saved);
  EXPECT_EQ(question->step, Seconds(7));
  EXPECT_EQ(question->on_time_ppb, 990'000'000);
  EXPECT_EQ(question->sampling.seed, 7U);
  EXPECT_EQ(question->sampling.replications, 500);
  const SpotPrices& prices = question->prices;
  EXPECT_EQ(prices.on_demand, *Money::Parse("32.77"));
  EXPECT_EQ(prices.spot, *Money::Parse("11.47"));
  EXPECT_EQ(prices.storage_mb, 965'700);
  EXPECT_EQ(prices.traffic_mb, 965'700);
  EXPECT_EQ(prices.storage, *Money::Parse("0.023"));
  EXPECT_EQ(prices.traffic, *Money::Parse("0.01"));
  EXPECT_EQ(prices.people, *Money::Parse("250"));
  EXPECT_EQ(prices.people_per_eviction, *Money::Parse("5"));
  EXPECT_EQ(prices.penalty, *Money::Parse("1000"));
  EXPECT_EQ(prices.penalty_per_hour, *Money::Parse("20"));
  EXPECT_EQ(prices.delay_per_hour, *Money::Parse("12"));
  EXPECT_EQ(run.lifetime.ToString(), "exponential, mean 4 h");
}

TEST(SpotArgumentsTest, WhatIsWrongIsNamedWithItsOption) {
  const std::pair<std::function<void(SpotArguments&)>, const char*> cases[] = {
      {[](auto& a) { a.work = ""; }, "--work: is needed"},
      {[](auto& a) { a.work = "100"; }, "--work: '100' is not a length of time"},
      {[](auto& a) { a.checkpoint_write = ""; }, "--checkpoint-write: is needed"},
      {[](auto& a) { a.mtbf = ""; }, "--mtbf: say how long"},
      {[](auto& a) { a.mtbf = "0"; }, "--mtbf: the mean"},
      {[](auto& a) { a.model = "weibull:k=2,scale=1h"; }, "--model: the scale"},
      {[](auto& a) { a.model = "lifetimes:x.csv"; }, "--mtbf: the lifetimes give"},
      {[](auto& a) { a.interval = "0"; }, "--interval: must be longer"},
      {[](auto& a) { a.interval = "every50"; }, "--interval: 'every50'"},
      // An empty price of a catalog is unknown, not free.
      {[](auto& a) { a.spot = ""; }, "--spot: is needed"},
      {[](auto& a) { a.spot = "nan"; }, "--spot: 'nan' is not an amount"},
      {[](auto& a) { a.on_demand = "-1"; }, "--on-demand: '-1' is not"},
      // A provider without a notice: nothing can be saved on it.
      {[](auto& a) { a.save_probability = "0.5"; }, "--save-probability: needs --notice"},
      {[](auto& a) { a.save_probability = "1.5"; }, "write 0.5, 50% or 3/6"},
      {[](auto& a) { a.penalty = "5"; }, "--penalty: needs a --deadline"},
      {[](auto& a) { a.on_time = "0.9"; }, "--on-time: needs a --deadline"},
      {[](auto& a) { a.deadline = "0"; }, "--deadline: must be"},
      {[](auto& a) { a.hardware_mtbf = "0"; }, "--hardware-mtbf: must be"},
      {[](auto& a) { a.storage_price = "1"; }, "--storage-price: needs --storage-gb"},
      {[](auto& a) { a.traffic_price = "1"; }, "--traffic-price: needs --traffic-gb"},
      {[](auto& a) { a.storage_gb = "many"; }, "--storage-gb: 'many'"},
      {[](auto& a) { a.nodes = "1.5"; }, "--nodes: '1.5' must be a whole"}};
  for (const auto& [spoil, what] : cases) {
    SpotArguments args = Arguments();
    spoil(args);
    const auto question = SpotQuestionOf(args);
    ASSERT_FALSE(question) << what;
    EXPECT_NE(question.error().message.find(what), std::string::npos) << question.error().message;
  }
}

TEST(SpotArgumentsTest, AFileOfLifetimesIsOneLawOfAllItsPools) {
  const TestIo io("spot-arguments");
  io.Write("l.csv",
           "zone,start,end,preempted\na,2026-11-01T00:00:00Z,2026-11-01T02:00:00Z,1\n"
           "b,2026-11-01T00:00:00Z,2026-11-01T04:00:00Z,1\n"
           "b,2026-11-01T00:00:00Z,2026-11-01T00:00:00Z,1\n"  // never created
           "b,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,0\n");
  SpotArguments args = Arguments();
  args.mtbf = "";
  args.model = "lifetimes:l.csv";
  const auto law = LifetimeOf(args);
  ASSERT_TRUE(law) << law.error().message;
  EXPECT_NEAR(law->Survival(2 * 3.6e6), 2.0 / 3, 1e-12);
  io.Write("one.csv", "lifetime\n1h\n");
  args.model = "lifetimes:one.csv";
  EXPECT_NE(LifetimeOf(args).error().message.find("one.csv: 1 evictions among 1"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
