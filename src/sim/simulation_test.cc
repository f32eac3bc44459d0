#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

enum class Step : unsigned char { kArrival, kDeparture };

// A queue with one server: mean time in it, over `customers`.
double MeanTimeInSystem(std::uint64_t replication, int customers, Fingerprint& fingerprint) {
  RandomStream arrivals(1, "arrivals", replication), services(1, "services", replication);
  constexpr double kArrivalMs = 10'000, kServiceMs = 7'000;
  Simulation<Step> simulation;
  std::vector<Instant> waiting;
  std::size_t first = 0;
  double sum = 0;
  const auto draw = [](RandomStream& random, double mean) {
    return Millis(static_cast<std::int64_t>(DrawExponential(random, mean)));
  };
  int to_come = customers;
  simulation.At(AtMillis(0), Step::kArrival);
  simulation.Run(
      [&](Step step) {
        if (step == Step::kArrival) {
          waiting.push_back(simulation.now());
          if (--to_come > 0) simulation.After(draw(arrivals, kArrivalMs), Step::kArrival);
          if (waiting.size() - first > 1) return;
        } else {
          sum += static_cast<double>(Between(waiting[first++], simulation.now()).base());
          if (first == waiting.size()) return;
        }
        simulation.After(draw(services, kServiceMs), Step::kDeparture);
      },
      {});
  fingerprint.Add(simulation.fingerprint());
  return sum / customers;
}

TEST(SimulationTest, OneServerQueueHasTheKnownMeanTime) {
  Moments means;
  Fingerprint fingerprint;
  for (std::uint64_t i = 0; i < 40; ++i) means.Add(MeanTimeInSystem(i, 20'000, fingerprint));
  // M/M/1: 1 / (mu - lambda) = 23,333 ms.
  const auto interval = MeanInterval(means, 0.999);
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->low, 23'333.3);
  EXPECT_GT(interval->high, 23'333.3);
  EXPECT_LT(interval->high - interval->low, 2'500);
}

TEST(SimulationTest, SameSeedSameFingerprint) {
  Fingerprint one, again, other;
  MeanTimeInSystem(3, 500, one);
  MeanTimeInSystem(3, 500, again);
  MeanTimeInSystem(4, 500, other);
  EXPECT_EQ(one, again);
  EXPECT_NE(one, other);
}

TEST(SimulationTest, RunStopsWhereItIsToldAndGoesOn) {
  Simulation<int> simulation;
  std::vector<int> seen;
  for (int i = 1; i <= 5; ++i) simulation.At(AtMillis(i), i);
  const auto handle = [&](int event) {
    seen.push_back(event);
    if (event == 4) simulation.Stop();
  };
  EXPECT_EQ(simulation.Run(handle, {AtMillis(2)}), RunEnd::kUntil);
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
  RunLimits one;
  one.events_max = 1;
  EXPECT_EQ(simulation.Run(handle, one), RunEnd::kEventsMax);
  EXPECT_EQ(simulation.Run(handle, {}), RunEnd::kStopped);
  EXPECT_EQ(simulation.now(), AtMillis(4));
  EXPECT_EQ(simulation.Run(handle, {}), RunEnd::kNoEvents);
  EXPECT_EQ(simulation.events(), 5U);
}

TEST(SimulationTest, CancelledEventsDoNotHappen) {
  Simulation<int> simulation;
  const EventId id = simulation.After(Seconds(1), 1);
  simulation.After(Seconds(2), 2);
  EXPECT_TRUE(simulation.Cancel(id));
  int sum = 0;
  simulation.Run([&](int event) { sum += event; }, {});
  EXPECT_EQ(sum, 2);
}

TEST(SimulationTest, NotesChangeTheFingerprint) {
  Simulation<int> a, b;
  a.Note(1);
  b.Note(2);
  EXPECT_NE(a.fingerprint(), b.fingerprint());
}

}  // namespace
}  // namespace plimsoll
