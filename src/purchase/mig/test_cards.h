// Fixtures of the MIG tests: cards of the built-in catalog, and partitions in short names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "purchase/mig/mig_geometry.h"

namespace plimsoll {

inline const GpuModel& CardOf(const std::string& name) {
  static const Catalog catalog = [] {
    Result<Catalog> loaded = Catalog::Load(BuiltinCatalogFiles());
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
    return *std::move(loaded);
  }();
  const GpuModel* const gpu = catalog.FindGpu(name);
  EXPECT_NE(gpu, nullptr) << name;
  return *gpu;
}

inline MigGeometry GeometryOf(const std::string& name) {
  Result<MigGeometry> geometry = MigGeometry::Of(CardOf(name));
  EXPECT_TRUE(geometry.has_value());
  return *std::move(geometry);
}

inline MigCounts CountsOf(const MigGeometry& geometry, const std::vector<std::string>& names) {
  MigCounts counts(geometry.profiles().size(), 0);
  for (const std::string& name : names) {
    const Result<std::size_t> profile = geometry.FindProfile(name);
    EXPECT_TRUE(profile.has_value()) << name;
    if (profile.has_value()) ++counts[*profile];
  }
  return counts;
}

}  // namespace plimsoll
