// Simulates a month of a GPU cluster's queue: events a second, memory, and growth with the size.
//
//   queue_bench [--gpus N] [--load PERCENT]
//
// Jobs of 1 to 512 GPUs arrive as a Poisson process, ten a GPU and month, with lognormal run
// times at 90 % load; racks of 16 nodes, one job in ten requires one rack; nodes fail at Meta's
// rate. One core. An event is an arrival, an end, a look at the queue, a failure or a repair; looks
// are given apart. Beside it the bare event loop with as many events, the bound of any simulator
// on this kernel; and Kueue's real-time 43 workloads a second (15,000 in 351 s, its performance
// test). Bounds: a million events a second, near-linear growth from 1,000 to 100,000 GPUs.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "capacity/queue/queue_simulation.h"
#include "sim/distributions.h"
#include "sim/simulation.h"

namespace {

using plimsoll::Duration;
using plimsoll::QueueDiscipline;
using plimsoll::QueueOptions;

constexpr std::int64_t kMonthMs = 30LL * 86'400'000;

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

plimsoll::Cluster ClusterOf(std::int64_t gpus) {
  plimsoll::DomainTree tree({"block", "rack"});
  std::vector<plimsoll::NodeSpec> nodes;
  for (std::int64_t i = 0; i < gpus / 8; ++i) {
    plimsoll::NodeSpec node;
    node.name = "n" + std::to_string(i);
    node.gpus = 8;
    node.domains = tree.Add(
        std::vector<std::string>{"b" + std::to_string(i / 128), "r" + std::to_string(i / 16)});
    nodes.push_back(node);
  }
  return plimsoll::Cluster({"H100"}, tree, nodes);
}

struct Size {
  std::int32_t pods, gpus;
  double odds;
};
constexpr Size kSizes[] = {{1, 1, .50}, {1, 2, .12}, {1, 4, .12},  {1, 8, .16},
                           {2, 8, .05}, {4, 8, .03}, {8, 8, .015}, {64, 8, .005}};

plimsoll::TrainingWorkload WorkloadOf(std::int64_t gpus, double load) {
  plimsoll::RandomStream arrivals(1, "arrivals", 0), sizes(1, "sizes", 0), runs(1, "runs", 0);
  const std::int64_t count = gpus * 10;
  double gpus_mean = 0;
  for (const Size& size : kSizes) gpus_mean += size.odds * size.pods * size.gpus;
  const double gap = static_cast<double>(kMonthMs) / static_cast<double>(count);
  const double run_mean = load * static_cast<double>(gpus) * gap / gpus_mean;
  plimsoll::TrainingWorkload workload;
  workload.queues = {"research", "product", "batch", "free"};
  double at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    plimsoll::TrainingJob job;
    at += DrawExponential(arrivals, gap);
    job.submitted = plimsoll::AtMillis(std::llround(at));
    double odds = sizes.Uniform();
    const Size* size = kSizes;
    while (odds >= size->odds && size != std::end(kSizes) - 1) odds -= (size++)->odds;
    job.pods = job.pods_min = size->pods;
    job.shape.gpus = size->gpus;
    job.queue = static_cast<std::uint32_t>(sizes.Below(4));
    job.priority = static_cast<std::int32_t>(sizes.Below(3));
    if (size->pods > 1 && size->pods <= 8 && sizes.Below(2) == 0) {
      job.topology = {plimsoll::TopologyMode::kRequired, 1, 0, 0};
    }
    job.run =
        plimsoll::Millis(std::llround(run_mean * DrawLognormal(runs, -1.125, 1.5)) + 1);  // mean 1
    job.time_limit = job.run + plimsoll::Millis(static_cast<std::int64_t>(
                                   runs.Below(static_cast<std::uint64_t>(job.run.base()) + 1)));
    job.checkpoint.interval = plimsoll::Hours(1);
    job.checkpoint.write = plimsoll::Minutes(1);
    workload.jobs.push_back(job);
  }
  return workload;
}

struct Figures {
  double seconds = 0;
  std::int64_t events = 0, passes = 0;
  double wait_hours = 0, used_percent = 0;
};

Figures Measure(const plimsoll::Cluster& cluster, const plimsoll::TrainingWorkload& workload,
                const QueueOptions& options) {
  const double begin = CpuSeconds();
  const plimsoll::QueueOutcome outcome = SimulateQueue(cluster, workload, options, {1, 0});
  Figures figures;
  figures.seconds = CpuSeconds() - begin;
  figures.events = outcome.totals.events;
  figures.passes = outcome.totals.passes;
  double waited = 0;
  for (const auto& job : outcome.jobs) {
    waited += static_cast<double>(job.first_wait.total().base());
  }
  figures.wait_hours = waited / 3.6e6 / static_cast<double>(outcome.jobs.size());
  figures.used_percent = 100 * static_cast<double>(outcome.totals.used.base()) /
                         static_cast<double>(outcome.totals.capacity.base());
  return figures;
}

QueueOptions OptionsOf(QueueDiscipline discipline) {
  QueueOptions options;
  options.discipline = discipline;
  plimsoll::NodeRisk risk;
  risk.failures_per_million_node_days = 6'500;
  options.risks.of_flavor = {risk};
  options.until = plimsoll::AtMillis(kMonthMs);
  return options;
}

// What one question "when would this start now?" costs: a copy of the state, and up to four hours.
double MsPerProbe(std::int64_t gpus, double load) {
  const plimsoll::Cluster cluster = ClusterOf(gpus);
  const plimsoll::TrainingWorkload workload = WorkloadOf(gpus, load);
  QueueOptions options = OptionsOf(QueueDiscipline::kEasy);
  const double plain = Measure(cluster, workload, options).seconds;
  plimsoll::ProbeSpec probe;
  probe.job.pods = probe.job.pods_min = 4;
  probe.job.shape.gpus = 8;
  probe.job.topology = {plimsoll::TopologyMode::kRequired, 1, 0, 0};
  probe.job.run = plimsoll::Hours(8);
  options.probes = {probe};
  const double probed = Measure(cluster, workload, options).seconds;
  return 1e3 * (probed - plain) / probe.epochs;
}

double BareEventsPerSecond(std::int64_t events) {
  plimsoll::RandomStream random(1, "hold", 0);
  plimsoll::Simulation<std::uint64_t> simulation;
  const auto next = [&] {
    return plimsoll::Millis(static_cast<std::int64_t>(random.Below(1'000'000)));
  };
  for (std::uint64_t i = 0; i < 5'000; ++i) simulation.After(next(), i);
  plimsoll::RunLimits limits;
  limits.events_max = static_cast<std::uint64_t>(events);
  const double begin = CpuSeconds();
  simulation.Run([&](std::uint64_t event) { simulation.After(next(), event); }, limits);
  return static_cast<double>(events) / (CpuSeconds() - begin);
}

// In a process of its own, so that its peak of memory is its own.
double Line(const char* name, std::int64_t gpus, double load, const QueueOptions& options) {
  std::fflush(stdout);
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    const plimsoll::Cluster cluster = ClusterOf(gpus);
    const plimsoll::TrainingWorkload workload = WorkloadOf(gpus, load);
    const Figures figures = Measure(cluster, workload, options);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double rate = static_cast<double>(figures.events) / figures.seconds;
    std::printf("%-13s %8lld %9zu %9lld %9lld %8.2f %9.2f %9.0f %8.2f %6.1f\n", name,
                static_cast<long long>(gpus), workload.jobs.size(),
                static_cast<long long>(figures.events), static_cast<long long>(figures.passes),
                figures.seconds, rate / 1e6, static_cast<double>(usage.ru_maxrss) / 1024,
                figures.wait_hours, figures.used_percent);
    std::fflush(stdout);
    const bool written = write(pipe_ends[1], &rate, sizeof rate) == sizeof rate;
    _exit(written ? 0 : 1);
  }
  double rate = 0;
  int status = 0;
  const bool read_all = read(pipe_ends[0], &rate, sizeof rate) == sizeof rate;
  waitpid(child, &status, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return read_all && status == 0 ? rate : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t gpus = 10'000;
  double load = 0.9;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--gpus") gpus = std::atoll(argv[i + 1]);
    if (name == "--load") load = std::atof(argv[i + 1]) / 100;
  }
  std::printf("%-13s %8s %9s %9s %9s %8s %9s %9s %8s %6s\n", "discipline", "GPUs", "jobs", "events",
              "looks", "CPU s", "Mevents/s", "peak MiB", "wait h", "used %");
  const double best = Line("best_effort", gpus, load, OptionsOf(QueueDiscipline::kBestEffort));
  Line("strict", gpus, load, OptionsOf(QueueDiscipline::kStrict));
  const double easy = Line("easy", gpus, load, OptionsOf(QueueDiscipline::kEasy));
  QueueOptions slurm = OptionsOf(QueueDiscipline::kConservative);
  slurm.order = plimsoll::QueueOrder::kMultifactor;
  slurm.backfill = {plimsoll::Days(1), plimsoll::Seconds(60), 100, plimsoll::Minutes(5)};
  Line("slurm", gpus / 10, load, slurm);
  double least = best, most = best;
  for (const std::int64_t size : {1'000, 100'000}) {
    const double rate = Line("best_effort", size, load, OptionsOf(QueueDiscipline::kBestEffort));
    least = std::min(least, rate);
    most = std::max(most, rate);
  }
  const double bare = BareEventsPerSecond(2'000'000);
  std::printf(
      "bare event loop: %.2f million events a second; the simulator reaches %.0f %% of it\n",
      bare / 1e6, 100 * best / bare);
  std::printf("growth: %.2f to %.2f million events a second from 1,000 to 100,000 GPUs\n",
              least / 1e6, most / 1e6);
  std::printf("probes: %.2f ms each at %lld GPUs\n", MsPerProbe(gpus, load),
              static_cast<long long>(gpus));
  const bool fast = best >= 1e6 && easy > 0;
  if (!fast) std::printf("FAILED: fewer than a million events a second\n");
  return fast ? 0 : 1;
}
