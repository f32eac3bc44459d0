#include "purchase/spot/spot_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

Money M(const char* text) { return *Money::Parse(text); }

// A hundred hours on one node of eight GPUs, evicted every four hours.
SpotQuestion Question(double mtbf_hours = 4) {
  SpotQuestion question(*Lifetime::Exponential(mtbf_hours * kHour));
  question.run.work = Hours(100);
  question.run.save = Minutes(5);
  question.run.restart = Minutes(10);
  question.run.wait = Minutes(30);
  question.prices.on_demand = M("32.77");
  question.prices.spot = M("11.47");
  question.sampling.replications = 2'000;
  return question;
}

double InHours(Duration time) { return static_cast<double>(time.base()) / kHour; }

TEST(SpotPlanTest, AHundredHoursHaveThePublishedFigures) {
  const SpotPlan best = *PlanSpot(Question());
  EXPECT_NEAR(InHours(best.interval_optimal), 0.761912, 1e-6);
  EXPECT_NEAR(InHours(best.interval_young), 0.816497, 1e-6);
  EXPECT_NEAR(InHours(*best.expected_even), 144.883684, 1e-6);
  EXPECT_EQ(best.interval, best.interval_optimal);
  SpotQuestion hourly = Question();
  hourly.run.interval = Hours(1);
  const SpotPlan plan = *PlanSpot(hourly);
  EXPECT_NEAR(InHours(*plan.expected_even), 145.930966, 1e-6);
  EXPECT_EQ(plan.expected_even, plan.expected_exact);
  const SpotOutcome& spot = plan.of(SpotPolicy::kSpotOnly);
  EXPECT_LT(spot.mean_time_low, *plan.expected_exact);
  EXPECT_GT(spot.mean_time_high, *plan.expected_exact);
  EXPECT_EQ(plan.advised, SpotPolicy::kSpotOnly);
}

TEST(SpotPlanTest, GrossLessDeductionsIsNetToTheNano) {
  SpotQuestion question = Question();
  question.run.nodes = 4;
  question.run.lifetime = *Lifetime::Exponential(16 * kHour);
  question.run.deadline = Hours(140);
  question.run.hardware_mtbf = Hours(500);
  question.prices.storage_mb = 965'700;
  question.prices.storage = M("0.023");
  question.prices.traffic_mb = 965'700;
  question.prices.traffic = M("0.01");
  question.prices.people = M("250");
  question.prices.penalty = M("1000");
  const SpotPlan plan = *PlanSpot(question);
  ASSERT_EQ(plan.savings.size(), 3U);
  for (std::size_t i = 0; i < plan.savings.size(); ++i) {
    const SpotSaving& saving = plan.savings[i];
    Money sum;
    for (const Money deduction : saving.deductions) sum += deduction;
    EXPECT_EQ(saving.gross - sum, saving.net);
    EXPECT_EQ(saving.on_demand - saving.net, plan.outcomes[i].mean_cost.total());
  }
  for (const SpotLine line : {SpotLine::kRecomputation, SpotLine::kRestarts, SpotLine::kWaiting,
                              SpotLine::kCheckpoints, SpotLine::kStorage, SpotLine::kTraffic,
                              SpotLine::kOperations, SpotLine::kDeadlinePenalty}) {
    EXPECT_GT(plan.savings[1].deductions[static_cast<std::size_t>(line)], Money());
  }
  EXPECT_EQ(plan.savings[0].net, Money());
}

TEST(SpotPlanTest, OnDemandIsHeldToItsOwnFailures) {
  SpotQuestion question = Question();
  const SpotPlan perfect = *PlanSpot(question);
  question.run.hardware_mtbf = Hours(50);
  const SpotPlan failing = *PlanSpot(question);
  EXPECT_EQ(perfect.of(SpotPolicy::kOnDemand).mean_cost.total(), M("3277"));
  EXPECT_GT(failing.of(SpotPolicy::kOnDemand).mean_cost.total(), M("3400"));
  EXPECT_GT(failing.savings[1].net, perfect.savings[1].net);
  EXPECT_LT(*failing.break_even_mtbf, *perfect.break_even_mtbf);
}

// A spot market that evicts within minutes, again and again, costs more than on demand.
TEST(SpotPlanTest, BelowTheBreakEvenMtbfOnDemandIsAdvised) {
  const SpotPlan plan = *PlanSpot(Question());
  const double break_even = InHours(*plan.break_even_mtbf);
  EXPECT_GT(break_even, 0.1);
  EXPECT_EQ(PlanSpot(Question(break_even * 1.1))->advised, SpotPolicy::kSpotOnly);
  const SpotPlan below = *PlanSpot(Question(break_even * 0.9));
  EXPECT_EQ(below.advised, SpotPolicy::kOnDemand);
  EXPECT_LT(below.savings[1].net, Money());
  // Its discount would have to be greater than it is.
  EXPECT_GT(*below.break_even_discount_ppb, below.discount_ppb);
}

TEST(SpotPlanTest, AMarketInWhichNothingEndsIsToldWithoutWaiting) {
  SpotQuestion question = Question(0.02);
  question.sampling.replications = 1'000'000;
  const SpotPlan plan = *PlanSpot(question);
  EXPECT_EQ(plan.advised, SpotPolicy::kOnDemand);
  EXPECT_TRUE(plan.never_ends);
  EXPECT_EQ(plan.of(SpotPolicy::kSpotOnly).unfinished, plan.of(SpotPolicy::kSpotOnly).runs);
  EXPECT_LT(plan.of(SpotPolicy::kSpotOnly).runs, 1'000'000);
}

TEST(SpotPlanTest, SpotThatIsDearerIsNeverAdvised) {
  SpotQuestion question = Question(1'000);
  question.prices.on_demand = M("0.44");
  question.prices.spot = M("0.49");
  const SpotPlan plan = *PlanSpot(question);
  EXPECT_EQ(plan.advised, SpotPolicy::kOnDemand);
  EXPECT_LT(plan.discount_ppb, 0);
  EXPECT_FALSE(plan.break_even_mtbf);
}

TEST(SpotPlanTest, AGangPaysForTheNodesThatWait) {
  SpotQuestion one = Question(), gang = Question(16);
  gang.run.nodes = 4;  // together evicted as often
  const SpotPlan of_one = *PlanSpot(one), of_gang = *PlanSpot(gang);
  EXPECT_EQ(of_one.job_mtbf, of_gang.job_mtbf);
  EXPECT_EQ(of_one.expected_even, of_gang.expected_even);
  const auto waiting = static_cast<std::size_t>(SpotLine::kWaiting);
  EXPECT_EQ(of_one.savings[1].deductions[waiting], Money());
  EXPECT_GT(of_gang.savings[1].deductions[waiting], Money());
  EXPECT_GT(*of_gang.break_even_mtbf, *of_one.break_even_mtbf + *of_one.break_even_mtbf);
}

TEST(SpotPlanTest, TheDeadlineBreaksBeforeThePriceDoes) {
  SpotQuestion question = Question();
  question.run.deadline = Hours(130);
  const SpotPlan plan = *PlanSpot(question);
  EXPECT_GT(plan.savings[1].net, Money());
  EXPECT_LT(plan.of(SpotPolicy::kSpotOnly).on_time->ppb, 50'000'000);
  EXPECT_EQ(plan.of(SpotPolicy::kFallback).on_time->ppb, 1'000'000'000);
  EXPECT_EQ(plan.advised, SpotPolicy::kFallback);
  EXPECT_TRUE(plan.advised_meets_deadline);
  // Fallback is dearer than spot and cheaper than buying all on demand at the first shortage.
  EXPECT_LT(plan.savings[2].net, plan.savings[1].net);
  EXPECT_GT(plan.savings[2].net, Money());
  question.run.deadline = Hours(90);  // nothing can
  const SpotPlan late = *PlanSpot(question);
  EXPECT_FALSE(late.advised_meets_deadline);
}

// Going on demand at once for want of spot costs a good part more: wait as long as it pays.
TEST(SpotPlanTest, WaitingForSpotPaysUntilTheDelayEatsTheSaving) {
  SpotQuestion question = Question();
  EXPECT_FALSE(PlanSpot(question)->worth_waiting);
  question.prices.delay_per_hour = M("20");
  const SpotPlan plan = *PlanSpot(question);
  const Duration later = plan.of(SpotPolicy::kSpotOnly).mean_time - Hours(100);
  const double net = static_cast<double>(plan.savings[1].net.nanos()) / 1e9;
  EXPECT_NEAR(InHours(*plan.worth_waiting), net / 20 - InHours(later), 1e-5);
  EXPECT_GT(*plan.worth_waiting, Hours(10));
  question.prices.delay_per_hour = M("1000");
  EXPECT_EQ(PlanSpot(question)->worth_waiting, Duration());
}

TEST(SpotPlanTest, LargeGangsThatAgeAreSampledLess) {
  SpotQuestion question = Question();
  question.run.lifetime = *Lifetime::WeibullOfMean(0.7, 400'000 * kHour);
  question.run.nodes = 50'000;
  question.sampling.replications = 1'000'000;
  EXPECT_LT(PlanSpot(question)->of(SpotPolicy::kSpotOnly).runs, 5'000);
}

TEST(SpotPlanTest, AnIntervalInStepsIsStillATime) {
  SpotQuestion question = Question();
  question.step = Minutes(7);
  const SpotPlan plan = *PlanSpot(question);
  EXPECT_EQ(plan.interval_steps, 7);  // 45.7 minutes: at the first end of a step after it is due
  EXPECT_EQ(plan.interval, Minutes(49));
}

TEST(SpotPlanTest, IntervalsByAgeBeatOneIntervalWhereTheYoungAreTaken) {
  SpotQuestion question(*Lifetime::Weibull(0.49, 1.0 * kHour));
  question.run.work = Hours(100);
  question.run.save = Minutes(2);
  question.run.restart = Minutes(3);
  question.prices = Question().prices;
  question.sampling.replications = 4'000;
  const SpotPlan best = *PlanSpot(question);
  question.run.interval = best.interval_young;
  const SpotPlan young = *PlanSpot(question);
  question.run.interval = Duration();
  question.by_age = true;
  const SpotPlan by_age = *PlanSpot(question);
  EXPECT_LT(by_age.of(SpotPolicy::kSpotOnly).mean_time_high,
            best.of(SpotPolicy::kSpotOnly).mean_time_low);
  EXPECT_LT(by_age.of(SpotPolicy::kSpotOnly).mean_time_high,
            young.of(SpotPolicy::kSpotOnly).mean_time_low);
  EXPECT_FALSE(by_age.expected_exact);
  EXPECT_TRUE(best.expected_exact);
}

// The steps of a measured survival must not be taken for times at which instances end.
TEST(SpotPlanTest, IntervalsByAgeOfMeasuredLivesFollowTheirRateNotTheirSteps) {
  const Lifetime law = *Lifetime::Weibull(0.5, 2 * kHour);
  RandomStream random(1, "lives", 0);
  std::vector<ObservedLife> lives;
  for (int i = 0; i < 60; ++i) {
    lives.push_back({Millis(std::llround(law.Draw(random) + 1)), true});
  }
  SpotQuestion question(Lifetime::Measured(*MeasuredLife::Of(lives)));
  question.run.work = Hours(100);
  question.run.save = Minutes(2);
  question.run.restart = Minutes(3);
  question.prices = Question().prices;
  question.run.interval = PlanSpot(question)->interval_young;
  const SpotPlan young = *PlanSpot(question);
  question.by_age = true;
  EXPECT_LT(PlanSpot(question)->of(SpotPolicy::kSpotOnly).mean_time,
            young.of(SpotPolicy::kSpotOnly).mean_time);
}

TEST(SpotPlanTest, NoClosedFormIsClaimedWhereNoneHolds) {
  SpotQuestion saves = Question();
  saves.run.notice = Minutes(6);
  saves.run.save_per_billion = 500'000'000;
  EXPECT_FALSE(PlanSpot(saves)->expected_even);
  SpotQuestion gang = Question();
  gang.run.lifetime = *Lifetime::Weibull(0.6, 4 * kHour);
  gang.run.nodes = 2;
  EXPECT_FALSE(PlanSpot(gang)->expected_even);
}

TEST(SpotPlanTest, WrongQuestionsSayWhatIsWrong) {
  const auto message = [](const std::function<void(SpotQuestion&)>& spoil) {
    SpotQuestion question = Question();
    spoil(question);
    const auto plan = PlanSpot(question);
    return plan ? std::string() : plan.error().message;
  };
  const std::pair<std::string, const char*> cases[] = {
      {message([](auto& q) { q.run.work = Duration(); }), "work"},
      {message([](auto& q) { q.run.save = Duration(); }), "checkpoint"},
      {message([](auto& q) { q.run.nodes = 0; }), "nodes"},
      {message([](auto& q) { q.run.interval = Millis(1); }), "interval"},
      {message([](auto& q) { q.prices.spot = Money(); }), "price of a node on spot"},
      {message([](auto& q) { q.sampling.replications = 0; }), "replications"},
      {message([](auto& q) { q.run.work = Hours(1'000'000); }), "more than 90,000 times"},
      {message([](auto& q) {
         q.run.hardware_mtbf = Seconds(1);
         q.run.restart = Hours(1);
       }),
       "hardware MTBF"},
      {message([](auto& q) {
         q.run.save_per_billion = 1;
         q.run.notice = Minutes(2);
       }),
       "does not fit"},
      {message([](auto& q) {
         q.run.lifetime = *Lifetime::Weibull(0.5, 1);
         q.run.nodes = 2;
         q.by_age = true;
       }),
       "by age"}};
  for (const auto& [text, what] : cases) EXPECT_NE(text.find(what), std::string::npos) << text;
}

}  // namespace
}  // namespace plimsoll
