#include "capacity/sizing/queue_formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

struct Golden {
  std::int64_t servers;
  double utilization, blocked, waits, wait, sakasegawa, beyond_one;
};

// Computed from the definition in exact fractions, and rounded.
constexpr Golden kGoldens[] = {{1, .8, .444444, .800000, 4.000000, 4.000000, .654985},
                               {2, .8, .329897, .711111, 1.777778, 1.809131, .476672},
                               {4, .8, .228145, .596432, .745541, .771549, .267994},
                               {8, .8, .144394, .457645, .286028, .303135, .092397},
                               {16, .8, .080647, .304884, .095276, .106337, .012428},
                               {32, .9, .077975, .458197, .143186, .147527, .018677},
                               {64, .9, .043124, .310663, .048541, .052223, .000516},
                               {128, .95, .040505, .457787, .071529, .072158, .000761},
                               {1000, .98, .013831, .412200, .020610, .020662, .000000}};

TEST(QueueFormulaTest, TheTableHolds) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.servers);
    const double load = golden.utilization * static_cast<double>(golden.servers);
    EXPECT_NEAR(ErlangB(golden.servers, load), golden.blocked, 6e-7);
    EXPECT_NEAR(ErlangC(golden.servers, load), golden.waits, 6e-7);
    EXPECT_NEAR(WaitOfMmc(golden.servers, load), golden.wait, 6e-7);
    EXPECT_NEAR(SakasegawaWait(golden.servers, load, {}), golden.sakasegawa, 6e-7);
    EXPECT_NEAR(WaitBeyondOfMmc(golden.servers, load, 1), golden.beyond_one, 6e-7);
  }
}

TEST(QueueFormulaTest, ErlangCIsItsDefinition) {
  for (const std::int64_t servers : {1, 3, 7, 20}) {
    for (const double rho : {0.1, 0.5, 0.93}) {
      const double load = rho * static_cast<double>(servers);
      double term = 1, sum = 0;  // a^j / j!
      for (std::int64_t j = 0; j < servers; ++j) {
        sum += term;
        term *= load / static_cast<double>(j + 1);
      }
      EXPECT_NEAR(ErlangC(servers, load), term / ((1 - rho) * sum + term), 1e-12);
    }
  }
}

TEST(QueueFormulaTest, OneServerIsKnownExactly) {
  for (const double rho : {0.2, 0.5, 0.9}) {
    EXPECT_NEAR(WaitOfMd1(rho), WaitOfMmc(1, rho) / 2, 1e-12);
    EXPECT_NEAR(WaitOfMg1(rho, 1), WaitOfMmc(1, rho), 1e-12);
    EXPECT_NEAR(KingmanWait(rho, {1, 5}), WaitOfMg1(rho, 5), 1e-12);
    EXPECT_NEAR(AllenCunneenWait(1, rho, {1, 5}), WaitOfMg1(rho, 5), 1e-12);
    EXPECT_NEAR(SakasegawaWait(1, rho, {1, 5}), WaitOfMg1(rho, 5), 1e-12);
  }
}

TEST(QueueFormulaTest, VariabilityScalesTheWait) {
  EXPECT_NEAR(AllenCunneenWait(8, 6.4, {1, 49}), 25 * WaitOfMmc(8, 6.4), 1e-12);
  EXPECT_NEAR(SakasegawaWait(8, 6.4, {1, 49}), 25 * SakasegawaWait(8, 6.4, {}), 1e-12);
}

TEST(QueueFormulaTest, TheQuantileInvertsTheTail) {
  const double t = WaitQuantileOfMmc(8, 7.2, 0.95);
  EXPECT_GT(t, 0);
  EXPECT_NEAR(WaitBeyondOfMmc(8, 7.2, t), 0.05, 1e-12);
  EXPECT_EQ(WaitQuantileOfMmc(8, 0.8, 0.95), 0);  // hardly anyone waits
}

TEST(QueueFormulaTest, WithoutASteadyStateEveryoneWaitsForever) {
  EXPECT_EQ(ErlangC(4, 4), 1);
  EXPECT_TRUE(std::isinf(WaitOfMmc(4, 4)));
  EXPECT_TRUE(std::isinf(WaitOfMmc(4, 9)));
  EXPECT_TRUE(std::isinf(WaitQuantileOfMmc(4, 4, 0.5)));
  EXPECT_EQ(WaitBeyondOfMmc(4, 5, 10), 1);
  EXPECT_TRUE(std::isinf(WaitOfMg1(1, 1)));
  EXPECT_TRUE(std::isinf(KingmanWait(1.2, {})));
  EXPECT_TRUE(std::isinf(SakasegawaWait(4, 4, {})));
  EXPECT_EQ(ErlangC(4, 0), 0);
}

// A queue counted job by job (Kiefer and Wolfowitz): the mean of many long stretches.
TEST(QueueFormulaTest, ASimulatedQueueAgrees) {
  Moments waits, beyond;
  for (std::uint64_t replication = 0; replication < 100; ++replication) {
    RandomStream arrivals(7, "arrivals", replication), services(7, "services", replication);
    std::vector<double> free_at(4, 0.0);
    double now = 0, sum = 0;
    int late = 0;
    constexpr int kJobs = 5'000, kWarmUp = 1'000;
    for (int i = 0; i < kJobs; ++i) {
      now += DrawExponential(arrivals, 1 / 3.2);
      auto first = std::min_element(free_at.begin(), free_at.end());
      const double start = std::max(now, *first);
      *first = start + DrawExponential(services, 1);
      if (i < kWarmUp) continue;
      sum += start - now;
      late += start - now > 1;
    }
    waits.Add(sum / (kJobs - kWarmUp));
    beyond.Add(static_cast<double>(late) / (kJobs - kWarmUp));
  }
  const auto wait = MeanInterval(waits, 0.99), late = MeanInterval(beyond, 0.99);
  EXPECT_LE(wait->low, WaitOfMmc(4, 3.2));
  EXPECT_GE(wait->high, WaitOfMmc(4, 3.2));
  EXPECT_LE(late->low, WaitBeyondOfMmc(4, 3.2, 1));
  EXPECT_GE(late->high, WaitBeyondOfMmc(4, 3.2, 1));
}

}  // namespace
}  // namespace plimsoll
