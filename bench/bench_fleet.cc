#include "bench_fleet.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

template <class Batch>
std::size_t AddBlank(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

}  // namespace

std::string BenchFleet::NodeName(int node) {
  return fmt::format("gpu-node-{:04}.example.internal", node);
}

std::string BenchFleet::DeviceName(int device) {
  return fmt::format("GPU-{:08x}-5d1f-4c0a-9b7e-{:012x}", device * 2'654'435, device);
}

std::uint64_t BenchFleet::Random(std::uint64_t below) {  // splitmix64
  state_ += 0x9E3779B97F4A7C15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return (z ^ (z >> 31)) % below;
}

BenchFleet::BenchFleet(int gpus, Window window_in) : window(window_in) {
  const int count = gpus / kGpusPerNode;
  for (int node = 0; node < count; ++node) {
    const std::size_t i = AddBlank(nodes);
    nodes.cluster[i] = "bench";
    nodes.node[i] = NodeName(node);
    nodes.instance_type[i] = "h100-pool";
    nodes.gpu_model[i] = "H100-SXM-80GB";
    nodes.gpu_count[i] = kGpusPerNode;
    nodes.cpu_milli[i] = 192'000;
    nodes.memory_bytes[i] = std::int64_t{2} << 40;
    nodes.labels[i] = "{}";
  }
  const std::size_t price = AddBlank(prices);
  prices.provider[price] = "on-prem";
  prices.instance_type[price] = "h100-pool";
  prices.purchase[price] = "owned";
  prices.rung[price] = kRungContracted;
  prices.currency[price] = "USD";
  prices.amount[price] = Money::FromNanos(31'464'123'457);
  prices.per_seconds[price] = 3600;
  prices.source[price] = "bench";
  prices.as_of[price] = "2026-05-01";

  for (int node = 0; node < count;) {
    const std::uint64_t part = Random(100);
    const int gang = std::min(1 << Random(4), count - node);
    if (part < 60) {
      AddGang(node, gang);
      node += gang;
    } else if (part < 85) {
      AddServices(node++);
    } else {
      AddSmallJobs(node++);
    }
  }
}

void BenchFleet::Hold(const std::string& name, const std::string& workload, int first_device,
                      int gpus, Window time) {
  const int node = first_device / kGpusPerNode;
  const std::size_t i = AddBlank(holdings);
  holdings.cluster[i] = "bench";
  holdings.node[i] = NodeName(node);
  holdings.source[i] = "kubernetes";
  holdings.ns[i] = fmt::format("team-{}", first_device % 17);
  holdings.name[i] = name;
  holdings.uid[i] = fmt::format("{}-{:04x}-uid", name, node);
  holdings.workload_kind[i] = "Job";
  holdings.workload[i] = workload;
  holdings.labels[i] = fmt::format(R"({{"env":"prod","model":"m{}","team":"team-{}"}})",
                                   serial_ % 40, first_device % 17);
  holdings.devices[i] = gpus;
  holdings.device_kind[i] = "gpu";
  holdings.share_num[i] = holdings.share_den[i] = 1;
  holdings.cpu_milli[i] = gpus * 20'000;
  holdings.memory_bytes[i] = gpus * (std::int64_t{200} << 30);
  holdings.begin[i] = time.begin;
  holdings.ready[i] =
      std::min(time.begin + Seconds(static_cast<std::int64_t>(30 + Random(600))), time.until);
  holdings.until[i] = time.until;
  if (serial_ % 10 == 9) return;
  for (int device = first_device; device < first_device + gpus; ++device) {
    const std::size_t b = AddBlank(bindings);
    bindings.cluster[b] = "bench";
    bindings.node[b] = NodeName(node);
    bindings.device[b] = DeviceName(device);
    bindings.ns[b] = holdings.ns[i];
    bindings.name[b] = name;
    bindings.begin[b] = time.begin + Seconds(60);
    bindings.until[b] = time.until;
  }
}

void BenchFleet::AddGang(int first_node, int count) {
  Instant at = window.begin - Hours(static_cast<std::int64_t>(Random(20)));
  while (at < window.until) {
    const Instant until = at + Minutes(static_cast<std::int64_t>(360 + Random(1'500)));
    const std::string workload = fmt::format("train-{}", ++serial_);
    for (int node = first_node; node < first_node + count; ++node) {
      Hold(fmt::format("{}-{}", workload, node - first_node), workload, node * kGpusPerNode,
           kGpusPerNode, {at, until});
    }
    at = until + Minutes(static_cast<std::int64_t>(Random(90)));
  }
}

void BenchFleet::AddServices(int node) {
  for (int gpu = 0; gpu < kGpusPerNode; ++gpu) {
    if (Random(10) == 0) continue;  // an idle card
    const std::string workload = fmt::format("serve-{}", ++serial_ % 120);
    Hold(fmt::format("{}-{}-{}", workload, node, gpu), workload, node * kGpusPerNode + gpu, 1,
         {window.begin - Days(3), window.until + Days(1)});
  }
}

void BenchFleet::AddSmallJobs(int node) {
  for (int gpu = 0; gpu < kGpusPerNode;) {
    const int gpus = std::min(1 << Random(3), kGpusPerNode - gpu);
    Instant at = window.begin + Minutes(static_cast<std::int64_t>(Random(300)));
    while (at < window.until) {
      const Instant until = at + Minutes(static_cast<std::int64_t>(20 + Random(400)));
      const std::string workload = fmt::format("job-{}", ++serial_);
      Hold(workload, workload, node * kGpusPerNode + gpu, gpus, {at, until});
      at = until + Minutes(static_cast<std::int64_t>(Random(120)));
    }
    gpu += gpus;
  }
}

}  // namespace plimsoll
