#include "economics/reliability.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// Parts per billion of a ratio that is published with three places.
void ExpectPublished(std::optional<std::int64_t> ratio, double published) {
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(static_cast<double>(*ratio) / 1e9, published, 0.0005);
}

// One week of work on 16,384 or 131,072 GPUs of Meta's RSC clusters (arXiv 2410.21680): 6.50 and
// 2.34 failures in 1,000 node-days, five minutes to restart and five in the queue.
FailureModel Rsc(std::int64_t nodes, std::int64_t failures_per_100k_days, std::int64_t minutes) {
  FailureModel model;
  model.mttf = *JobMeanTimeToFailure(nodes, failures_per_100k_days, 100'000);
  model.interval = Minutes(minutes);
  model.restart = model.queue = Minutes(5);
  model.work = Days(7);
  return model;
}

TEST(ReliabilityTest, LlamasInterruptionsGiveItsMeanTimeBetweenThem) {
  // 419 unexpected interruptions, 466 with the planned ones, in 54 days.
  EXPECT_EQ(MeanTimeToFailure(Days(54), 419), Millis(11'135'084));  // 3.093 h
  EXPECT_NEAR(static_cast<double>(MeanTimeToFailure(Days(54), 419)->base()) / 3.6e6, 3.09, 0.005);
  EXPECT_NEAR(static_cast<double>(MeanTimeToFailure(Days(54), 466)->base()) / 3.6e6, 2.78, 0.005);
  EXPECT_EQ(MeanTimeToFailure(Days(54), 0), std::nullopt);
}

TEST(ReliabilityTest, RatesOfNodesGiveThePublishedTimesOfJobs) {
  EXPECT_NEAR(static_cast<double>(JobMeanTimeToFailure(2'048, 650, 100'000)->base()) / 3.6e6, 1.80,
              0.005);
  EXPECT_NEAR(static_cast<double>(JobMeanTimeToFailure(16'384, 650, 100'000)->base()) / 3.6e6, 0.23,
              0.005);
  EXPECT_EQ(JobMeanTimeToFailure(0, 650, 100'000), std::nullopt);
}

TEST(ReliabilityTest, TheLowerBoundReproducesThePublishedRatios) {
  const std::int64_t minutes[] = {60, 30, 10, 5};
  const double rsc1[] = {0.646, 0.778, 0.867, 0.889}, rsc2[] = {0.868, 0.917, 0.950, 0.958};
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(minutes[i]);
    ExpectPublished(FirstOrderEttr(Rsc(2'048, 650, minutes[i])), rsc1[i]);
    ExpectPublished(FirstOrderEttr(Rsc(2'048, 234, minutes[i])), rsc2[i]);
  }
  ExpectPublished(FirstOrderEttr(Rsc(16'384, 650, 10)), 0.190);
  ExpectPublished(FirstOrderEttr(Rsc(16'384, 650, 5)), 0.325);
  EXPECT_EQ(FirstOrderEttr(Rsc(16'384, 650, 30)), std::nullopt);  // never ends
}

TEST(ReliabilityTest, TheLowerBoundIsBelowTheExactRatioAndCloseForShortIntervals) {
  for (const std::int64_t minutes : {60, 30, 10, 5}) {
    const FailureModel model = Rsc(2'048, 650, minutes);
    EXPECT_LT(*FirstOrderEttr(model), RenewalEttr(model));
  }
  const FailureModel close = Rsc(2'048, 650, 5);
  EXPECT_LT(RenewalEttr(close) - *FirstOrderEttr(close), 4'000'000);  // 0.4 %
}

TEST(ReliabilityTest, TheRenewalEquationGivesItsOwnKnownFigure) {
  // 100 h of work, a checkpoint an hour that takes 5 min, restart 10 min, wait 30 min, MTTF 4 h:
  // 145.930966 h, without a first start (which the equation of the endless job leaves out).
  FailureModel model{Hours(4), Hours(1), Minutes(5), Minutes(10), Minutes(30), {}};
  EXPECT_NEAR(100 / (static_cast<double>(RenewalEttr(model)) / 1e9), 145.930966, 1e-5);
  model.mttf = Days(36'000);
  EXPECT_NEAR(static_cast<double>(RenewalEttr(model)) / 1e9, 60.0 / 65, 1e-5);  // saves alone
}

}  // namespace
}  // namespace plimsoll
