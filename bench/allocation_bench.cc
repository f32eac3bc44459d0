// allocation_bench: a week of 10,000 GPUs at five-minute samples, from stored samples to cost
// lines, against the database engine's own hourly GROUP BY over the same table.
//
//   allocation_bench [GPUS [DAYS [ROUNDS]]]
//
// In one run, ROUNDS times (median shown): (a) the engine sums the samples by device and hour
// into a table; (b) the samples are streamed, folded into twelfths of hours and allocated day
// by day, on two threads as (a). The table has the samples as they are scraped, by time. Checks
// that money and GPU time of (b) are conserved. Fails (exit 1) if they are not, if (b) takes more
// than 1.5 times (a), or if memory peaks at 2 GiB or more. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "allocation/allocation.h"
#include "bench_fleet.h"
#include "ingest/usage_fold.h"
#include "ledger/facts.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr double kRatioMax = 1.5;
constexpr double kRssMaxGib = 2.0;

struct SampleBatch {
  std::vector<std::int64_t> device, at_ms, ppm;
  static constexpr std::tuple kColumns{MakeColumn("device", &SampleBatch::device),
                                       MakeColumn("t", &SampleBatch::at_ms),
                                       MakeColumn("ppm", &SampleBatch::ppm)};
};

struct DayResult {
  std::size_t lines = 0, workloads = 0, findings = 0;
  Money cost, assets;
  std::int64_t gpu_millis = 0;
  double fold_seconds = 0, allocate_seconds = 0;
};

double SecondsOn(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Wall time, and the processor time of all threads (or of this one): what remains comparable
// on a machine that does other work too.
struct Times {
  double wall = 0, cpu = 0;
};
Times TimesOf(const std::function<void()>& work, clockid_t cpu = CLOCK_PROCESS_CPUTIME_ID) {
  const Times begin{SecondsOn(CLOCK_MONOTONIC), SecondsOn(cpu)};
  work();
  return {SecondsOn(CLOCK_MONOTONIC) - begin.wall, SecondsOn(cpu) - begin.cpu};
}

void Require(const Status& status) {
  if (status) return;
  fmt::print(stderr, "allocation_bench: {}\n", status.error().message);
  std::exit(1);
}

double PeakRssGib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

void FillSamples(Store& store, int gpus, const Window& window) {
  Require(store.Execute("CREATE TABLE sample (device BIGINT, t BIGINT, ppm BIGINT)", {}));
  // As they are scraped, sweep after sweep. A fifth of the hours stand still.
  Require(store.Execute(
      "INSERT INTO sample SELECT d, ? + i * 300000, "
      "CASE WHEN hash(d // 8, i // 12) % 5 = 0 THEN 0 ELSE (hash(d, i) % 1000001)::BIGINT END "
      "FROM range(?) AS a(d), range(?) AS b(i) ORDER BY i, d",
      {window.begin, std::int64_t{gpus}, window.length().base() / 300'000}));
}

Times GroupByHour(Store& store) {
  Require(store.Execute("DROP TABLE IF EXISTS by_hour", {}));
  return TimesOf([&] {
    Require(
        store.Execute("CREATE TEMP TABLE by_hour AS SELECT device, t // 3600000 AS hour, "
                      "sum(ppm) AS value FROM sample GROUP BY ALL",
                      {}));
  });
}

// Reads, folds and allocates day by day: while one day is allocated the next is read.
class WeekRun {
 public:
  WeekRun(const BenchFleet& fleet, const Catalog& catalog, int gpus)
      : fleet_(fleet),
        catalog_(catalog),
        occupancy_(OccupancyFacts{fleet.nodes, fleet.holdings, fleet.bindings, {}}) {
    for (int d = 0; d < gpus; ++d) {
      devices_.Intern(BenchFleet::DeviceName(d), "");
      devices_.InternLabels({BenchFleet::NodeName(d / BenchFleet::kGpusPerNode), "",
                             "NVIDIA H100 80GB HBM3", d % BenchFleet::kGpusPerNode});
    }
  }

  std::vector<DayResult> Run(Store& store) {
    std::thread other([&] { AllocateDays(); });
    for (Instant day = fleet_.window.begin; day < fleet_.window.until; day = day + Days(1)) {
      auto folder = std::make_unique<UsageFolder>(devices_, Window{day, day + Days(1)}, kHold);
      read_seconds_ += TimesOf([&] { Read(store, *folder); }, CLOCK_THREAD_CPUTIME_ID).cpu;
      Put(std::move(folder));
    }
    Put(nullptr);
    AllocateDays();
    other.join();
    return std::move(results_);
  }
  double read_seconds() const { return read_seconds_; }

 private:
  static constexpr Duration kHold = Minutes(5);

  void Read(Store& store, UsageFolder& folder) {
    SampleBatch chunk;
    const auto add = [&] {
      folder.Add({UsageSignal::kSmActive, chunk.device, chunk.device, chunk.at_ms, chunk.ppm});
      return Ok();
    };
    Require(store.Stream("SELECT device, t, ppm FROM sample WHERE t > ? AND t < ?",
                         {folder.window().begin - kHold, folder.window().until}, RefTo(chunk),
                         add));
  }

  void Put(std::unique_ptr<UsageFolder> folder) {
    const std::lock_guard lock(mutex_);
    if (folder == nullptr) {
      is_read_ = true;
    } else {
      waiting_.push_back(std::move(folder));
    }
    changed_.notify_all();
  }

  std::unique_ptr<UsageFolder> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_read_ || !waiting_.empty(); });
    if (waiting_.empty()) return nullptr;
    auto folder = std::move(waiting_.front());
    waiting_.pop_front();
    return folder;
  }

  void AllocateDays() {
    UsageBatch usage;  // kept from day to day: its memory is most of the day's
    while (auto folder = Take()) {
      const DayResult result = AllocateDay(*folder, usage);
      const std::lock_guard lock(mutex_);
      results_.push_back(result);
    }
  }

  DayResult AllocateDay(UsageFolder& folder, UsageBatch& usage) {
    DayResult result;
    AllocationOptions options;
    options.window = folder.window();
    options.data_until = fleet_.window.until;
    const auto fold = [&] {
      Clear(usage);
      folder.Fold("bench", usage);
    };
    result.fold_seconds = TimesOf(fold, CLOCK_THREAD_CPUTIME_ID).cpu;
    const ChargeBatch charges;
    const auto allocate = [&] {
      const OccupancyFacts facts = occupancy_.Touching(options.window);
      const auto out = Allocate(
          {charges, facts.nodes, facts.holdings, facts.bindings, usage, fleet_.prices, catalog_},
          options);
      if (!out) {
        fmt::print(stderr, "allocation_bench: {}\n", out.error().message);
        std::exit(1);
      }
      AddOutput(*out, result);
    };
    result.allocate_seconds = TimesOf(allocate, CLOCK_THREAD_CPUTIME_ID).cpu;
    return result;
  }

  static void AddOutput(const AllocationOutput& out, DayResult& result) {
    result.lines = RowsOf(out.lines);
    result.workloads = RowsOf(out.workloads);
    result.findings = RowsOf(out.findings);
    for (std::size_t i = 0; i < result.lines; ++i) {
      result.gpu_millis += out.lines.gpu_time[i].base();
      result.cost += out.lines.gpu_cost[i] + out.lines.cpu_cost[i] + out.lines.memory_cost[i];
    }
    for (const Money cost : out.assets.cost) result.assets += cost;
  }

  const BenchFleet& fleet_;
  const Catalog& catalog_;
  const OccupancyIndex occupancy_;
  DeviceTable devices_;
  double read_seconds_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<UsageFolder>> waiting_;
  bool is_read_ = false;
  std::vector<DayResult> results_;
};

struct Round {
  Times engine, total;
  double read_seconds = 0;
  DayResult sum;
};

Round RunRound(Store& store, const BenchFleet& fleet, const Catalog& catalog, int gpus) {
  Round round;
  round.engine = GroupByHour(store);
  std::vector<DayResult> days;
  round.total = TimesOf([&] {
    WeekRun run(fleet, catalog, gpus);
    days = run.Run(store);
    round.read_seconds = run.read_seconds();
  });
  for (const DayResult& day : days) {
    round.sum.lines += day.lines;
    round.sum.workloads += day.workloads;
    round.sum.findings += day.findings;
    round.sum.cost += day.cost;
    round.sum.assets += day.assets;
    round.sum.gpu_millis += day.gpu_millis;
    round.sum.fold_seconds += day.fold_seconds;
    round.sum.allocate_seconds += day.allocate_seconds;
  }
  fmt::print(
      "engine {:.3f} s ({:.3f} cpu); ours {:.3f} s ({:.3f} cpu: read {:.3f}, fold {:.3f}, "
      "allocate {:.3f})\n",
      round.engine.wall, round.engine.cpu, round.total.wall, round.total.cpu, round.read_seconds,
      round.sum.fold_seconds, round.sum.allocate_seconds);
  return round;
}

template <class Get>
double Median(std::vector<Round> rounds, Get get) {
  std::sort(rounds.begin(), rounds.end(),
            [&](const Round& a, const Round& b) { return get(a) < get(b); });
  return get(rounds[rounds.size() / 2]);
}

int Run(int gpus, int days, int rounds) {
  const Instant begin = *ParseInstant("2026-05-04T00:00:00Z");
  const Window window{begin, begin + Days(days)};
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("plimsoll-bench-{}.duckdb", ::getpid());
  auto opened = OpenDuckDb({.path = path.string(), .threads = 2, .memory_limit = "1GB"});
  if (!opened) {
    fmt::print(stderr, "allocation_bench: {}\n", opened.error().message);
    return 1;
  }
  std::unique_ptr<Store> store = *std::move(opened);
  FillSamples(*store, gpus, window);
  Require(store->Execute("CHECKPOINT", {}));
  const BenchFleet fleet(gpus, window);
  const Catalog catalog;
  fmt::print("{} GPUs, {} days, {} samples, {} holdings, {} bindings\n", gpus, days,
             std::int64_t{gpus} * window.length().base() / 300'000, RowsOf(fleet.holdings),
             RowsOf(fleet.bindings));
  std::vector<Round> all;
  for (int round = 0; round < rounds; ++round) {
    all.push_back(RunRound(*store, fleet, catalog, gpus));
  }
  store.reset();
  std::filesystem::remove(path);

  const DayResult& sum = all.front().sum;
  const double engine = Median(all, [](const Round& r) { return r.engine.wall; });
  const double ours = Median(all, [](const Round& r) { return r.total.wall; });
  const double engine_cpu = Median(all, [](const Round& r) { return r.engine.cpu; });
  const double ours_cpu = Median(all, [](const Round& r) { return r.total.cpu; });
  const double rss = PeakRssGib();
  const std::int64_t expected = std::int64_t{gpus} * window.length().base();
  const bool is_conserved = std::all_of(all.begin(), all.end(), [&](const Round& round) {
    return round.sum.cost == round.sum.assets && round.sum.gpu_millis == expected;
  });
  fmt::print("lines {}, workload rows {}, findings {}\n", sum.lines, sum.workloads, sum.findings);
  fmt::print("cost of lines {}, of assets {}; GPU-hours {} of {}\n", sum.cost.ToString(),
             sum.assets.ToString(), ToDecimalHours(GpuMillis(sum.gpu_millis)),
             ToDecimalHours(GpuMillis(expected)));
  fmt::print(
      "median engine {:.3f} s, ours {:.3f} s, ratio {:.2f} (at most {:.1f}; of processor "
      "time {:.2f}), allocate {:.3f} cpu s a day, peak {:.2f} GiB (below {:.1f}), "
      "conserved: {}\n",
      engine, ours, ours / engine, kRatioMax, ours_cpu / engine_cpu,
      Median(all, [](const Round& r) { return r.sum.allocate_seconds; }) / days, rss, kRssMaxGib,
      is_conserved ? "yes" : "NO");
  return is_conserved && ours <= kRatioMax * engine && rss < kRssMaxGib ? 0 : 1;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) {
    return argc > i ? std::max(std::atoi(argv[i]), 1) : otherwise;
  };
  return plimsoll::Run(argument(1, 10'000), argument(2, 7), argument(3, 3));
}
