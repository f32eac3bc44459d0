// FleetGrid: the fleets that are looked at: every combination of so many units a kind of capacity.
//
// A kind is a flavor bought in one way (owned, reserved, on demand, spot); a unit is what it comes
// in (a node, a rack). Point 0 has the fewest of everything; the last axis counts fastest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

enum class Purchase : unsigned char { kOwned, kReserved, kOnDemand, kSpot };
inline constexpr const char* kPurchaseNames[] = {"owned", "reserved", "on-demand", "spot"};

struct FleetAxis {
  std::string name;  // of the node group
  std::string flavor;
  Purchase purchase = Purchase::kOwned;
  std::int64_t gpus_per_unit = 8;
  std::vector<std::int64_t> units;  // ascending, without doubles
  std::optional<Money> price;       // of a GPU-hour; null: not known
};

inline constexpr std::size_t kGridPointsMax = 10'000;

class FleetGrid {
 public:
  // Fails with kInvalidArgument, naming the axis: no units, not ascending, negative; too many
  // points in all.
  static Result<FleetGrid> Of(std::vector<FleetAxis> axes);

  std::size_t size() const { return size_; }
  const std::vector<FleetAxis>& axes() const { return axes_; }

  // Units of each axis at a point. REQUIRES here and below: point < size()
  std::vector<std::int64_t> Units(std::size_t point) const;
  std::int64_t Gpus(std::size_t point) const;
  // A month of 730 hours; null if an axis with units has no price.
  std::optional<Money> CostPerMonth(std::size_t point) const;
  // The point with the next greater number on one axis; null at its end.
  std::optional<std::size_t> Above(std::size_t point, std::size_t axis) const;
  // Whether every number at `greater` is at least that at `point`.
  bool Holds(std::size_t greater, std::size_t point) const;

 private:
  std::size_t Stride(std::size_t axis) const;

  std::vector<FleetAxis> axes_;
  std::size_t size_ = 1;
};

}  // namespace plimsoll
