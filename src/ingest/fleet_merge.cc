#include "ingest/fleet_merge.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ingest/pod.h"

namespace plimsoll {
namespace {

using Labels = std::map<std::string, std::string>;

Labels ParseLabels(const std::string& text) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  Labels labels;
  if (!object.is_object()) return labels;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) labels[key] = value.get<std::string>();
  }
  return labels;
}

std::string AsOf(const Labels& labels, const std::string& key) {
  const auto found = labels.find(key + ".as-of");
  return found == labels.end() ? "" : found->second;
}

std::string MergedLabels(const std::string& a, const std::string& b) {
  if (a == b || b == "{}") return a;
  if (a == "{}") return b;
  const Labels left = ParseLabels(a);
  const Labels right = ParseLabels(b);
  Labels merged = left;
  for (const auto& [key, value] : right) {
    const auto [at, is_new] = merged.emplace(key, value);
    if (is_new) continue;
    const auto theirs = std::pair(AsOf(right, key), value);
    if (std::pair(AsOf(left, key), at->second) < theirs) at->second = value;
  }
  return LabelsJson(merged);
}

template <class T>
void KeepGreater(T& mine, const T& theirs) {
  if (mine < theirs) mine = theirs;
}

// For texts where "unknown" says no more than "".
void KeepKnown(std::string& mine, const std::string& theirs) {
  const auto rank = [](const std::string& text) {
    return std::pair(text.empty() ? 0 : text == "unknown" ? 1 : 2, std::string_view(text));
  };
  if (rank(mine) < rank(theirs)) mine = theirs;
}

void KeepEarliest(std::optional<Instant>& mine, const std::optional<Instant>& theirs) {
  if (theirs && (!mine || *theirs < *mine)) mine = theirs;
}

int OwnerRank(std::string_view kind) {
  if (kind.empty()) return 0;
  if (kind == "Pod") return 1;
  if (kind == "ReplicaSet") return 2;
  return kind == "Job" ? 3 : 4;
}

void MergeNode(NodeBatch& to, std::size_t at, const NodeBatch& from, std::size_t row) {
  KeepGreater(to.provider_id[at], from.provider_id[row]);
  KeepGreater(to.instance_type[at], from.instance_type[row]);
  KeepGreater(to.region[at], from.region[row]);
  KeepGreater(to.zone[at], from.zone[row]);
  KeepKnown(to.capacity_type[at], from.capacity_type[row]);
  KeepGreater(to.gpu_model[at], from.gpu_model[row]);
  KeepGreater(to.gpu_count[at], from.gpu_count[row]);
  KeepGreater(to.cpu_milli[at], from.cpu_milli[row]);
  KeepGreater(to.memory_bytes[at], from.memory_bytes[row]);
  KeepEarliest(to.begin[at], from.begin[row]);
  KeepGreater(to.until[at], from.until[row]);  // null is the least
  to.labels[at] = MergedLabels(to.labels[at], from.labels[row]);
}

void MergeOwner(HoldingBatch& to, std::size_t at, const HoldingBatch& from, std::size_t row) {
  const auto rank = [](const HoldingBatch& batch, std::size_t i) {
    return std::tuple(OwnerRank(batch.workload_kind[i]), std::string_view(batch.workload_kind[i]),
                      std::string_view(batch.workload[i]));
  };
  if (!(rank(to, at) < rank(from, row))) return;
  to.workload_kind[at] = from.workload_kind[row];
  to.workload[at] = from.workload[row];
}

// The smaller share, and of equal ones the one in smaller slices.
void MergeShare(HoldingBatch& to, std::size_t at, const HoldingBatch& from, std::size_t row) {
  const int128 mine = int128{to.share_num[at]} * from.share_den[row];
  const int128 theirs = int128{from.share_num[row]} * to.share_den[at];
  if (mine < theirs || (mine == theirs && to.share_den[at] >= from.share_den[row])) return;
  to.share_num[at] = from.share_num[row];
  to.share_den[at] = from.share_den[row];
}

void MergeHolding(HoldingBatch& to, std::size_t at, const HoldingBatch& from, std::size_t row) {
  KeepGreater(to.source[at], from.source[row]);
  KeepGreater(to.ns[at], from.ns[row]);
  KeepGreater(to.name[at], from.name[row]);
  MergeOwner(to, at, from, row);
  KeepGreater(to.account[at], from.account[row]);
  KeepGreater(to.user_name[at], from.user_name[row]);
  KeepGreater(to.queue[at], from.queue[row]);
  to.labels[at] = MergedLabels(to.labels[at], from.labels[row]);
  KeepGreater(to.devices[at], from.devices[row]);
  MergeShare(to, at, from, row);
  KeepGreater(to.cpu_milli[at], from.cpu_milli[row]);
  KeepGreater(to.memory_bytes[at], from.memory_bytes[row]);
  KeepEarliest(to.queued[at], from.queued[row]);
  to.begin[at] = std::min(to.begin[at], from.begin[row]);
  KeepEarliest(to.ready[at], from.ready[row]);
  KeepGreater(to.role[at], from.role[row]);
  if (std::tie(to.used_ppm[at], to.used_signal[at]) <
      std::tie(from.used_ppm[row], from.used_signal[row])) {
    to.used_ppm[at] = from.used_ppm[row];
    to.used_signal[at] = from.used_signal[row];
  }
  if (std::pair(to.until[at], std::string_view(to.end_reason[at])) <
      std::pair(from.until[row], std::string_view(from.end_reason[row]))) {
    to.until[at] = from.until[row];
    to.end_reason[at] = from.end_reason[row];
  }
}

void MergeState(NodeStateBatch& to, std::size_t at, const NodeStateBatch& from, std::size_t row) {
  // The worse of two states of one time: the lesser word ("failed", "no") and number.
  if (std::tie(from.value[row], from.gpus[row]) < std::tie(to.value[at], to.gpus[at])) {
    to.value[at] = from.value[row];
    to.gpus[at] = from.gpus[row];
    to.reason[at] = from.reason[row];
  } else if (from.value[row] == to.value[at] && from.gpus[row] == to.gpus[at]) {
    KeepGreater(to.reason[at], from.reason[row]);
  }
  KeepGreater(to.seen[at], from.seen[row]);
}

void MergeSetAside(SetAsideBatch& to, std::size_t at, const SetAsideBatch& from, std::size_t row) {
  KeepGreater(to.owner[at], from.owner[row]);
  KeepGreater(to.gpus[at], from.gpus[row]);
  KeepGreater(to.reason[at], from.reason[row]);
  KeepGreater(to.seen[at], from.seen[row]);
  KeepGreater(to.until[at], from.until[row]);  // null is the least
}

void MergeVolume(VolumeBatch& to, std::size_t at, const VolumeBatch& from, std::size_t row) {
  KeepGreater(to.volume_id[at], from.volume_id[row]);
  KeepGreater(to.storage_class[at], from.storage_class[row]);
  KeepGreater(to.bytes[at], from.bytes[row]);
  const auto owner = [](const VolumeBatch& batch, std::size_t i) {
    return std::tuple(OwnerRank(batch.workload_kind[i]), std::string_view(batch.workload_kind[i]),
                      std::string_view(batch.workload[i]));
  };
  if (owner(to, at) < owner(from, row)) {
    to.workload_kind[at] = from.workload_kind[row];
    to.workload[at] = from.workload[row];
  }
  to.labels[at] = MergedLabels(to.labels[at], from.labels[row]);
  to.begin[at] = std::min(to.begin[at], from.begin[row]);
  KeepGreater(to.until[at], from.until[row]);
}

// A later queueing is another wait of the same name and replaces the earlier one whole.
void MergePending(PendingBatch& to, std::size_t at, const PendingBatch& from, std::size_t row) {
  const auto all = [](const PendingBatch& batch, std::size_t i) {
    return std::tie(batch.queued[i], batch.devices[i], batch.labels[i], batch.workload_kind[i],
                    batch.workload[i], batch.queue[i], batch.reason[i], batch.source[i],
                    batch.unit_devices[i], batch.device_kind[i]);
  };
  if (!(all(to, at) < all(from, row))) return;
  std::apply(
      [&](auto... column) { (((to.*(column.values))[at] = (from.*(column.values))[row]), ...); },
      PendingBatch::kColumns);
}

// Merges rows of one key into one, in key order. `key_of(batch, row)` gives a sortable key.
template <class Batch, class KeyOf, class Merge>
Batch FoldByKey(const Batch& in, KeyOf key_of, Merge merge) {
  std::vector<std::size_t> order(RowsOf(in));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key_of(in, a) < key_of(in, b); });
  Batch out;
  for (const std::size_t row : order) {
    const std::size_t rows = RowsOf(out);
    if (rows > 0 && key_of(out, rows - 1) == key_of(in, row)) {
      merge(out, rows - 1, in, row);
    } else {
      AppendRow(out, in, row);
    }
  }
  return out;
}

auto NodeKey(const NodeBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.node[i]);
}
auto HoldingKey(const HoldingBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.uid[i], batch.node[i], batch.device_kind[i]);
}
auto PendingKey(const PendingBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.ns[i], batch.name[i]);
}
auto StateKey(const NodeStateBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.node[i], batch.aspect[i], batch.since[i]);
}
auto SetAsideKey(const SetAsideBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.source[i], batch.kind[i], batch.ns[i], batch.name[i],
                  batch.node[i], batch.since[i]);
}
auto VolumeKey(const VolumeBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.ns[i], batch.claim[i], batch.uid[i]);
}
auto BindingHolder(const BindingBatch& batch, std::size_t i) {
  return std::tie(batch.cluster[i], batch.node[i], batch.device[i], batch.instance[i], batch.ns[i],
                  batch.name[i]);
}

// Gives "gpu" and "gpu.shared" holdings the unit that their node's labels say.
void ApplyNodeUnits(const NodeBatch& nodes, HoldingBatch& holdings) {
  const DeviceUnit gpu{"gpu", 1, 1};
  const DeviceUnit slice{"mig-", 1, 7};
  std::map<std::pair<std::string, std::string>, Labels> sharing;
  for (std::size_t i = 0; i < RowsOf(nodes); ++i) {
    Labels labels = ParseLabels(nodes.labels[i]);
    if (UnitOnNode(gpu, labels) == gpu && UnitOnNode(slice, labels) == slice) continue;
    sharing.emplace(std::pair(nodes.cluster[i], nodes.node[i]), std::move(labels));
  }
  if (sharing.empty()) return;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    if (holdings.source[i] != "kubernetes") continue;
    const auto node = sharing.find(std::pair(holdings.cluster[i], holdings.node[i]));
    if (node == sharing.end()) continue;
    const DeviceUnit unit = UnitOnNode(
        {holdings.device_kind[i], holdings.share_num[i], holdings.share_den[i]}, node->second);
    holdings.device_kind[i] = unit.kind;
    holdings.share_num[i] = unit.share_num;
    holdings.share_den[i] = unit.share_den;
  }
}

// Pending rows whose wait is over: a holding of that name began at or after the queueing.
PendingBatch StillWaiting(const PendingBatch& pending, const HoldingBatch& holdings) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Instant> begins;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    const auto [at, is_new] = begins.emplace(
        std::tuple(std::string_view(holdings.cluster[i]), std::string_view(holdings.ns[i]),
                   std::string_view(holdings.name[i])),
        holdings.begin[i]);
    if (!is_new) at->second = std::max(at->second, holdings.begin[i]);
  }
  PendingBatch waiting;
  for (std::size_t i = 0; i < RowsOf(pending); ++i) {
    const auto held =
        begins.find(std::tuple(std::string_view(pending.cluster[i]),
                               std::string_view(pending.ns[i]), std::string_view(pending.name[i])));
    if (held != begins.end() && held->second >= pending.queued[i]) continue;
    AppendRow(waiting, pending, i);
  }
  return waiting;
}

PendingBatch WithoutEnded(const PendingBatch& pending, const EndedWaits& ended) {
  if (ended.empty()) return pending;
  PendingBatch waiting;
  for (std::size_t i = 0; i < RowsOf(pending); ++i) {
    if (!ended.contains({pending.cluster[i], pending.ns[i], pending.name[i], pending.queued[i]})) {
      AppendRow(waiting, pending, i);
    }
  }
  return waiting;
}

BindingBatch UnionBindings(const BindingBatch& in) {
  std::vector<std::size_t> order(RowsOf(in));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple_cat(BindingHolder(in, a), std::tie(in.begin[a], in.until[a])) <
           std::tuple_cat(BindingHolder(in, b), std::tie(in.begin[b], in.until[b]));
  });
  BindingBatch out;
  for (const std::size_t row : order) {
    const std::size_t rows = RowsOf(out);
    if (rows > 0 && BindingHolder(out, rows - 1) == BindingHolder(in, row) &&
        in.begin[row] <= out.until[rows - 1]) {
      KeepGreater(out.until[rows - 1], in.until[row]);
    } else {
      AppendRow(out, in, row);
    }
  }
  return out;
}

template <class Batch>
void AppendAll(Batch& to, const Batch& from) {
  for (std::size_t row = 0; row < RowsOf(from); ++row) AppendRow(to, from, row);
}

}  // namespace

void AppendFacts(FleetFacts& to, const FleetFacts& from) {
  AppendAll(to.nodes, from.nodes);
  AppendAll(to.holdings, from.holdings);
  AppendAll(to.pending, from.pending);
  AppendAll(to.bindings, from.bindings);
  AppendAll(to.states, from.states);
  AppendAll(to.set_asides, from.set_asides);
  AppendAll(to.volumes, from.volumes);
  to.ended_waits.insert(from.ended_waits.begin(), from.ended_waits.end());
}

FleetFacts MergeFacts(const FleetFacts& facts) {
  FleetFacts merged;
  merged.nodes = FoldByKey(facts.nodes, NodeKey, MergeNode);
  HoldingBatch holdings = facts.holdings;
  ApplyNodeUnits(merged.nodes, holdings);
  merged.holdings = FoldByKey(holdings, HoldingKey, MergeHolding);
  merged.pending =
      StillWaiting(FoldByKey(facts.pending, PendingKey, MergePending), merged.holdings);
  merged.pending = WithoutEnded(merged.pending, facts.ended_waits);
  merged.bindings = UnionBindings(facts.bindings);
  merged.states = FoldByKey(facts.states, StateKey, MergeState);
  merged.set_asides = FoldByKey(facts.set_asides, SetAsideKey, MergeSetAside);
  merged.volumes = FoldByKey(facts.volumes, VolumeKey, MergeVolume);
  return merged;
}

}  // namespace plimsoll
