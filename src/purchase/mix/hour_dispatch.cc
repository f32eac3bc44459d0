#include "purchase/mix/hour_dispatch.h"

#include <algorithm>
#include <numeric>

#include "model/commitment.h"

namespace plimsoll {
namespace {

// Splits `left` of one hour over loads of one price; what is rounded goes to the later ones, so
// that all adds up.
void TakeHour(std::span<const DispatchLoad> loads, std::span<const std::size_t> level,
              std::size_t hour, std::int64_t& left, DispatchedUse& out) {
  int128 all = 0;
  for (const std::size_t i : level) all += (*loads[i].used)[hour];
  const int128 given = std::min<int128>(all, left);
  int128 before = 0, cut = 0;
  for (const std::size_t i : level) {
    const std::int64_t used = (*loads[i].used)[hour];
    before += used;
    const int128 until = all > 0 ? before * given / all : 0;
    out.reserved[i] += until - cut;
    out.elsewhere[i] += used - (until - cut);
    cut = until;
  }
  left -= static_cast<std::int64_t>(given);
}

}  // namespace

DispatchedUse DispatchHours(std::span<const DispatchLoad> loads, std::int64_t existing,
                            std::int64_t bought) {
  DispatchedUse out;
  out.reserved.resize(loads.size());
  out.elsewhere.resize(loads.size());
  if (loads.empty()) return out;
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return loads[a].elsewhere > loads[b].elsewhere;
  });
  const std::int64_t first = existing * kUnitHour, both = first + bought * kUnitHour;
  for (std::size_t hour = 0; hour < loads.front().used->size(); ++hour) {
    std::int64_t left = both;
    for (std::size_t from = 0; from < order.size();) {
      std::size_t until = from + 1;
      while (until < order.size() &&
             loads[order[until]].elsewhere == loads[order[from]].elsewhere) {
        ++until;
      }
      TakeHour(loads, std::span(order).subspan(from, until - from), hour, left, out);
      from = until;
    }
    const std::int64_t used = both - left;
    out.existing += std::min(used, first);
    out.bought += std::max<std::int64_t>(0, used - first);
  }
  return out;
}

}  // namespace plimsoll
