#include "allocation/device_grid.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::int64_t kNoIndex = std::numeric_limits<std::int64_t>::max();

std::int8_t RankOf(Symbol signal) {
  if (signal == kSignalSmActive) return 3;
  if (signal == kSignalGrEngineActive) return 2;
  return signal == kSignalGpuUtil ? 1 : 0;
}

}  // namespace

UsageCell::UsageCell(const Twelfths* covered_ms, const Twelfths* active_ppm_ms,
                     std::int8_t signal_rank, std::uint16_t stalled_twelfths)
    : covered(covered_ms),
      active(active_ppm_ms),
      signal(signal_rank),
      stalled(stalled_twelfths),
      is_plain(true) {
  constexpr std::int64_t kFull = kTwelfth.base();
  for (std::size_t t = 0; t < covered->size(); ++t) {
    const std::int64_t ms = (*covered)[t];
    const std::int64_t busy = (*active)[t];
    if (ms > 0) mask = static_cast<std::uint16_t>(mask | (1u << t));
    is_plain = is_plain && ms == kFull && busy >= 0 && busy <= kFull * kPartsPerMillion;
    if (is_plain) active_sum += busy;
  }
}

DeviceGrid::DeviceGrid(const AllocationInput& input, const Window& window, const NodeTable& nodes)
    : hours_(static_cast<std::size_t>(window.length().base() / Hours(1).base())) {
  ReadUsage(input, window, nodes);
  ReadBindings(input.bindings, nodes);
  KeepOneNode(nodes);
  if (has_stalls_) KeepLongStalls();
  Number(nodes);
}

std::int32_t DeviceGrid::SlotOf(std::int32_t node, Symbol uuid, std::int64_t gpu_index) {
  const auto [entry, is_new] =
      slots_.try_emplace({node, uuid}, static_cast<std::int32_t>(seen_.size()));
  if (is_new) {
    seen_.push_back({node, gpu_index, uuid});
    cells_.resize(seen_.size() * hours_);
  }
  return entry->second;
}

void DeviceGrid::ReadUsage(const AllocationInput& input, const Window& window,
                           const NodeTable& nodes) {
  const UsageBatch& usage = input.usage;
  cells_.reserve(RowsOf(usage) + hours_);
  std::int32_t slot = -1;
  std::int32_t last_node = -1;
  Symbol last_signal;
  std::int8_t rank = RankOf(last_signal);
  for (std::size_t i = 0; i < RowsOf(usage); ++i) {
    const std::int32_t node = nodes.OfUsage(i);
    if (node < 0 || usage.device[i].empty()) continue;
    if (slot < 0 || node != last_node ||
        seen_[static_cast<std::size_t>(slot)].uuid != usage.device[i]) {
      slot = SlotOf(node, usage.device[i], usage.gpu_index[i]);
      last_node = node;
    }
    Seen& seen = seen_[static_cast<std::size_t>(slot)];
    seen.gpu_index = std::min(seen.gpu_index, usage.gpu_index[i]);
    const auto hour =
        static_cast<std::int32_t>(Between(window.begin, usage.hour[i]).base() / Hours(1).base());
    if (usage.signal[i] != last_signal) {
      last_signal = usage.signal[i];
      rank = RankOf(last_signal);
    }
    const auto stalled = static_cast<std::uint16_t>(usage.stalled[i] & 0xFFF);
    has_stalls_ = has_stalls_ || stalled != 0;
    const UsageCell cell{&usage.covered[i], &usage.active[i], rank, stalled};
    if (usage.instance[i].empty()) {
      Merge(cells_[static_cast<std::size_t>(slot) * hours_ + static_cast<std::size_t>(hour)], cell,
            seen.uuid);
      continue;
    }
    const std::int32_t instance = instances_.Of(usage.instance[i].text());
    auto& cells = instance_cells_[{slot, hour}];
    const auto known = std::find_if(cells.begin(), cells.end(), [&](const InstanceCell& other) {
      return other.instance == instance;
    });
    Merge(known == cells.end() ? cells.emplace_back(InstanceCell{instance, {}}).cell : known->cell,
          cell, seen.uuid);
    std::string& profile = profiles_[{slot, instance}];
    const std::string& said = usage.profile[i].text();
    if (!said.empty() && (profile.empty() || said < profile)) {
      profile = said;
      LearnSlices(slot, instance, usage, i, input.catalog);
    }
  }
  for (auto& [key, cells] : instance_cells_) {
    std::sort(cells.begin(), cells.end(), [&](const InstanceCell& a, const InstanceCell& b) {
      return instances_.TextOf(a.instance) < instances_.TextOf(b.instance);
    });
  }
}

void DeviceGrid::LearnSlices(std::int32_t slot, std::int32_t instance, const UsageBatch& usage,
                             std::size_t row, const Catalog& catalog) {
  const GpuModel* model = catalog.FindGpu(usage.gpu_model[row].text());
  if (model == nullptr) return;
  card_slices_[slot] = {model->compute_slices, model->memory_slices};
  for (const MigProfile& profile : model->profiles) {
    if (usage.profile[row] != profile.name) continue;
    slices_[{slot, instance}] = {profile.compute_slices, profile.memory_slices};
  }
}

// One slice of compute needs one of memory: what is left of compute beyond the memory that is
// left can take nothing.
CardShare DeviceGrid::StrandedShare(std::int32_t device, std::int32_t hour) const {
  const auto card = card_slices_.find(at(device).slot);
  if (!at(device).has_instances || card == card_slices_.end()) return {};
  Slices left = card->second;
  for (const InstanceCell& cell : InstanceCells(device, hour)) {
    const auto slices = slices_.find({at(device).slot, cell.instance});
    if (slices == slices_.end()) return {};  // an unknown profile: nothing is told
    left.compute -= slices->second.compute;
    left.memory -= slices->second.memory;
  }
  if (left.compute <= left.memory || left.memory < 0 || card->second.compute <= 0) return {};
  if (left.compute == card->second.compute) return {};
  return {left.compute - left.memory, card->second.compute};
}

// A stall counts from half an hour on: six twelfths in a row.
void DeviceGrid::KeepLongStalls() {
  constexpr std::size_t kLeast = 6;
  const auto keep = [&](std::vector<UsageCell*>& cells) {  // of each hour; null: no row
    const auto bit = [&](std::size_t t) {
      return cells[t / 12] == nullptr ? 0U : (unsigned{cells[t / 12]->stalled} >> (t % 12)) & 1U;
    };
    for (std::size_t begin = 0; begin < hours_ * 12;) {
      std::size_t end = begin;
      while (end < hours_ * 12 && bit(end) != 0) ++end;
      for (std::size_t t = begin; end - begin < kLeast && t < end; ++t) {
        std::uint16_t& mask = cells[t / 12]->stalled;
        mask = static_cast<std::uint16_t>(mask & ~(1U << (t % 12)));
      }
      begin = end + 1;
    }
  };
  for (std::size_t slot = 0; slot < seen_.size(); ++slot) {
    std::vector<UsageCell*> cells;
    for (std::size_t hour = 0; hour < hours_; ++hour)
      cells.push_back(&cells_[slot * hours_ + hour]);
    keep(cells);
  }
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<UsageCell*>> instances;
  for (auto& [key, cells] : instance_cells_) {
    for (InstanceCell& cell : cells) {
      auto& of_hours = instances[{key.first, cell.instance}];
      of_hours.resize(hours_);
      of_hours[static_cast<std::size_t>(key.second)] = &cell.cell;
    }
  }
  for (auto& [key, cells] : instances) keep(cells);
}

// Evidence of any time: it tells which card a holder of the window has.
void DeviceGrid::ReadBindings(const BindingBatch& bindings, const NodeTable& nodes) {
  for (std::size_t i = 0; i < RowsOf(bindings); ++i) {
    const std::int32_t node = nodes.Find(bindings.cluster[i], bindings.node[i]);
    if (node < 0 || bindings.device[i].empty()) continue;
    SlotOf(node, bindings.device[i], kNoIndex);
    if (!bindings.instance[i].empty()) instances_.Of(bindings.instance[i]);
  }
}

void DeviceGrid::Merge(UsageCell& into, const UsageCell& from, const std::string& device) {
  if (!into.has_row()) {
    into = from;
    return;
  }
  const auto stalled = static_cast<std::uint16_t>(into.stalled | from.stalled);
  if (into.signal == from.signal && *into.covered == *from.covered &&
      *into.active == *from.active) {
    into.stalled = stalled;
    return;
  }
  ++duplicates_[device];
  if (from.signal != into.signal) {
    if (from.signal > into.signal) into = from;
    into.stalled = stalled;
    return;
  }
  Twelfths& covered = merged_.emplace_back(*into.covered);
  Twelfths& active = merged_.emplace_back(*into.active);
  for (std::size_t t = 0; t < covered.size(); ++t) {
    if (std::tie((*from.covered)[t], (*from.active)[t]) <= std::tie(covered[t], active[t])) {
      continue;
    }
    covered[t] = (*from.covered)[t];
    active[t] = (*from.active)[t];
  }
  into = UsageCell(&covered, &active, into.signal, stalled);
}

// A device's hour counts once in its cluster: rows of one hour that name several nodes stay
// with the best signal's, the first node's if equal.
void DeviceGrid::KeepOneNode(const NodeTable& nodes) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> sightings;
  TextIds uuids;
  bool is_moved = false;
  for (const Seen& seen : seen_) {
    const std::int32_t before = uuids.size();
    uuids.OfFields({nodes.at(seen.node).cluster, seen.uuid.text()});
    is_moved = is_moved || uuids.size() == before;
  }
  if (!is_moved) return;
  for (std::size_t slot = 0; slot < seen_.size(); ++slot) {
    sightings[{nodes.at(seen_[slot].node).cluster, seen_[slot].uuid.text()}].push_back(slot);
  }
  for (auto& [device, slots] : sightings) {
    std::sort(slots.begin(), slots.end(),
              [&](std::size_t a, std::size_t b) { return seen_[a].node < seen_[b].node; });
    for (std::size_t hour = 0; slots.size() > 1 && hour < hours_; ++hour) {
      UsageCell* best = nullptr;
      for (const std::size_t slot : slots) {
        UsageCell& cell = cells_[slot * hours_ + hour];
        if (cell.has_row() && (best == nullptr || cell.signal > best->signal)) best = &cell;
      }
      for (const std::size_t slot : slots) {
        UsageCell& cell = cells_[slot * hours_ + hour];
        if (!cell.has_row() || &cell == best) continue;
        Merge(*best, cell, seen_[slot].uuid);
        cell = {};
      }
    }
  }
}

void DeviceGrid::Number(const NodeTable& nodes) {
  std::vector<std::int32_t> order(seen_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto seen_at = [&](std::int32_t slot) -> const Seen& {
    return seen_[static_cast<std::size_t>(slot)];
  };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const Seen& x = seen_at(a);
    const Seen& y = seen_at(b);
    return std::tie(x.node, x.gpu_index, x.uuid) < std::tie(y.node, y.gpu_index, y.uuid);
  });
  device_of_slot_.assign(seen_.size(), -1);
  std::size_t next = 0;
  const auto count = static_cast<std::int32_t>(nodes.nodes().size());
  for (std::int32_t node = 0; node < count; ++node) {
    first_.push_back(static_cast<std::int32_t>(devices_.size()));
    for (; next < order.size() && seen_at(order[next]).node == node; ++next) {
      const Seen& seen = seen_at(order[next]);
      device_of_slot_[static_cast<std::size_t>(order[next])] =
          static_cast<std::int32_t>(devices_.size());
      devices_.push_back({node, seen.gpu_index, seen.uuid, order[next], false});
    }
    const NodeFact& fact = nodes.at(node);
    const auto seen_count = static_cast<std::int64_t>(devices_.size()) - first_.back();
    const std::int64_t cards =
        fact.gpu_num > 0 ? (fact.gpu_num + fact.gpu_den - 1) / fact.gpu_den : seen_count;
    cards_.push_back(static_cast<std::int32_t>(cards));
    for (std::int64_t k = seen_count; k < cards; ++k) {
      devices_.push_back(
          {node, kNoIndex, fact.node.text() + "/gpu-" + std::to_string(k), -1, false});
    }
  }
  first_.push_back(static_cast<std::int32_t>(devices_.size()));
  for (const auto& [key, cells] : instance_cells_) {
    devices_[static_cast<std::size_t>(device_of_slot_[static_cast<std::size_t>(key.first)])]
        .has_instances = true;
  }
}

std::int32_t DeviceGrid::Find(std::int32_t node, Symbol uuid) const {
  for (std::int32_t id = first(node); id < first(node + 1); ++id) {
    if (at(id).uuid == uuid) return id;
  }
  return -1;
}

std::span<const InstanceCell> DeviceGrid::InstanceCells(std::int32_t device,
                                                        std::int32_t hour) const {
  if (!at(device).has_instances) return {};
  const auto cells = instance_cells_.find({at(device).slot, hour});
  if (cells == instance_cells_.end()) return {};
  return cells->second;
}

std::uint16_t DeviceGrid::CoveredWithInstances(std::int32_t device, std::int32_t hour,
                                               std::uint16_t mask) const {
  for (const InstanceCell& instance : InstanceCells(device, hour)) {
    mask = static_cast<std::uint16_t>(mask | instance.cell.mask);
  }
  return mask;
}

const std::string& DeviceGrid::ProfileOf(std::int32_t device, std::int32_t instance) const {
  static const std::string kUnknown;
  const auto profile = profiles_.find({at(device).slot, instance});
  return profile == profiles_.end() ? kUnknown : profile->second;
}

std::vector<std::int32_t> DeviceGrid::InstancesOf(std::int32_t device) const {
  std::vector<std::int32_t> found;
  if (!at(device).has_instances) return found;
  for (auto it = profiles_.lower_bound({at(device).slot, 0});
       it != profiles_.end() && it->first.first == at(device).slot; ++it) {
    found.push_back(it->first.second);
  }
  std::sort(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) {
    return instances_.TextOf(a) < instances_.TextOf(b);
  });
  return found;
}

}  // namespace plimsoll
