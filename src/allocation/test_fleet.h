// TestFleet: a few nodes, holdings, samples and charges for the tests of this folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "allocation/allocation.h"

namespace plimsoll {

// Appends a row of default values and returns its index.
template <class Batch>
std::size_t AddBlank(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

// 2026-05-04T00:00:00Z; `T(90)` is 01:30.
inline const Instant kDay = AtSeconds(1'777'852'800);
inline Instant T(std::int64_t minutes) { return kDay + Minutes(minutes); }

struct TestFleet {
  ChargeBatch charges;
  NodeBatch nodes;
  HoldingBatch holdings;
  BindingBatch bindings;
  UsageBatch usage;
  PriceBatch prices;
  Catalog catalog;
  AllocationOptions options;

  TestFleet() {
    options.window = {kDay, kDay + Hours(1)};
    options.data_until = kDay + Days(1);
  }

  // Cluster "c"; no capacity but GPUs, so that its whole cost is GPU cost.
  std::size_t Node(const std::string& name, std::int64_t gpus) {
    const std::size_t i = AddBlank(nodes);
    nodes.cluster[i] = "c";
    nodes.node[i] = name;
    nodes.instance_type[i] = "pool";
    nodes.gpu_count[i] = gpus;
    return i;
  }

  // Pod ns/name of a Job by the same name, team label "t".
  std::size_t Hold(const std::string& node, const std::string& name, std::int64_t devices,
                   Window time) {
    const std::size_t i = AddBlank(holdings);
    holdings.cluster[i] = "c";
    holdings.node[i] = node;
    holdings.source[i] = "kubernetes";
    holdings.ns[i] = "ns";
    holdings.name[i] = name;
    holdings.uid[i] = "uid-" + name;
    holdings.workload_kind[i] = "Job";
    holdings.workload[i] = name;
    holdings.labels[i] = R"({"team":"t"})";
    holdings.devices[i] = devices;
    holdings.device_kind[i] = "gpu";
    holdings.share_num[i] = holdings.share_den[i] = 1;
    holdings.begin[i] = time.begin;
    holdings.until[i] = time.until;
    return i;
  }

  void Bind(const std::string& node, const std::string& device, const std::string& name,
            Window time, const std::string& instance = "") {
    const std::size_t i = AddBlank(bindings);
    bindings.cluster[i] = "c";
    bindings.node[i] = node;
    bindings.device[i] = device;
    bindings.instance[i] = instance;
    bindings.ns[i] = "ns";
    bindings.name[i] = name;
    bindings.begin[i] = time.begin;
    bindings.until[i] = time.until;
  }

  // A fully covered hour at `percent` busy.
  std::size_t Use(const std::string& node, const std::string& device, std::int64_t percent,
                  Instant hour = kDay) {
    const std::size_t i = AddBlank(usage);
    usage.cluster[i] = "c";
    usage.node[i] = node;
    usage.device[i] = device;
    usage.hour[i] = hour;
    usage.signal[i] = kSignalSmActive;
    usage.covered[i].fill(300'000);
    usage.active[i].fill(300'000 * percent * 10'000);
    return i;
  }

  // An hourly price of the "pool".
  void Price(const std::string& amount) {
    const std::size_t i = AddBlank(prices);
    prices.provider[i] = "on-prem";
    prices.instance_type[i] = "pool";
    prices.purchase[i] = "owned";
    prices.rung[i] = kRungContracted;
    prices.currency[i] = "USD";
    prices.amount[i] = *Money::Parse(amount);
    prices.per_seconds[i] = 3600;
    prices.source[i] = "test";
    prices.as_of[i] = "2026-05-01";
  }

  // A usage charge of resource `id`.
  std::size_t Charge(const std::string& id, const std::string& cost, Window time) {
    const std::size_t i = AddBlank(charges);
    charges.provider[i] = "AWS";
    charges.issuer[i] = "AWS";
    charges.account[i] = "1";
    charges.currency[i] = "USD";
    charges.billing_begin[i] = MonthOf(kDay).begin;
    charges.billing_until[i] = MonthOf(kDay).until;
    charges.charge_begin[i] = time.begin;
    charges.charge_until[i] = time.until;
    charges.category[i] = "Usage";
    charges.service_category[i] = "Compute";
    charges.service_name[i] = "Amazon EC2";
    charges.resource_id[i] = id;
    charges.tags[i] = "{}";
    charges.effective_cost[i] = *Money::Parse(cost);
    return i;
  }

  AllocationInput Input() const {
    return {charges, nodes, holdings, bindings, usage, prices, catalog};
  }

  AllocationOutput Allocate() const {
    auto output = plimsoll::Allocate(Input(), options);
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : AllocationOutput();
  }
};

// "used job gpu-ms gpu cpu memory storage network overhead" without trailing zeros, a line a
// row, in the output's order.
inline std::vector<std::string> Lines(const AllocationOutput& out) {
  std::vector<std::string> texts;
  const CostLineBatch& lines = out.lines;
  for (std::size_t i = 0; i < RowsOf(lines); ++i) {
    std::string text(NameOf(static_cast<CostClass>(lines.cost_class[i])));
    const auto workload = static_cast<std::size_t>(lines.workload_id[i]);
    text += lines.workload_id[i] < 0 ? " -" : " " + out.workloads.workload[workload];
    text += " " + std::to_string(lines.gpu_time[i].base());
    for (const Money cost :
         {lines.gpu_cost[i], lines.cpu_cost[i], lines.memory_cost[i], lines.storage_cost[i],
          lines.network_cost[i], lines.overhead_cost[i]}) {
      std::string number = cost.ToString();
      number.erase(number.find_last_not_of('0') + 1);
      if (number.ends_with('.')) number.pop_back();
      text += " " + number;
    }
    while (text.ends_with(" 0")) text.erase(text.size() - 2);
    texts.push_back(text);
  }
  return texts;
}

inline Money Total(const AllocationOutput& out) {
  Money sum;
  for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
    sum += out.lines.gpu_cost[i] + out.lines.cpu_cost[i] + out.lines.memory_cost[i] +
           out.lines.storage_cost[i] + out.lines.network_cost[i] + out.lines.overhead_cost[i];
  }
  return sum;
}

}  // namespace plimsoll
