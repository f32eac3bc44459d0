#include "sharing/sharing.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "sharing/divide.h"

namespace plimsoll {
namespace {

// Amounts as lanes of whole numbers: nanos of each kind, then three GPU times.
constexpr std::size_t kTimeLane = kSharingKindCount;
constexpr std::size_t kLaneCount = kSharingKindCount + 3;
using Lanes = std::array<int128, kLaneCount>;

Lanes ToLanes(const SharingAmounts& amounts) {
  Lanes lanes;
  for (std::size_t i = 0; i < kSharingKindCount; ++i) lanes[i] = amounts.cost[i].nanos();
  lanes[kTimeLane] = amounts.gpu_time.base();
  lanes[kTimeLane + 1] = amounts.gpu_used.base();
  lanes[kTimeLane + 2] = amounts.gpu_unknown.base();
  return lanes;
}

SharingAmounts FromLanes(const Lanes& lanes) {
  SharingAmounts amounts;
  const auto time = [&](std::size_t i) {
    return GpuMillis(static_cast<std::int64_t>(lanes[kTimeLane + i]));
  };
  for (std::size_t i = 0; i < kSharingKindCount; ++i) amounts.cost[i] = Money::FromNanos(lanes[i]);
  amounts.gpu_time = time(0);
  amounts.gpu_used = time(1);
  amounts.gpu_unknown = time(2);
  return amounts;
}

void AddTo(Lanes& sum, const Lanes& lanes) {
  for (std::size_t i = 0; i < kLaneCount; ++i) sum[i] += lanes[i];
}

// The kind whose cost a lane of idle follows.
std::size_t KindOf(std::size_t lane) {
  return lane < kTimeLane ? lane : static_cast<std::size_t>(SharingKind::kGpu);
}

bool IsOwnCost(std::size_t lane) { return lane < static_cast<std::size_t>(SharingKind::kShared); }

// All rows of one role, key, cluster and node: halves are what the filter keeps and drops.
struct Cell {
  SharingRole role;
  const SharingKey* key;
  const std::string *cluster, *node;
  Halves<bool> present{};
  Halves<Lanes> own{};
  Halves<Lanes> given{};  // idle

  Lanes Own() const {
    Lanes sum = own[kKept];
    AddTo(sum, own[kDropped]);
    return sum;
  }
  int128 OwnCost(std::size_t half) const {
    int128 sum = 0;
    for (std::size_t i = 0; IsOwnCost(i); ++i) sum += own[half][i];
    return sum;
  }
};

struct Pool {
  std::vector<std::size_t> takers, idle;  // cells, by key
  std::array<bool, kLaneCount> taken{};   // the lane's idle found takers
  Lanes kept{};            // separate: idle that belongs to the kept half of workloads
  Halves<Lanes> shared{};  // separate: idle that belongs to shared cells
};

class Engine {
 public:
  Engine(std::span<const SharingRow> rows, const SharingPolicy& policy) : policy_(policy) {
    Merge(rows);
  }

  Result<SharingResult> Run() {
    for (const auto& [key, weight] : policy_.metric) {
      if (weight < 0) return Error{ErrorCode::kInvalidArgument, "a metric to share by is negative"};
    }
    // Without a filter separate idle stays what it is: nothing belongs to a row that is hidden.
    tracks_ = policy_.idle == IdleSharing::kSeparate && any_dropped_;
    if (policy_.idle == IdleSharing::kShare || tracks_) {
      for (auto& [id, pool] : pools_) PLIMSOLL_RETURN_IF_ERROR(GiveIdle(pool));
    }
    PLIMSOLL_RETURN_IF_ERROR(GiveShared());
    if (tracks_) PLIMSOLL_RETURN_IF_ERROR(FollowShared());
    CollectRows();
    PLIMSOLL_RETURN_IF_ERROR(CollectIdle());
    CheckNothingLost();
    return std::move(out_);
  }

 private:
  using CellId = std::tuple<SharingKey, std::string, std::string, SharingRole>;

  void Merge(std::span<const SharingRow> rows) {
    for (const SharingRow& row : rows) {
      Cell& cell = merged_[{row.key, row.cluster, row.node, row.role}];
      const std::size_t half = row.kept ? kKept : kDropped;
      cell.present[half] = true;
      AddTo(cell.own[half], ToLanes(row.amounts));
      AddTo(in_, ToLanes(row.amounts));
      any_dropped_ = any_dropped_ || !row.kept;
    }
    for (auto& [id, cell] : merged_) {
      cell.key = &std::get<0>(id);
      cell.cluster = &std::get<1>(id);
      cell.node = &std::get<2>(id);
      cell.role = std::get<3>(id);
      Pool& pool = pools_[{*cell.cluster, policy_.idle_by_node ? *cell.node : std::string()}];
      (cell.role == SharingRole::kIdle ? pool.idle : pool.takers).push_back(cells_.size());
      cells_.push_back(&cell);
    }
    in_[static_cast<std::size_t>(SharingKind::kOverhead)] += policy_.overhead.nanos();
  }

  // Takers in the order of `cells`; `weight` of a cell's half.
  template <class Weight>
  std::vector<Taker> TakersOf(const std::vector<std::size_t>& cells, Weight weight) const {
    std::vector<Taker> takers;
    std::size_t key = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = *cells_[cells[i]];
      if (i > 0 && *cell.key != *cells_[cells[i - 1]]->key) ++key;
      takers.push_back({key, {weight(cell, kKept), weight(cell, kDropped)}, cell.present});
    }
    return takers;
  }

  // One weight a key of `cells`; empty: by the takers' own weights.
  std::vector<int128> KeyWeights(const std::vector<std::size_t>& cells, SharingSplit split) const {
    std::vector<int128> weights;
    if (split == SharingSplit::kWeighted) return weights;
    const SharingKey* last = nullptr;
    for (const std::size_t at : cells) {
      const SharingKey& key = *cells_[at]->key;
      if (last != nullptr && *last == key) continue;
      last = &key;
      const auto found = policy_.metric.find(key);
      const int128 metric = found == policy_.metric.end() ? 0 : found->second;
      weights.push_back(split == SharingSplit::kEven ? 1 : metric);
    }
    return weights;
  }

  Status GiveIdle(Pool& pool) {
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      int128 idle = 0;
      for (const std::size_t at : pool.idle) idle += cells_[at]->Own()[lane];
      if (idle == 0) continue;
      const std::size_t kind = KindOf(lane);
      const auto weight = [&](const Cell& cell, std::size_t half) { return cell.own[half][kind]; };
      PLIMSOLL_TRY(const auto parts, Divide(idle, TakersOf(pool.takers, weight),
                                            KeyWeights(pool.takers, policy_.idle_split)));
      if (parts.empty()) continue;
      pool.taken[lane] = true;
      for (std::size_t i = 0; i < parts.size(); ++i) PutIdle(pool, i, lane, parts[i]);
    }
    return Ok();
  }

  void PutIdle(Pool& pool, std::size_t taker, std::size_t lane, const Halves<int128>& part) {
    Cell& cell = *cells_[pool.takers[taker]];
    if (!tracks_) {
      cell.given[kKept][lane] += part[kKept];
      cell.given[kDropped][lane] += part[kDropped];
    } else if (cell.role == SharingRole::kShared) {
      for (const std::size_t half : {kKept, kDropped}) pool.shared[half][lane] += part[half];
    } else {
      pool.kept[lane] += part[kKept];
    }
  }

  // Parts of a total over all workloads, by the policy for shared cost; empty: nobody can take.
  Result<std::vector<Halves<int128>>> DivideShared(int128 total) const {
    const auto weight = [](const Cell& cell, std::size_t half) { return cell.OwnCost(half); };
    return Divide(total, TakersOf(workloads_, weight),
                  KeyWeights(workloads_, policy_.shared_split));
  }

  Status GiveShared() {
    Lanes shared{};
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& cell = *cells_[i];
      if (cell.role == SharingRole::kWorkload) workloads_.push_back(i);
      if (cell.role != SharingRole::kShared) continue;
      AddTo(shared, cell.Own());
      for (const Lanes& given : cell.given) AddTo(shared, given);
    }
    Lanes totals{};  // what is given: all cost as shared cost, time as time
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      totals[lane < kTimeLane ? static_cast<std::size_t>(SharingKind::kShared) : lane] +=
          shared[lane];
    }
    totals[static_cast<std::size_t>(SharingKind::kOverhead)] += policy_.overhead.nanos();
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if (totals[lane] == 0) continue;
      PLIMSOLL_TRY(const auto parts, DivideShared(totals[lane]));
      if (parts.empty()) return KeepShared();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const std::size_t half : {kKept, kDropped}) {
          cells_[workloads_[i]]->given[half][lane] += parts[i][half];
        }
      }
    }
    return Ok();
  }

  // No workload can take anything: shared cost stays where it is.
  Status KeepShared() {
    for (const Cell* cell : cells_) {
      if (cell->role != SharingRole::kShared) continue;
      for (const std::size_t half : {kKept, kDropped}) {
        AddTo(half == kKept ? unshared_ : filtered_, cell->own[half]);
        AddTo(half == kKept ? unshared_ : filtered_, cell->given[half]);
      }
    }
    unshared_[static_cast<std::size_t>(SharingKind::kOverhead)] += policy_.overhead.nanos();
    return Ok();
  }

  // Idle of shared cells belongs to whom their cost was given: only the kept part is shown.
  // Where nobody could take that, it stays with the shared cells' own halves.
  Status FollowShared() {
    for (const bool time : {false, true}) {
      std::vector<std::pair<Pool*, std::size_t>> places;
      std::vector<int128> amounts;
      int128 total = 0, kept = 0;
      for (auto& [id, pool] : pools_) {
        for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
          const int128 amount = pool.shared[kKept][lane] + pool.shared[kDropped][lane];
          if ((lane >= kTimeLane) != time || amount == 0) continue;
          places.emplace_back(&pool, lane);
          amounts.push_back(amount);
          total += amount;
          kept += pool.shared[kKept][lane];
        }
      }
      if (places.empty()) continue;
      PLIMSOLL_TRY(const auto parts, DivideShared(total));
      if (!parts.empty()) kept = 0;
      for (const Halves<int128>& part : parts) kept += part[kKept];
      PLIMSOLL_TRY(const std::vector<int128> shown, Apportion(kept, amounts));
      for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].first->kept[places[i].second] += shown[i];
      }
    }
    return Ok();
  }

  void CollectRows() {
    for (const std::size_t at : workloads_) {
      const Cell& cell = *cells_[at];
      for (const std::size_t half : {kKept, kDropped}) {
        if (!cell.present[half]) continue;
        Lanes all = cell.own[half];
        AddTo(all, cell.given[half]);
        if (half == kDropped) {
          AddTo(filtered_, all);
          continue;
        }
        if (out_.rows.empty() || out_.rows.back().key != *cell.key) {
          out_.rows.push_back({*cell.key, {}});
        }
        out_.rows.back().amounts += FromLanes(all);
      }
    }
  }

  Status CollectIdle() {
    std::map<std::size_t, Lanes> shown;  // by cell
    for (const auto& [id, pool] : pools_) {
      for (const std::size_t at : pool.idle) shown[at] = {};
      for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
        PLIMSOLL_RETURN_IF_ERROR(ShowIdle(pool, lane, shown));
      }
    }
    for (const auto& [at, lanes] : shown) {
      const Cell& cell = *cells_[at];
      if (policy_.idle == IdleSharing::kHide || lanes == Lanes{}) continue;
      out_.idle.push_back({*cell.key, *cell.cluster, *cell.node, FromLanes(lanes)});
    }
    return Ok();
  }

  Status ShowIdle(const Pool& pool, std::size_t lane, std::map<std::size_t, Lanes>& shown) {
    if (!pool.taken[lane]) {  // it belongs to nobody: the filter decides by the idle row itself
      for (const std::size_t at : pool.idle) {
        Lanes& kept = policy_.idle == IdleSharing::kHide ? hidden_ : shown[at];
        kept[lane] += cells_[at]->own[kKept][lane];
        filtered_[lane] += cells_[at]->own[kDropped][lane];
      }
      return Ok();
    }
    if (!tracks_) return Ok();  // all of it was given away
    std::vector<int128> amounts;
    for (const std::size_t at : pool.idle) amounts.push_back(cells_[at]->Own()[lane]);
    PLIMSOLL_TRY(const std::vector<int128> parts, Apportion(pool.kept[lane], amounts));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      shown[pool.idle[i]][lane] += parts[i];
      filtered_[lane] += amounts[i] - parts[i];
    }
    return Ok();
  }

  void CheckNothingLost() {
    out_.unshared = FromLanes(unshared_);
    out_.hidden = FromLanes(hidden_);
    out_.filtered = FromLanes(filtered_);
    SharingAmounts all = out_.unshared;
    all += out_.hidden;
    all += out_.filtered;
    for (const KeyRow& row : out_.rows) all += row.amounts;
    for (const IdleRow& row : out_.idle) all += row.amounts;
    const SharingAmounts given = FromLanes(in_);
    PLIMSOLL_CHECK(all.Total() == given.Total());
    PLIMSOLL_CHECK(all.gpu_time == given.gpu_time && all.gpu_used == given.gpu_used &&
                   all.gpu_unknown == given.gpu_unknown);
  }

  const SharingPolicy& policy_;
  std::map<CellId, Cell> merged_;
  std::vector<Cell*> cells_;            // by key, cluster, node
  std::vector<std::size_t> workloads_;  // of cells_
  std::map<std::pair<std::string, std::string>, Pool> pools_;
  bool any_dropped_ = false;
  bool tracks_ = false;  // separate idle under a filter: whose it would be is worked out
  Lanes in_{}, unshared_{}, hidden_{}, filtered_{};
  SharingResult out_;
};

}  // namespace

Money SharingAmounts::Total() const {
  Money total;
  for (const Money& one : cost) total += one;
  return total;
}

SharingAmounts& SharingAmounts::operator+=(const SharingAmounts& other) {
  for (std::size_t i = 0; i < kSharingKindCount; ++i) cost[i] += other.cost[i];
  gpu_time += other.gpu_time;
  gpu_used += other.gpu_used;
  gpu_unknown += other.gpu_unknown;
  return *this;
}

Result<SharingResult> Share(std::span<const SharingRow> rows, const SharingPolicy& policy) {
  PLIMSOLL_CHECK(policy.idle_split != SharingSplit::kMetric);
  return Engine(rows, policy).Run();
}

}  // namespace plimsoll
