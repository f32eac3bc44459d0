// RandomFleet: small fleets of whole GPUs for the allocation's properties, from a seed.
//
// Times are whole minutes and every twelfth is covered whole or not at all, so that a naive
// allocator can walk the minutes. Everything else is random: prices in odd nanos, partial
// hours, start-up, missing telemetry, cards that vanish, holders without evidence of use.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "allocation/allocation.h"

namespace plimsoll {

inline constexpr Instant kFleetBegin = AtSeconds(1'777'852'800);  // 2026-05-04T00:00:00Z
inline constexpr std::int64_t kFleetHours = 3;

struct RandomFleet {
  ChargeBatch charges;
  NodeBatch nodes;
  HoldingBatch holdings;
  BindingBatch bindings;
  UsageBatch usage;
  PriceBatch prices;
  Catalog catalog;
  AllocationOptions options;

  AllocationInput Input() const {
    return {charges, nodes, holdings, bindings, usage, prices, catalog};
  }
};

template <class Batch>
std::size_t AddRow(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

class FleetMaker {
 public:
  explicit FleetMaker(std::uint64_t seed) : random_(seed) {}

  RandomFleet Make() {
    fleet_.options.window = {kFleetBegin, kFleetBegin + Hours(kFleetHours)};
    fleet_.options.data_until = kFleetBegin + Days(1);
    const std::int64_t nodes = Between(1, 3);
    for (std::int64_t n = 0; n < nodes; ++n) AddNode("node-" + std::to_string(n));
    if (Chance(50)) AddDirectCharge();
    return std::move(fleet_);
  }

 private:
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  static Instant At(std::int64_t minute) { return kFleetBegin + Minutes(minute); }

  void AddNode(const std::string& name) {
    const std::int64_t gpus = Between(1, 4);
    const std::size_t n = AddRow(fleet_.nodes);
    fleet_.nodes.cluster[n] = "c";
    fleet_.nodes.node[n] = name;
    fleet_.nodes.provider_id[n] = "aws:///z/i-" + name;
    fleet_.nodes.gpu_count[n] = gpus;
    fleet_.nodes.cpu_milli[n] = 1'000 * Between(1, 64);
    fleet_.nodes.memory_bytes[n] = Between(1, 512) << 30;
    fleet_.nodes.labels[n] = "{}";
    for (std::int64_t hour = 0; hour < kFleetHours; ++hour) {
      if (hour == 0 || Chance(90)) AddNodeCharge(name, hour);
      for (std::int64_t gpu = 0; gpu < gpus; ++gpu) AddUsage(name, gpu, hour);
    }
    for (std::int64_t gpu = 0; gpu < gpus; ++gpu) AddHolders(name, gpu);
  }

  void AddCharge(const std::string& resource, Window time) {
    const std::size_t i = AddRow(fleet_.charges);
    fleet_.charges.provider[i] = fleet_.charges.issuer[i] = "AWS";
    fleet_.charges.account[i] = "1";
    fleet_.charges.currency[i] = "USD";
    const Window month = MonthOf(kFleetBegin);
    fleet_.charges.billing_begin[i] = month.begin;
    fleet_.charges.billing_until[i] = month.until;
    fleet_.charges.charge_begin[i] = time.begin;
    fleet_.charges.charge_until[i] = time.until;
    fleet_.charges.category[i] = "Usage";
    fleet_.charges.service_category[i] = "Compute";
    fleet_.charges.service_name[i] = resource.empty() ? "Support" : "EC2";
    fleet_.charges.resource_id[i] = resource;
    fleet_.charges.tags[i] = "{}";
    fleet_.charges.effective_cost[i] = Money::FromNanos(Between(1, 90'000'000'007));
  }
  void AddNodeCharge(const std::string& name, std::int64_t hour) {
    const std::int64_t begin = 60 * hour + (Chance(80) ? 0 : Between(1, 30));
    const std::int64_t until = 60 * hour + (Chance(80) ? 60 : Between(31, 59));
    AddCharge("i-" + name, {At(begin), At(until)});
    if (Chance(20)) AddCharge("i-" + name, {At(begin), At(until)});  // a surcharge
  }
  void AddDirectCharge() { AddCharge("", {kFleetBegin - Minutes(30), At(Between(1, 400))}); }

  void AddUsage(const std::string& node, std::int64_t gpu, std::int64_t hour) {
    if (Chance(10)) return;  // no sample in this hour
    const std::size_t i = AddRow(fleet_.usage);
    fleet_.usage.cluster[i] = "c";
    fleet_.usage.node[i] = node;
    fleet_.usage.device[i] = node + "-" + std::to_string(gpu);
    fleet_.usage.gpu_index[i] = gpu;
    fleet_.usage.hour[i] = kFleetBegin + Hours(hour);
    fleet_.usage.signal[i] = kSignalSmActive;
    for (std::size_t t = 0; t < 12; ++t) {
      if (Chance(15)) continue;
      fleet_.usage.covered[i][t] = kTwelfth.base();
      fleet_.usage.active[i][t] = kTwelfth.base() * (Chance(30) ? 0 : Between(0, 1'000) * 1'000);
    }
  }

  void AddHolders(const std::string& node, std::int64_t gpu) {
    for (std::int64_t at = Between(0, 60); at < 60 * kFleetHours; at += Between(1, 40)) {
      const std::int64_t until = at + Between(1, 120);
      const std::size_t i = AddRow(fleet_.holdings);
      HoldingBatch& h = fleet_.holdings;
      h.cluster[i] = "c";
      h.node[i] = node;
      h.source[i] = "kubernetes";
      h.ns[i] = "ns";
      h.name[i] = h.uid[i] = "pod-" + std::to_string(i);
      h.workload_kind[i] = "Job";
      h.workload[i] = "job-" + std::to_string(Between(0, 3));
      h.labels[i] = R"({"team":"t"})";
      h.devices[i] = h.share_num[i] = h.share_den[i] = 1;
      h.device_kind[i] = "gpu";
      h.cpu_milli[i] = 100 * Between(0, 80);
      h.memory_bytes[i] = Between(0, 40) << 30;
      h.begin[i] = At(at);
      if (Chance(60)) h.ready[i] = At(std::min(until, at + Between(0, 20)));
      h.until[i] = At(until);
      const std::size_t b = AddRow(fleet_.bindings);
      fleet_.bindings.cluster[b] = "c";
      fleet_.bindings.node[b] = node;
      fleet_.bindings.device[b] = node + "-" + std::to_string(gpu);
      fleet_.bindings.ns[b] = "ns";
      fleet_.bindings.name[b] = h.name[i];
      fleet_.bindings.begin[b] = At(at);
      fleet_.bindings.until[b] = At(until);
      at = until;
    }
  }

  std::mt19937_64 random_;
  RandomFleet fleet_;
};

}  // namespace plimsoll
