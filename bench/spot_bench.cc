// Simulates runs on spot beside the same policy in plain Python, in one run; and the event queue.
//
//   spot_bench [--runs N] [--python-runs N]
//
// A run is 100 hours of work, saved every hour, evicted every four hours on average: some 36
// evictions and 200 segments. Prints runs a minute of both, their ratio and their means, which
// must agree; then events a second of a queue that holds 100,000. Bounds: 2 million runs a minute
// on two cores, a million events a second of one core's time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

#include "purchase/spot/spot_outcome.h"
#include "sim/distributions.h"
#include "sim/simulation.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kPython = R"(
import random, sys, time
def run(rng, work=100.0, tau=1.0, save=5/60, restart=1/6, wait=0.5, mtbf=4.0):
    now = done = 0.0
    started = False
    while done < work:
        life = rng.expovariate(1 / mtbf)
        age = 0.0
        if started:
            if life < restart:
                now += life + wait
                continue
            age = restart
        started = True
        while done < work:
            length = min(tau, work - done)
            if life < age + length + save:
                break
            age += length + save
            done += length
        if done < work:
            now += life + wait
        else:
            now += age
    return now
n = int(sys.argv[1])
rng = random.Random(1)
begin = time.perf_counter()
hours = [run(rng) for _ in range(n)]
seconds = time.perf_counter() - begin
print(seconds, sum(hours) / n)
)";

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

plimsoll::SpotRunModel Model() {
  plimsoll::SpotRunModel model(*plimsoll::Lifetime::Exponential(4 * 3.6e6));
  model.work = plimsoll::Hours(100);
  model.interval = plimsoll::Hours(1);
  model.save = plimsoll::Minutes(5);
  model.restart = plimsoll::Minutes(10);
  model.wait = plimsoll::Minutes(30);
  model.give_up = plimsoll::Hours(10'000);
  return model;
}

struct Side {
  double seconds = 0, mean_hours = 0;
};

Side Ours(std::int64_t runs) {
  plimsoll::SpotPrices prices;
  prices.on_demand = *plimsoll::Money::Parse("32.77");
  prices.spot = *plimsoll::Money::Parse("11.47");
  plimsoll::SpotSampling sampling;
  sampling.replications = runs;
  const auto begin = Clock::now();
  const plimsoll::SpotOutcome outcome =
      SampleSpotRuns(Model(), prices, plimsoll::SpotPolicy::kSpotOnly, sampling);
  return {Since(begin), static_cast<double>(outcome.mean_time.base()) / 3.6e6};
}

Side Python(std::int64_t runs) {
  const std::string command = "python3 -c '" + std::string(kPython) + "' " + std::to_string(runs);
  std::FILE* const pipe = popen(command.c_str(), "r");
  Side side;
  const bool read =
      pipe != nullptr && std::fscanf(pipe, "%lf %lf", &side.seconds, &side.mean_hours) == 2;
  if (pipe != nullptr) pclose(pipe);
  if (!read) {
    std::fprintf(stderr, "spot_bench: python3 did not run\n");
    std::exit(1);
  }
  return side;
}

// A hold model: each event puts in the next one.
double EventsPerSecond() {
  constexpr std::uint64_t kEvents = 5'000'000;
  constexpr int kHeld = 100'000;
  plimsoll::RandomStream random(1, "hold", 0);
  plimsoll::Simulation<std::uint32_t> simulation;
  const auto next = [&] {
    return plimsoll::Millis(static_cast<std::int64_t>(random.Below(1'000'000)));
  };
  for (std::uint32_t i = 0; i < kHeld; ++i) simulation.After(next(), i);
  plimsoll::RunLimits limits;
  limits.events_max = kEvents;
  const std::clock_t begin = std::clock();  // of this process alone: others may have the core
  simulation.Run([&](std::uint32_t event) { simulation.After(next(), event); }, limits);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return static_cast<double>(kEvents) / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t runs = 1'000'000, python_runs = 2'000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--runs") runs = std::atoll(argv[i + 1]);
    if (name == "--python-runs") python_runs = std::atoll(argv[i + 1]);
  }
  const Side ours = Ours(runs), python = Python(python_runs);
  const double our_rate = static_cast<double>(runs) / ours.seconds * 60;
  const double python_rate = static_cast<double>(python_runs) / python.seconds * 60;
  std::printf("plimsoll: %.2f million runs a minute on %u cores, mean %.3f h\n", our_rate / 1e6,
              std::thread::hardware_concurrency(), ours.mean_hours);
  std::printf("python3:  %.4f million runs a minute on one core, mean %.3f h\n", python_rate / 1e6,
              python.mean_hours);
  std::printf("ratio:    %.0f\n", our_rate / python_rate);
  const double events = EventsPerSecond();
  std::printf("events:   %.2f million a second on one core, 100,000 held\n", events / 1e6);
  // A run deviates by 9 h; five standard errors of the smaller sample.
  const double apart = std::abs(ours.mean_hours - python.mean_hours);
  const bool agree = apart < 5 * 9.0 / std::sqrt(static_cast<double>(std::min(runs, python_runs)));
  if (!agree) std::printf("FAILED: the means differ by %.3f h\n", apart);
  if (our_rate < 2e6) std::printf("FAILED: fewer than 2 million runs a minute\n");
  if (events < 1e6) std::printf("FAILED: fewer than a million events a second\n");
  return agree && our_rate >= 2e6 && events >= 1e6 ? 0 : 1;
}
