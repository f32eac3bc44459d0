// BenchFleet: a synthetic fleet for whole-run benchmarks, the same on every machine.
//
// Nodes of 8 GPUs each in three parts: gang jobs over 1 to 8 whole nodes, services of one GPU a
// pod, and small jobs of 1 to 4 GPUs with gaps between them. Evidence (bindings) for all but
// every tenth holder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/fleet.h"
#include "model/holding.h"
#include "model/price.h"
#include "units/time.h"

namespace plimsoll {

struct BenchFleet {
  static constexpr int kGpusPerNode = 8;

  BenchFleet(int gpus, Window window);

  // Device `d` is GPU d % 8 of node d / 8.
  static std::string NodeName(int node);
  static std::string DeviceName(int device);

  Window window;
  NodeBatch nodes;
  HoldingBatch holdings;
  BindingBatch bindings;
  PriceBatch prices;

 private:
  // A pod or job of `gpus` devices from `first_device` on, on one node.
  void Hold(const std::string& name, const std::string& workload, int first_device, int gpus,
            Window time);
  std::uint64_t Random(std::uint64_t below);
  void AddGang(int first_node, int count);
  void AddServices(int node);
  void AddSmallJobs(int node);

  std::uint64_t state_ = 20'260'901;
  int serial_ = 0;
};

}  // namespace plimsoll
