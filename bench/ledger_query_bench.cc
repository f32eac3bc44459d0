// ledger_query_bench: a month of a fleet's pods by namespace from stored cost lines, beside the
// database engine's own scan of the same lines.
//
//   ledger_query_bench [PODS [DAYS [ROUNDS [MEMORY]]]]   (1000 7 20; the claim is 10000 30 20)
//
// PODS pods of one GPU in 200 namespaces, eight a node. (a) Samples of every minute are folded
// and stored a day at a time. (b) The ledger computes all days for the first time. (c) ROUNDS
// times each: allocation by namespace over all days, and the engine's own GROUP BY over the
// lines. (a) and (b) are processes of their own, so that their peaks of memory are too. MEMORY
// ("256MB") is the engine's part of it, the program's default if not given. Checks that money
// and GPU time are conserved and that (c) agrees with the engine. Fails (exit 1) if not, if the
// median of (c) is 100 ms or more, or if (b) peaks at 1 GiB or more.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "bench_fleet.h"
#include "ingest/fleet_load.h"
#include "ingest/usage_fold.h"
#include "ingest/usage_load.h"
#include "ledger/ledger.h"
#include "ledger/query.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr double kQueryMsMax = 100;
constexpr double kRssMaxGib = 1.0;
constexpr int kNamespaces = 200;
constexpr int kWorkloadsEach = 10;  // of a namespace
constexpr char kCluster[] = "bench";
constexpr Duration kHold = Minutes(5);

struct Plan {
  int pods = 1'000, days = 7, rounds = 20;
  std::string path, memory;

  Window window() const {
    const Instant begin = *ParseInstant("2026-05-04T00:00:00Z");
    return {begin, begin + Days(days)};
  }
  int nodes() const { return (pods + BenchFleet::kGpusPerNode - 1) / BenchFleet::kGpusPerNode; }
  int gpus() const { return nodes() * BenchFleet::kGpusPerNode; }
};

[[noreturn]] void Fail(const std::string& what) {
  fmt::print(stderr, "ledger_query_bench: {}\n", what);
  std::exit(1);
}

void Require(const Status& status) {
  if (!status) Fail(status.error().message);
}

template <class T>
T Require(Result<T> result) {
  if (!result) Fail(result.error().message);
  return *std::move(result);
}

double SecondsOf(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Milliseconds of each round: on the wall, and of all processors together, which is what
// remains comparable on a machine that does other work too.
struct Rounds {
  std::vector<double> wall, cpu;

  void Add(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    wall.push_back(1e3 * SecondsOf(work));
    cpu.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  static double Median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }
  double Wall() const { return Median(wall); }
  std::string Text() const {
    return fmt::format("{:.1f} ms (first {:.1f}, least {:.1f}; processor time {:.1f})", Wall(),
                       wall.front(), *std::min_element(wall.begin(), wall.end()), Median(cpu));
  }
};

double PeakRssGib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

// Runs `work` in a process of its own; returns its peak of memory in GiB.
double PeakOf(const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) Fail("no process");
  if (child == 0) {
    work();
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) Fail("a step failed");
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

std::uint64_t Mix(std::uint64_t z) {  // splitmix64's finish
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

template <class Batch>
std::size_t AddBlank(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

void AddNodes(const Plan& plan, NodeBatch& nodes) {
  for (int node = 0; node < plan.nodes(); ++node) {
    const std::size_t i = AddBlank(nodes);
    nodes.cluster[i] = kCluster;
    nodes.node[i] = BenchFleet::NodeName(node);
    nodes.instance_type[i] = "h100-pool";
    nodes.gpu_model[i] = "H100-SXM-80GB";
    nodes.gpu_count[i] = BenchFleet::kGpusPerNode;
    nodes.cpu_milli[i] = 192'000;
    nodes.memory_bytes[i] = std::int64_t{2} << 40;
    nodes.labels[i] = "{}";
  }
}

// When pod `pod` is there: most all the time, a tenth comes and a tenth goes on the way.
Window LifeOf(const Plan& plan, int pod) {
  Window life = plan.window();
  const auto minutes = static_cast<std::uint64_t>(plan.days) * 720;  // half of the time
  const Duration part =
      Minutes(static_cast<std::int64_t>(Mix(static_cast<std::uint64_t>(pod)) % minutes));
  if (pod % 10 == 3) life.begin = life.begin + part;
  if (pod % 10 == 7) life.until = life.until - part;
  return life;
}

// Neighbours on a node are of different namespaces: every pod has lines of its own.
void AddPod(const Plan& plan, int pod, FleetFacts& facts) {
  const int ns = pod % kNamespaces;
  const Window life = LifeOf(plan, pod);
  HoldingBatch& h = facts.holdings;
  const std::size_t i = AddBlank(h);
  h.cluster[i] = kCluster;
  h.node[i] = BenchFleet::NodeName(pod / BenchFleet::kGpusPerNode);
  h.source[i] = "kubernetes";
  h.ns[i] = fmt::format("team-{:03}", ns);
  h.workload[i] = fmt::format("serve-{}", pod / kNamespaces % kWorkloadsEach);
  h.name[i] = fmt::format("{}-{:05}", h.workload[i], pod);
  h.uid[i] = fmt::format("pod-{:05}-uid", pod);
  h.workload_kind[i] = "Deployment";
  h.labels[i] = fmt::format(R"({{"env":"prod","team":"team-{:03}"}})", ns);
  h.devices[i] = h.share_num[i] = h.share_den[i] = 1;
  h.device_kind[i] = "gpu";
  h.cpu_milli[i] = 20'000;
  h.memory_bytes[i] = std::int64_t{200} << 30;
  h.begin[i] = life.begin;
  h.ready[i] = life.begin + Minutes(2);
  h.until[i] = life.until;
  BindingBatch& b = facts.bindings;
  const std::size_t at = AddBlank(b);
  b.cluster[at] = kCluster;
  b.node[at] = h.node[i];
  b.device[at] = BenchFleet::DeviceName(pod);
  b.ns[at] = h.ns[i];
  b.name[at] = h.name[i];
  b.begin[at] = life.begin;
  b.until[at] = life.until;
}

PriceBatch Prices() {
  PriceBatch prices;
  const std::size_t i = AddBlank(prices);
  prices.provider[i] = "on-prem";
  prices.instance_type[i] = "h100-pool";
  prices.purchase[i] = "owned";
  prices.rung[i] = kRungContracted;
  prices.currency[i] = "USD";
  prices.amount[i] = Money::FromNanos(31'464'123'457);
  prices.per_seconds[i] = 3600;
  prices.source[i] = "bench";
  prices.as_of[i] = "2026-05-01";
  return prices;
}

std::unique_ptr<Store> Open(const Plan& plan) {
  DuckDbOptions options{.path = plan.path, .threads = 2};
  if (!plan.memory.empty()) options.memory_limit = plan.memory;
  return Require(OpenDuckDb(options));
}

void LoadFleet(const Plan& plan, Store& store) {
  FleetFacts facts;
  AddNodes(plan, facts.nodes);
  for (int pod = 0; pod < plan.pods; ++pod) AddPod(plan, pod, facts);
  SnapshotLoad load = Require(SnapshotLoad::Begin(store));
  FleetFacts bindings;
  std::swap(bindings.bindings, facts.bindings);
  Require(StoreFleet(store, load, {"kubernetes", kCluster, {}}, std::move(facts)));
  Require(StoreFleet(store, load, {"bindings", kCluster, {}}, std::move(bindings)));
  ImportReport report;
  Require(load.Commit(report));
}

// Sweep after sweep over all devices, as a scraper sees them.
UsageBatch FoldDay(const Plan& plan, const DeviceTable& devices, Window day) {
  UsageFolder folder(devices, day, kHold);
  const auto gpus = static_cast<std::size_t>(plan.gpus());
  std::vector<std::int64_t> device(gpus), at(gpus), value(gpus);
  for (std::size_t d = 0; d < gpus; ++d) device[d] = static_cast<std::int64_t>(d);
  for (Instant t = day.begin - kHold; t < day.until; t = t + Minutes(1)) {
    at.assign(gpus, t.base());
    const auto minute = static_cast<std::uint64_t>(t.base() / Minutes(1).base());
    for (std::size_t d = 0; d < gpus; ++d) {
      value[d] = static_cast<std::int64_t>(Mix(minute * 1'000'003 + d) % 1'000'001);
    }
    folder.Add({UsageSignal::kSmActive, device, device, at, value});
  }
  UsageBatch usage;
  folder.Fold(kCluster, usage);
  return usage;
}

void LoadAll(const Plan& plan) {
  std::unique_ptr<Store> store = Open(plan);
  LoadFleet(plan, *store);
  DeviceTable devices;
  for (int d = 0; d < plan.gpus(); ++d) {
    devices.Intern(BenchFleet::DeviceName(d), "");
    devices.InternLabels({BenchFleet::NodeName(d / BenchFleet::kGpusPerNode), "",
                          "NVIDIA H100 80GB HBM3", d % BenchFleet::kGpusPerNode});
  }
  double fold = 0, write = 0;
  for (Instant at = plan.window().begin; at < plan.window().until; at = at + Days(1)) {
    const Window day{at, at + Days(1)};
    UsageBatch usage;
    fold += SecondsOf([&] { usage = FoldDay(plan, devices, day); });
    write += SecondsOf([&] {
      SnapshotLoad load = Require(SnapshotLoad::Begin(*store));
      Require(StoreUsageDay(*store, load, {kCluster, day, day}, std::move(usage)));
      ImportReport report;
      Require(load.Commit(report));
    });
  }
  fmt::print("  samples made and folded in {:.1f} s, rows stored in {:.1f} s\n", fold, write);
}

Ledger OpenLedger(Store& store, const Catalog& catalog) {
  LedgerOptions options;
  options.prices = Prices();
  return Require(Ledger::Open(store, catalog, std::move(options)));
}

void ComputeAll(const Plan& plan) {
  std::unique_ptr<Store> store = Open(plan);
  const Catalog catalog;
  Ledger ledger = OpenLedger(*store, catalog);
  const double seconds = SecondsOf([&] { Require(ledger.Refresh(plan.window())); });
  fmt::print("  first computation {:.1f} s, {:.2f} s a day\n", seconds, seconds / plan.days);
}

struct EngineRows {
  std::vector<std::string> ns;
  std::vector<GpuHours> gpu_time;
  std::vector<MoneyTotal> gpu, cpu, memory;
  static constexpr std::tuple kColumns{
      MakeColumn("namespace", &EngineRows::ns), MakeColumn("gpu_time", &EngineRows::gpu_time),
      MakeColumn("gpu_cost", &EngineRows::gpu), MakeColumn("cpu_cost", &EngineRows::cpu),
      MakeColumn("memory_cost", &EngineRows::memory)};
};

EngineRows AskEngine(Store& store, Window window) {
  return Require(Query<EngineRows>(
      store,
      "SELECT coalesce(w.namespace, '') AS namespace, sum(l.gpu_time)::BIGINT, sum(l.gpu_cost), "
      "sum(l.cpu_cost), sum(l.memory_cost) FROM ledger_line l LEFT JOIN ledger_workload w ON "
      "w.day_id = l.day_id AND w.id = l.workload_id WHERE l.hour >= ? AND l.hour < ? "
      "GROUP BY 1 ORDER BY 1",
      {window.begin, window.until}));
}

bool Agree(LedgerTable ours, const EngineRows& engine) {
  std::sort(ours.rows.begin(), ours.rows.end(),
            [](const LedgerRow& a, const LedgerRow& b) { return a.keys < b.keys; });
  if (ours.rows.size() != RowsOf(engine)) return false;
  for (std::size_t i = 0; i < ours.rows.size(); ++i) {
    const Money cost = engine.gpu[i].value + engine.cpu[i].value + engine.memory[i].value;
    if (ours.rows[i].keys.at(0) != engine.ns[i] || ours.rows[i].gpu_time != engine.gpu_time[i] ||
        ours.rows[i].cost != cost) {
      return false;
    }
  }
  return true;
}

struct CountRow {
  std::vector<std::int64_t> lines;
  static constexpr std::tuple kColumns{MakeColumn("lines", &CountRow::lines)};
};
struct AssetRow {
  std::vector<MoneyTotal> cost;
  static constexpr std::tuple kColumns{MakeColumn("cost", &AssetRow::cost)};
};

// Every card of every hour, and all that the nodes cost.
bool Conserved(const Plan& plan, Store& store, const LedgerTable& table) {
  const AssetRow assets = Require(Query<AssetRow>(store, "SELECT sum(cost) FROM ledger_asset"));
  GpuHours time;
  Money cost;
  for (const LedgerRow& row : table.rows) {
    time += row.gpu_time;
    cost += row.cost;
  }
  const std::int64_t expected = plan.gpus() * plan.window().length().base();
  fmt::print("GPU-hours {} of {}, cost {} of {}\n", ToDecimalHours(time),
             ToDecimalHours(GpuMillis(expected)), cost.ToString(),
             assets.cost.at(0).value.ToString());
  return time == GpuMillis(expected) && cost == assets.cost[0].value;
}

int AskAll(const Plan& plan, double compute_peak) {
  std::unique_ptr<Store> store = Open(plan);
  const Catalog catalog;
  Ledger ledger = OpenLedger(*store, catalog);
  const double check = SecondsOf([&] { Require(ledger.Refresh(plan.window())); });
  LedgerTable ours;
  EngineRows engine;
  Rounds query, scan;
  for (int round = 0; round < plan.rounds; ++round) {
    scan.Add([&] { engine = AskEngine(*store, plan.window()); });
    query.Add([&] { ours = Require(RunQuery(*store, {plan.window(), {"namespace"}, ""})); });
  }
  const bool agree = Agree(ours, engine);
  const bool conserved = Conserved(plan, *store, ours);
  const CountRow count =
      Require(Query<CountRow>(*store, "SELECT count(*) AS lines FROM ledger_line"));
  fmt::print("{} lines, {} namespaces; nothing new found in {:.2f} s\n", count.lines.at(0),
             ours.rows.size(), check);
  fmt::print("medians of {}: by namespace {}, below {:.0f} ms; the engine's own scan {}\n",
             plan.rounds, query.Text(), kQueryMsMax, scan.Text());
  fmt::print("ratio {:.2f}, peak {:.2f} GiB\n", query.Wall() / scan.Wall(), PeakRssGib());
  fmt::print("first computation peak {:.2f} GiB (below {:.1f}); conserved: {}; agree: {}\n",
             compute_peak, kRssMaxGib, conserved ? "yes" : "NO", agree ? "yes" : "NO");
  return conserved && agree && query.Wall() < kQueryMsMax && compute_peak < kRssMaxGib ? 0 : 1;
}

int Run(const Plan& plan) {
  fmt::print("{} pods, {} nodes, {} days, {} samples\n", plan.pods, plan.nodes(), plan.days,
             plan.gpus() * plan.window().length().base() / Minutes(1).base());
  const double load_peak = PeakOf([&] { LoadAll(plan); });
  fmt::print("loaded, peak {:.2f} GiB, {} MB\n", load_peak,
             std::filesystem::file_size(plan.path) / 1'000'000);
  const double compute_peak = PeakOf([&] { ComputeAll(plan); });
  const int code = AskAll(plan, compute_peak);
  std::filesystem::remove(plan.path);
  return code;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) {
    return argc > i ? std::max(std::atoi(argv[i]), 1) : otherwise;
  };
  plimsoll::Plan plan{.pods = argument(1, 1'000),
                      .days = std::min(argument(2, 7), 3'650),
                      .rounds = argument(3, 20),
                      .path = {},
                      .memory = argc > 4 ? argv[4] : ""};
  plan.path =
      (std::filesystem::temp_directory_path() / fmt::format("plimsoll-bench-{}.duckdb", ::getpid()))
          .string();
  return plimsoll::Run(plan);
}
