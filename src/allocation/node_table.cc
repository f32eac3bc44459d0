#include "allocation/node_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "allocation/holding_table.h"

namespace plimsoll {
namespace {

bool HasLabels(const std::string& labels) { return !labels.empty() && labels != "{}"; }

// How much a row says; the fuller of two sightings is taken.
int FieldsOf(const NodeBatch& nodes, std::size_t i) {
  return int{!nodes.provider_id[i].empty()} + int{!nodes.instance_type[i].empty()} +
         int{!nodes.region[i].empty()} + int{!nodes.zone[i].empty()} +
         int{!nodes.capacity_type[i].empty()} + int{!nodes.gpu_model[i].empty()} +
         int{nodes.gpu_count[i] > 0} + int{nodes.cpu_milli[i] > 0} +
         int{nodes.memory_bytes[i] > 0} + int{HasLabels(nodes.labels[i])};
}

auto FieldOrder(const NodeBatch& nodes, std::size_t i) {
  return std::tie(nodes.provider_id[i], nodes.instance_type[i], nodes.region[i], nodes.zone[i],
                  nodes.capacity_type[i], nodes.gpu_model[i], nodes.gpu_count[i],
                  nodes.cpu_milli[i], nodes.memory_bytes[i], nodes.labels[i]);
}

bool IsBetter(const NodeBatch& nodes, std::size_t a, std::size_t b) {
  const int fields_a = FieldsOf(nodes, a);
  const int fields_b = FieldsOf(nodes, b);
  return fields_a != fields_b ? fields_a > fields_b : FieldOrder(nodes, a) < FieldOrder(nodes, b);
}

NodeFact FactOf(const NodeBatch& nodes, std::size_t i) {
  NodeFact fact;
  fact.cluster = nodes.cluster[i];
  fact.node = nodes.node[i];
  fact.provider_id = nodes.provider_id[i];
  fact.instance_type = nodes.instance_type[i];
  fact.region = nodes.region[i];
  fact.zone = nodes.zone[i];
  fact.capacity_type = nodes.capacity_type[i];
  fact.gpu_model = nodes.gpu_model[i];
  fact.gpu_count = std::max<std::int64_t>(nodes.gpu_count[i], 0);
  fact.cpu_milli = std::max<std::int64_t>(nodes.cpu_milli[i], 0);
  fact.memory_bytes = std::max<std::int64_t>(nodes.memory_bytes[i], 0);
  fact.begin = nodes.begin[i];
  fact.until = nodes.until[i];
  return fact;
}

// One fact for rows of the same node: the best row's fields, the widest existence.
NodeFact Merge(const NodeBatch& nodes, const std::vector<std::size_t>& rows) {
  std::size_t best = rows.front();
  for (const std::size_t row : rows) {
    if (IsBetter(nodes, row, best)) best = row;
  }
  NodeFact fact = FactOf(nodes, best);
  for (const std::size_t row : rows) {
    const auto& begin = nodes.begin[row];
    const auto& until = nodes.until[row];
    if (!begin || (fact.begin && *begin < *fact.begin)) fact.begin = begin;
    if (!until || (fact.until && *until > *fact.until)) fact.until = until;
  }
  return fact;
}

bool ByName(const NodeFact& a, const NodeFact& b) {
  return std::tie(a.cluster, a.node) < std::tie(b.cluster, b.node);
}

bool Touches(const Window& window, Instant begin, std::optional<Instant> until) {
  return begin < window.until && (!until || *until > window.begin);
}

// GPUs that a holding takes off its node, whole cards.
std::int64_t CardsHeld(const HoldingBatch& holdings, std::size_t row) {
  const int128 parts = int128{std::max<std::int64_t>(holdings.devices[row], 0)} *
                       std::max<std::int64_t>(holdings.share_num[row], 0);
  const int128 den = std::max<std::int64_t>(holdings.share_den[row], 1);
  return static_cast<std::int64_t>((parts + den - 1) / den);
}

struct HeldTime {
  Window time;
  std::int64_t cards = 0;
};

// The most cards held at once.
std::int64_t Peak(const std::vector<HeldTime>& held) {
  std::map<Instant, std::int64_t> changes;
  for (const HeldTime& one : held) {
    changes[one.time.begin] += one.cards;
    changes[one.time.until] -= one.cards;
  }
  std::int64_t now = 0;
  std::int64_t peak = 0;
  for (const auto& [time, change] : changes) peak = std::max(peak, now += change);
  return peak;
}

std::vector<Window> Union(std::vector<HeldTime> held) {
  std::sort(held.begin(), held.end(),
            [](const HeldTime& a, const HeldTime& b) { return a.time < b.time; });
  std::vector<Window> merged;
  for (const HeldTime& one : held) {
    if (!merged.empty() && one.time.begin <= merged.back().until) {
      merged.back().until = std::max(merged.back().until, one.time.until);
    } else {
      merged.push_back(one.time);
    }
  }
  return merged;
}

}  // namespace

void NodeTable::See(Symbol cluster, Symbol node) {
  if (last_ >= 0 && at(last_).cluster == cluster && at(last_).node == node) return;
  const auto [entry, is_new] =
      ids_.try_emplace({cluster, node}, static_cast<std::int32_t>(nodes_.size()));
  if (is_new) {
    NodeFact& fact = nodes_.emplace_back();
    fact.cluster = cluster;
    fact.node = node;
  }
  last_ = entry->second;
}

NodeTable NodeTable::Gather(const AllocationInput& input, const Window& window) {
  NodeTable table;
  std::map<std::int32_t, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < RowsOf(input.nodes); ++i) {
    table.See(input.nodes.cluster[i], input.nodes.node[i]);
    rows_of[table.last_].push_back(i);
  }
  for (const auto& [id, rows] : rows_of) {
    table.nodes_[static_cast<std::size_t>(id)] = Merge(input.nodes, rows);
  }
  const UsageBatch& usage = input.usage;
  table.of_usage_.assign(RowsOf(usage), -1);
  for (std::size_t i = 0; i < RowsOf(usage); ++i) {
    if (!window.contains(usage.hour[i])) continue;
    table.See(usage.cluster[i], usage.node[i]);
    table.of_usage_[i] = table.last_;
  }
  const BindingBatch& bindings = input.bindings;
  for (std::size_t i = 0; i < RowsOf(bindings); ++i) {
    if (!Touches(window, bindings.begin[i], bindings.until[i])) continue;
    table.See(bindings.cluster[i], bindings.node[i]);
  }
  // What is named so far is known by more than what was held on it.
  const std::vector<bool> is_known(table.nodes_.size(), true);
  const HoldingBatch& holdings = input.holdings;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    if (!Touches(window, holdings.begin[i], holdings.until[i])) continue;
    table.See(holdings.cluster[i], holdings.node[i]);
  }
  table.MeasureByHoldings(holdings, window, is_known);
  table.Add({});
  return table;
}

void NodeTable::MeasureByHoldings(const HoldingBatch& holdings, const Window& window,
                                  const std::vector<bool>& is_known) {
  if (is_known.size() == nodes_.size()) return;
  std::map<std::int32_t, std::vector<HeldTime>> held;
  for (const std::size_t i : UniqueHoldings(holdings, window.until)) {
    if (!Touches(window, holdings.begin[i], holdings.until[i])) continue;
    See(holdings.cluster[i], holdings.node[i]);
    const std::int32_t node = last_;
    const auto index = static_cast<std::size_t>(node);
    if (index < is_known.size() && is_known[index]) continue;
    const Window time{holdings.begin[i], holdings.until[i].value_or(window.until)};
    held[node].push_back({Intersect(time, window), CardsHeld(holdings, i)});
  }
  for (auto& [node, times] : held) {
    NodeFact& fact = nodes_[static_cast<std::size_t>(node)];
    fact.gpu_count = Peak(times);
    fact.held_only = Union(std::move(times));
  }
}

std::int32_t NodeTable::Find(Symbol cluster, Symbol node) const {
  if (last_ >= 0 && at(last_).cluster == cluster && at(last_).node == node) return last_;
  const auto entry = ids_.find({cluster, node});
  if (entry == ids_.end()) return -1;
  last_ = entry->second;
  return last_;
}

std::vector<std::int32_t> NodeTable::Add(std::vector<NodeFact> added) {
  for (NodeFact& fact : added) nodes_.push_back(std::move(fact));
  std::vector<std::size_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ByName(nodes_[a], nodes_[b]); });
  std::vector<std::int32_t> new_id(nodes_.size());
  std::vector<NodeFact> sorted;
  sorted.reserve(nodes_.size());
  for (const std::size_t old : order) {
    new_id[old] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(nodes_[old]));
  }
  nodes_ = std::move(sorted);
  for (std::int32_t& node : of_usage_) {
    if (node >= 0) node = new_id[static_cast<std::size_t>(node)];
  }
  Index();
  return new_id;
}

void NodeTable::Index() {
  last_ = -1;
  ids_.clear();
  for (std::size_t id = 0; id < nodes_.size(); ++id) {  // of equal names the first
    ids_.try_emplace({nodes_[id].cluster, nodes_[id].node}, static_cast<std::int32_t>(id));
  }
}

void NodeTable::Measure(const Catalog& catalog) {
  for (NodeFact& node : nodes_) {
    const InstanceShape* const shape =
        node.instance_type.empty() ? nullptr : catalog.FindShape("", node.instance_type);
    node.gpu_num = node.gpu_count;
    node.gpu_den = 1;
    if (shape != nullptr && shape->gpu_num > 0 && shape->gpu_den > 0) {
      node.gpu_num = shape->gpu_num;
      node.gpu_den = shape->gpu_den;
    }
    node.cpu_capacity =
        shape != nullptr && shape->cpu_milli > 0 ? shape->cpu_milli : node.cpu_milli;
    node.memory_capacity =
        shape != nullptr && shape->memory_bytes > 0 ? shape->memory_bytes : node.memory_bytes;
    // One name a model, whichever source told it; a shape is surer than a label.
    if (shape != nullptr) {
      node.gpu_model = shape->gpu_model;
    } else if (const GpuModel* const model = catalog.FindGpu(node.gpu_model)) {
      node.gpu_model = model->name;
    }
  }
}

}  // namespace plimsoll
