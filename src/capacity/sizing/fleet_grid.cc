#include "capacity/sizing/fleet_grid.h"

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHoursPerMonth = 730;

Error Wrong(const FleetAxis& axis, const std::string& what) {
  return {ErrorCode::kInvalidArgument, axis.name + ": " + what};
}

Status CheckAxis(const FleetAxis& axis) {
  if (axis.units.empty()) return Wrong(axis, "no numbers of units are given");
  if (axis.gpus_per_unit < 1) return Wrong(axis, "a unit has no GPUs");
  for (std::size_t i = 0; i < axis.units.size(); ++i) {
    if (axis.units[i] < 0 || axis.units[i] > 10'000'000) {
      return Wrong(axis, std::to_string(axis.units[i]) + " units are not from 0 to 10000000");
    }
    if (i > 0 && axis.units[i] <= axis.units[i - 1]) {
      return Wrong(axis, "give the numbers of units in ascending order, each once");
    }
  }
  return Ok();
}

}  // namespace

Result<FleetGrid> FleetGrid::Of(std::vector<FleetAxis> axes) {
  FleetGrid grid;
  for (const FleetAxis& axis : axes) {
    PLIMSOLL_RETURN_IF_ERROR(CheckAxis(axis));
    if (axis.units.size() > kGridPointsMax / grid.size_) {
      return Wrong(axis, "the grid has more than " + std::to_string(kGridPointsMax) +
                             " fleets: take larger steps or narrower ranges");
    }
    grid.size_ *= axis.units.size();
  }
  grid.axes_ = std::move(axes);
  return grid;
}

std::size_t FleetGrid::Stride(std::size_t axis) const {
  std::size_t stride = 1;
  for (std::size_t i = axis + 1; i < axes_.size(); ++i) stride *= axes_[i].units.size();
  return stride;
}

std::vector<std::int64_t> FleetGrid::Units(std::size_t point) const {
  PLIMSOLL_CHECK(point < size_);
  std::vector<std::int64_t> units;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    units.push_back(axes_[i].units[point / Stride(i) % axes_[i].units.size()]);
  }
  return units;
}

std::int64_t FleetGrid::Gpus(std::size_t point) const {
  const std::vector<std::int64_t> units = Units(point);
  std::int64_t gpus = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) gpus += units[i] * axes_[i].gpus_per_unit;
  return gpus;
}

std::optional<Money> FleetGrid::CostPerMonth(std::size_t point) const {
  const std::vector<std::int64_t> units = Units(point);
  int128 nanos = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (units[i] == 0) continue;
    if (!axes_[i].price) return std::nullopt;
    nanos += axes_[i].price->nanos() * units[i] * axes_[i].gpus_per_unit * kHoursPerMonth;
  }
  return Money::FromNanos(nanos);
}

std::optional<std::size_t> FleetGrid::Above(std::size_t point, std::size_t axis) const {
  PLIMSOLL_CHECK(point < size_ && axis < axes_.size());
  const std::size_t stride = Stride(axis), count = axes_[axis].units.size();
  if (point / stride % count + 1 == count) return std::nullopt;
  return point + stride;
}

bool FleetGrid::Holds(std::size_t greater, std::size_t point) const {
  const std::vector<std::int64_t> more = Units(greater), less = Units(point);
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more[i] < less[i]) return false;
  }
  return true;
}

}  // namespace plimsoll
