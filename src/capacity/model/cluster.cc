// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/cluster.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "base/check.h"

namespace plimsoll {

Cluster::Cluster(std::vector<std::string> flavors, DomainTree tree, std::vector<NodeSpec> nodes)
    : flavors_(std::move(flavors)), tree_(std::move(tree)), nodes_(std::move(nodes)) {
  PLIMSOLL_CHECK(flavors_.size() <= kFlavorsMax);
  for (const NodeSpec& node : nodes_) {
    PLIMSOLL_CHECK(node.flavor < flavors_.size() && node.gpus >= 0);
    PLIMSOLL_CHECK(node.gpus <= kGpusPerNodeMax);
    PLIMSOLL_CHECK(node.domains.empty() || node.domains.size() == tree_.levels().size());
    first_gpu_.push_back(gpu_milli_.size());
    gpu_milli_.insert(gpu_milli_.end(), static_cast<std::size_t>(node.gpus), kMilliPerGpu);
    const std::int64_t milli = std::int64_t{node.gpus} * kMilliPerGpu;
    free_.push_back({node.cpu_milli, node.memory_mib, milli, node.gpus, 0, true});
    gpu_milli_total_ += milli;
  }
  gpu_milli_free_ = gpu_milli_total_;
  kind_pods_.assign(gpu_milli_.size() + nodes_.size(), 0);
}

void Cluster::SetMig(MigCards cards) {
  PLIMSOLL_CHECK(gpu_milli_free_ == gpu_milli_total_ && cards.flavors.size() == flavors_.size());
  for (const MigCard& card : cards.flavors) PLIMSOLL_CHECK(card.memory_slices <= kMigSlicesMax);
  mig_ = std::move(cards);
  slices_.assign(gpu_milli_.size(), {});
}

bool Cluster::Fits(NodeId id, const PodShape& shape) const {
  const Free& free = free_[id];
  if (!free.up || free.cpu_milli < shape.cpu_milli || free.memory_mib < shape.memory_mib) {
    return false;
  }
  if (!Accepts(shape.flavors, nodes_[id].flavor)) return false;
  if (shape.gpus == 0) return true;
  if (shape.mig_profile != kNoMigProfile) return MigSlots(id, shape) > 0;
  if (shape.gpu_milli == kMilliPerGpu) return free.whole_gpus >= shape.gpus;
  return std::ranges::any_of(gpu_milli(id), [&](auto milli) { return milli >= shape.gpu_milli; });
}

std::int32_t Cluster::Slots(NodeId id, const PodShape& shape) const {
  const Free& free = free_[id];
  if (!free.up || !Accepts(shape.flavors, nodes_[id].flavor)) return 0;
  std::int64_t slots = std::numeric_limits<std::int32_t>::max();
  if (shape.cpu_milli > 0) slots = std::min(slots, free.cpu_milli / shape.cpu_milli);
  if (shape.memory_mib > 0) slots = std::min(slots, free.memory_mib / shape.memory_mib);
  if (shape.mig_profile != kNoMigProfile) {
    slots = std::min<std::int64_t>(slots, MigSlots(id, shape));
  } else if (shape.gpus > 0 && shape.gpu_milli == kMilliPerGpu) {
    slots = std::min<std::int64_t>(slots, free.whole_gpus / shape.gpus);
  } else if (shape.gpus > 0) {
    std::int64_t shared = 0;
    for (const std::int32_t milli : gpu_milli(id)) shared += milli / shape.gpu_milli;
    slots = std::min(slots, shared);
  }
  return static_cast<std::int32_t>(std::max<std::int64_t>(slots, 0));
}

GpuSet Cluster::ChooseGpus(NodeId id, const PodShape& shape) const {
  const auto gpus = gpu_milli(id);
  GpuSet chosen = 0;
  if (shape.mig_profile != kNoMigProfile) return ChooseSlices(id, shape);
  if (shape.gpus > 0 && shape.gpu_milli < kMilliPerGpu) {
    std::size_t best = gpus.size();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (gpus[i] < shape.gpu_milli) continue;
      if (best == gpus.size() || gpus[i] < gpus[best]) best = i;
    }
    PLIMSOLL_CHECK(best < gpus.size());
    return GpuSet{1} << best;
  }
  std::int32_t left = shape.gpus;
  for (std::size_t i = 0; i < gpus.size() && left > 0; ++i) {
    if (gpus[i] < kMilliPerGpu) continue;
    chosen |= GpuSet{1} << i;
    --left;
  }
  PLIMSOLL_CHECK(left == 0);
  return chosen;
}

void Cluster::Take(NodeId id, const PodShape& shape, GpuSet gpus) {
  Free& free = free_[id];
  PLIMSOLL_CHECK(free.up);
  PLIMSOLL_CHECK(free.cpu_milli >= shape.cpu_milli && free.memory_mib >= shape.memory_mib);
  free.cpu_milli -= shape.cpu_milli;
  free.memory_mib -= shape.memory_mib;
  if (shape.mig_profile != kNoMigProfile) {
    TakeSlices(id, shape, gpus);
  } else {
    PLIMSOLL_CHECK(std::popcount(gpus) == shape.gpus);
    for (GpuSet rest = gpus; rest != 0; rest &= rest - 1) {
      std::int32_t& milli =
          gpu_milli_[first_gpu_[id] + static_cast<std::size_t>(std::countr_zero(rest))];
      PLIMSOLL_CHECK(milli >= shape.gpu_milli);
      if (milli == kMilliPerGpu) --free.whole_gpus;
      milli -= shape.gpu_milli;
    }
  }
  free.gpu_milli -= GpuMilli(shape);
  gpu_milli_free_ -= GpuMilli(shape);
  Count(id, shape, 1);
  Changed(id);
}

void Cluster::Give(NodeId id, const PodShape& shape, GpuSet gpus) {
  Free& free = free_[id];
  free.cpu_milli += shape.cpu_milli;
  free.memory_mib += shape.memory_mib;
  PLIMSOLL_CHECK(free.cpu_milli <= nodes_[id].cpu_milli);
  PLIMSOLL_CHECK(free.memory_mib <= nodes_[id].memory_mib);
  if (shape.mig_profile != kNoMigProfile) {
    GiveSlices(id, shape, gpus);
  } else {
    PLIMSOLL_CHECK(std::popcount(gpus) == shape.gpus);
    for (GpuSet rest = gpus; rest != 0; rest &= rest - 1) {
      const std::size_t at = first_gpu_[id] + static_cast<std::size_t>(std::countr_zero(rest));
      std::int32_t& milli = gpu_milli_[at];
      PLIMSOLL_CHECK(slices_.empty() || slices_[at].empty());
      milli += shape.gpu_milli;
      PLIMSOLL_CHECK(milli <= kMilliPerGpu);
      if (milli == kMilliPerGpu) ++free.whole_gpus;
    }
  }
  free.gpu_milli += GpuMilli(shape);
  gpu_milli_free_ += GpuMilli(shape);
  Count(id, shape, -1);
  Changed(id);
}

void Cluster::SetUp(NodeId id, bool up) {
  if (free_[id].up == up) return;
  free_[id].up = up;
  Changed(id);
}

// Of old changes only as many are kept as a look at all nodes would cost.
void Cluster::Changed(NodeId id) {
  ++free_[id].version;
  const std::size_t most = 2 * nodes_.size() + 64;
  if (changes_.size() >= 2 * most) {
    changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(most));
    changes_begin_ += most;
  }
  changes_.push_back(id);
}

std::optional<std::span<const NodeId>> Cluster::ChangedSince(std::uint64_t mark) const {
  if (mark < changes_begin_) return std::nullopt;
  return std::span(changes_).subspan(static_cast<std::size_t>(mark - changes_begin_));
}

void Cluster::Count(NodeId id, const PodShape& shape, int by) {
  if (shape.gpus == 0) return;
  const std::size_t kind =
      shape.gpu_milli < kMilliPerGpu ? 0 : static_cast<std::size_t>(shape.gpus);
  std::int32_t& pods = kind_pods_[first_gpu_[id] + id + kind];
  pods += by;
  PLIMSOLL_CHECK(pods >= 0);
  const std::uint64_t bit = std::uint64_t{1} << std::min<std::size_t>(kind, 63);
  free_[id].kinds = pods > 0 ? free_[id].kinds | bit : free_[id].kinds & ~bit;
}

const MigCut* Cluster::CutOf(NodeId id, const PodShape& shape) const {
  return mig_.flavors.empty() ? nullptr : mig_.flavors[nodes_[id].flavor].Find(shape.mig_profile);
}

bool Cluster::IsCuttable(NodeId id, std::size_t gpu) const {
  const std::size_t at = first_gpu_[id] + gpu;
  return gpu < kMigSlicesMax && (!slices_[at].empty() || gpu_milli_[at] == kMilliPerGpu);
}

std::int32_t Cluster::MigSlots(NodeId id, const PodShape& shape) const {
  const MigCut* const cut = CutOf(id, shape);
  if (cut == nullptr) return 0;
  std::int32_t slots = 0;
  const auto cards = slices(id);
  for (std::size_t gpu = 0; gpu < cards.size(); ++gpu) {
    if (IsCuttable(id, gpu)) slots += MigRoom(mig_.flavors[nodes_[id].flavor], cards[gpu], *cut);
  }
  return slots;
}

// A card that is cut already before a whole one, the fullest first.
GpuSet Cluster::ChooseSlices(NodeId id, const PodShape& shape) const {
  const MigCut* const cut = CutOf(id, shape);
  PLIMSOLL_CHECK(cut != nullptr);
  const MigCard& card = mig_.flavors[nodes_[id].flavor];
  const auto cards = slices(id);
  std::optional<std::size_t> best;
  for (std::size_t gpu = 0; gpu < cards.size(); ++gpu) {
    if (!IsCuttable(id, gpu) || MigRoom(card, cards[gpu], *cut) == 0) continue;
    if (!best || std::popcount(cards[gpu].memory) > std::popcount(cards[*best].memory)) best = gpu;
  }
  PLIMSOLL_CHECK(best.has_value());
  const std::int32_t start = *BestStart(card, cards[*best], *cut);
  return GpuSet{SlicesOf(*cut, start)} << (kMigSlicesMax * static_cast<std::int32_t>(*best));
}

void Cluster::TakeSlices(NodeId id, const PodShape& shape, GpuSet set) {
  const MigCut* const cut = CutOf(id, shape);
  PLIMSOLL_CHECK(cut != nullptr && set != 0 && shape.gpus == 1);
  const auto gpu = static_cast<std::size_t>(std::countr_zero(set)) / kMigSlicesMax;
  const auto memory = static_cast<std::uint8_t>(set >> (kMigSlicesMax * gpu));
  const MigCard& card = mig_.flavors[nodes_[id].flavor];
  PLIMSOLL_CHECK(IsCuttable(id, gpu) && GpuSet{memory} << (kMigSlicesMax * gpu) == set);
  PLIMSOLL_CHECK(shape.gpu_milli == MigMilli(card, *cut));
  CardSlices& taken = slices_[first_gpu_[id] + gpu];
  const std::int32_t start = std::countr_zero(memory);
  PLIMSOLL_CHECK(std::ranges::find(cut->starts, start) != cut->starts.end());
  PLIMSOLL_CHECK(memory == SlicesOf(*cut, start) && HasRoom(card, taken, *cut, start));
  if (taken.empty()) {
    gpu_milli_[first_gpu_[id] + gpu] = 0;
    --free_[id].whole_gpus;
  }
  taken.memory = static_cast<std::uint8_t>(taken.memory | memory);
  taken.compute = static_cast<std::uint8_t>(taken.compute + cut->compute_slices);
  taken.milli = static_cast<std::int16_t>(taken.milli + shape.gpu_milli);
}

void Cluster::GiveSlices(NodeId id, const PodShape& shape, GpuSet set) {
  const MigCut* const cut = CutOf(id, shape);
  PLIMSOLL_CHECK(cut != nullptr && set != 0);
  const auto gpu = static_cast<std::size_t>(std::countr_zero(set)) / kMigSlicesMax;
  const auto memory = static_cast<std::uint8_t>(set >> (kMigSlicesMax * gpu));
  CardSlices& taken = slices_[first_gpu_[id] + gpu];
  PLIMSOLL_CHECK((taken.memory & memory) == memory && taken.compute >= cut->compute_slices);
  taken.memory = static_cast<std::uint8_t>(taken.memory & ~memory);
  taken.compute = static_cast<std::uint8_t>(taken.compute - cut->compute_slices);
  taken.milli = static_cast<std::int16_t>(taken.milli - shape.gpu_milli);
  if (!taken.empty()) return;
  PLIMSOLL_CHECK(taken == CardSlices());
  gpu_milli_[first_gpu_[id] + gpu] = kMilliPerGpu;
  ++free_[id].whole_gpus;
}

}  // namespace plimsoll
