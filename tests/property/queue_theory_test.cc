// The queue's simulator against queueing theory and reliability theory: waits of M/M/c, M/D/1 and
// M/G/1, the tail P(W > t), and the time of a long run that fails and restarts.
//
// Closed forms: Erlang C, Pollaczek and Khinchine; expected time of a run with checkpoints under
// exponential failures. Published figures: Meta's failure rates (arXiv 2410.21680). Seeds are
// fixed; each comparison is held to a level of 0.001 over all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "capacity/queue/queue_simulation.h"
#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr double kHourMs = 3.6e6;
constexpr double kConfidence = 1 - 1e-3 / 24;

enum class Service { kExponential, kFixed, kHyperexponential };

struct System {
  std::int32_t servers = 1;
  double load = 0.8;
  Service service = Service::kExponential;
};

// Mean one hour. Hyperexponential: balanced means, squared coefficient of variation 4.
double DrawService(Service service, RandomStream& random) {
  if (service == Service::kFixed) return kHourMs;
  if (service == Service::kExponential) return DrawExponential(random, kHourMs);
  const double p = 0.5 * (1 + std::sqrt(3.0 / 5));
  const bool is_short = random.Uniform() < p;
  return DrawExponential(random, kHourMs / (2 * (is_short ? p : 1 - p)));
}

TrainingWorkload Customers(const System& system, int count, std::uint64_t replication) {
  RandomStream arrivals(1, "arrivals", replication), services(1, "services", replication);
  TrainingWorkload workload;
  workload.queues = {"q"};
  double at = 0;
  for (int i = 0; i < count; ++i) {
    at += DrawExponential(arrivals, kHourMs / (system.load * system.servers));
    TrainingJob job;
    job.submitted = AtMillis(std::llround(at));
    job.shape.gpus = 1;
    job.run = Millis(std::llround(DrawService(system.service, services)));
    workload.jobs.push_back(job);
  }
  return workload;
}

Cluster Servers(std::int32_t count) {
  std::vector<NodeSpec> nodes;
  for (std::int32_t left = count; left > 0; left -= 8) {
    nodes.push_back({"n" + std::to_string(left), 0, 0, 0, std::min(left, 8), {}});
  }
  return Cluster({"gpu"}, DomainTree(), nodes);
}

struct Waits {
  Moments mean, over_one_hour;  // of replications
};

Waits Simulate(const System& system, int replications, int customers) {
  const Cluster cluster = Servers(system.servers);
  QueueOptions options;
  options.order = QueueOrder::kSubmitted;
  options.discipline = QueueDiscipline::kStrict;
  Waits waits;
  for (int i = 0; i < replications; ++i) {
    const auto replication = static_cast<std::uint64_t>(i);
    const TrainingWorkload workload = Customers(system, customers, replication);
    const QueueOutcome outcome = SimulateQueue(cluster, workload, options, {1, replication});
    double sum = 0, over = 0;
    const int warm_up = customers / 5;
    for (int job = warm_up; job < customers; ++job) {
      const Duration wait = outcome.jobs[static_cast<std::size_t>(job)].first_wait.total();
      sum += static_cast<double>(wait.base()) / kHourMs;
      over += wait > Hours(1);
    }
    waits.mean.Add(sum / (customers - warm_up));
    waits.over_one_hour.Add(over / (customers - warm_up));
  }
  return waits;
}

void ExpectWithin(const Moments& moments, double exact) {
  const Interval interval = *MeanInterval(moments, kConfidence);
  EXPECT_LT(interval.low, exact);
  EXPECT_GT(interval.high, exact);
  EXPECT_LT(interval.high - interval.low, 1.5 * exact);  // and says something
}

struct Golden {
  std::int32_t servers;
  double load, wait, over_one;  // in mean services
};

TEST(QueueTheoryTest, WaitsOfEqualServersAreErlangs) {
  for (const Golden& golden : {Golden{1, .8, 4.0, .654985}, Golden{2, .8, 1.777778, .476672},
                               Golden{4, .8, .745541, .267994}, Golden{8, .8, .286028, .092397},
                               Golden{16, .8, .095276, .012428}}) {
    SCOPED_TRACE(golden.servers);
    const Waits waits = Simulate({golden.servers, golden.load}, 30, 20'000);
    ExpectWithin(waits.mean, golden.wait);
    ExpectWithin(waits.over_one_hour, golden.over_one);
  }
}

TEST(QueueTheoryTest, ManyServersUnderHeavyLoadAreErlangsToo) {
  const Waits waits = Simulate({32, .9}, 30, 40'000);
  ExpectWithin(waits.mean, .143186);
}

TEST(QueueTheoryTest, WaitsOfOneServerFollowPollaczekAndKhinchine) {
  ExpectWithin(Simulate({1, .8, Service::kFixed}, 30, 20'000).mean, 2.0);  // half of M/M/1
  // (1 + 4) / 2 times that of M/M/1.
  ExpectWithin(Simulate({1, .6, Service::kHyperexponential}, 40, 30'000).mean, 1.5 * 2.5);
}

struct LongRun {
  std::int64_t nodes;
  std::int64_t failures_per_million_node_days;
  Duration interval, restart, work;
};

// Wall hours of the run over its work; other nodes stand by, so that it never waits.
Moments SlowdownOf(const LongRun& run, int replications) {
  const auto nodes = static_cast<std::size_t>(run.nodes);
  std::vector<NodeSpec> specs;
  for (std::size_t i = 0; i < nodes + nodes / 8 + 4; ++i) {
    specs.push_back({"n" + std::to_string(i), 0, 0, 0, 8, {}});
  }
  const Cluster cluster({"H100"}, DomainTree(), specs);
  TrainingWorkload workload;
  workload.queues = {"q"};
  TrainingJob job;
  job.pods = job.pods_min = static_cast<std::int32_t>(run.nodes);
  job.shape.gpus = 8;
  job.run = run.work;
  job.checkpoint = {run.interval, Duration(), run.restart, Duration()};
  workload.jobs = {job};
  QueueOptions options;
  NodeRisk risk;
  risk.failures_per_million_node_days = run.failures_per_million_node_days;
  risk.repair = Hours(1);
  options.risks.of_flavor = {risk};
  Moments slowdown;
  for (int i = 0; i < replications; ++i) {
    const QueueOutcome outcome =
        SimulateQueue(cluster, workload, options, {1, static_cast<std::uint64_t>(i)});
    EXPECT_EQ(outcome.jobs[0].later_waits.total(), Duration());
    slowdown.Add(static_cast<double>(outcome.jobs[0].ended->base()) /
                 static_cast<double>(run.work.base()));
  }
  return slowdown;
}

// Each interval is worked until it gets by without a failure; each failure costs a restart, which
// may fail too: (e^(f d) - 1) / f x e^(f u) for the rate f, the interval d and the restart u.
double ExactSlowdown(const LongRun& run) {
  const double rate = static_cast<double>(run.nodes * run.failures_per_million_node_days) / 24e6;
  const double interval = static_cast<double>(run.interval.base()) / kHourMs;
  const double restart = static_cast<double>(run.restart.base()) / kHourMs;
  return std::expm1(rate * interval) / (rate * interval) * std::exp(rate * restart);
}

// Meta's lower bound of effective training time (arXiv 2410.21680) with q in the restart: the
// published figures for 7 days, u0 = q = 5 minutes.
double BoundOfEttr(const LongRun& run, double queue_hours) {
  const double rate = static_cast<double>(run.nodes * run.failures_per_million_node_days) / 24e6;
  const double interval = static_cast<double>(run.interval.base()) / kHourMs;
  const double restart = 5.0 / 60, work = static_cast<double>(run.work.base()) / kHourMs;
  const double x = rate * (restart + interval / 2);
  return (1 - x) / (1 + (restart + queue_hours) / work + rate * queue_hours);
}

TEST(QueueTheoryTest, ALongRunTakesTheTimeThatItsFailuresCost) {
  struct Case {
    std::int64_t rate;
    Duration interval;
    double ettr;  // published
  };
  for (const Case& published : {Case{6'500, Minutes(60), .646}, Case{6'500, Minutes(30), .778},
                                Case{6'500, Minutes(10), .867}, Case{2'340, Minutes(60), .868},
                                Case{2'340, Minutes(10), .950}}) {
    SCOPED_TRACE(published.ettr);
    // The 10 minutes of restart and queue as one restart: 16,384 GPUs for 7 days.
    const LongRun run{2'048, published.rate, published.interval, Minutes(10), Days(7)};
    const double exact = ExactSlowdown(run);
    ExpectWithin(SlowdownOf(run, 25), exact);
    const double bound = BoundOfEttr(run, 5.0 / 60);
    EXPECT_NEAR(bound, published.ettr, 0.0005);
    EXPECT_GE(1 / exact, bound);
    EXPECT_LE(1 / exact, bound + 0.04);
  }
}

// 131,072 GPUs: the bound falls below zero at half an hour between checkpoints ("infeasible"). What
// it says is first order: the run does go on, at a fifth of its speed.
TEST(QueueTheoryTest, WhereTheBoundGivesUpTheRunCrawls) {
  const LongRun published{16'384, 6'500, Minutes(30), Minutes(5), Days(7)};
  EXPECT_LT(BoundOfEttr(published, 5.0 / 60), 0);
  // As many failures an hour, on a sixteenth of the nodes.
  const LongRun run{1'024, 104'000, Minutes(30), Minutes(5), Hours(24)};
  EXPECT_EQ(ExactSlowdown(run), ExactSlowdown(published));
  const Moments slowdown = SlowdownOf(run, 30);
  ExpectWithin(slowdown, ExactSlowdown(run));
  EXPECT_GT(slowdown.mean(), 4);
}

}  // namespace
}  // namespace plimsoll
