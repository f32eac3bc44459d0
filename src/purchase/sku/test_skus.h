// Fixtures of the SKU tests: the built-in catalog, and shorthand for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "catalog/catalog.h"
#include "purchase/sku/memory_plan.h"

namespace plimsoll {

inline const Catalog& BuiltinCatalog() {
  static const Catalog catalog = [] {
    Result<Catalog> loaded = Catalog::Load(BuiltinCatalogFiles());
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
    return *std::move(loaded);
  }();
  return catalog;
}

inline const LanguageModel& ModelOf(const std::string& name) {
  return *BuiltinCatalog().FindModel(name);
}

inline const GpuModel& GpuOf(const std::string& name) { return *BuiltinCatalog().FindGpu(name); }

inline MemoryDemand Demand(const std::string& quantization, std::int64_t context,
                           std::int64_t batched_tokens = 0) {
  MemoryDemand demand;
  demand.options.quantization = quantization;
  demand.load.context = context;
  demand.load.batched_tokens = batched_tokens;
  return demand;
}

inline double GibOf(std::int64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kGib);
}

}  // namespace plimsoll
