#include "ledger/day_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace plimsoll {
namespace {

using Key = std::tuple<Instant, std::int64_t, std::int64_t, std::int64_t>;

struct Sum {
  GpuHours time;
  std::array<Money, 7> cost;
};

constexpr std::array kCosts = {&CostLineBatch::gpu_cost,     &CostLineBatch::cpu_cost,
                               &CostLineBatch::memory_cost,  &CostLineBatch::storage_cost,
                               &CostLineBatch::network_cost, &CostLineBatch::shared_cost,
                               &CostLineBatch::overhead_cost};

// The greatest amount of a row: a store keeps less than 10^9 units.
const Money kMost = Money::Units(999'999'999);

// Takes as much of `left` as a row holds.
Money TakeOf(Money& left) {
  const Money part = std::clamp(left, Money() - kMost, kMost);
  left -= part;
  return part;
}

void Append(const Key& key, Sum sum, CostLineBatch& days) {
  bool is_left = true;
  while (is_left) {
    days.hour.push_back(std::get<0>(key));
    days.scope_id.push_back(std::get<1>(key));
    days.node_id.push_back(kNoId);
    days.workload_id.push_back(std::get<2>(key));
    days.cost_class.push_back(std::get<3>(key));
    days.gpu_time.push_back(sum.time);
    sum.time = GpuHours();
    is_left = false;
    for (std::size_t kind = 0; kind < kCosts.size(); ++kind) {
      (days.*kCosts[kind]).push_back(TakeOf(sum.cost[kind]));
      is_left = is_left || sum.cost[kind] != Money();
    }
  }
}

}  // namespace

CostLineBatch AddUpDays(const CostLineBatch& lines) {
  std::map<Key, Sum> sums;
  for (std::size_t i = 0; i < RowsOf(lines); ++i) {
    Sum& sum = sums[{FloorTo(lines.hour[i], Days(1)), lines.scope_id[i], lines.workload_id[i],
                     lines.cost_class[i]}];
    sum.time += lines.gpu_time[i];
    for (std::size_t kind = 0; kind < kCosts.size(); ++kind) {
      sum.cost[kind] += (lines.*kCosts[kind])[i];
    }
  }
  CostLineBatch days;
  for (const auto& [key, sum] : sums) Append(key, sum, days);
  return days;
}

}  // namespace plimsoll
