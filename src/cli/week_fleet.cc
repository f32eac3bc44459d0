#include "cli/week_fleet.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "allocation/holding_table.h"
#include "cli/node_topology.h"
#include "ingest/pod.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMib = 1'024 * 1'024;
constexpr std::int64_t kNotKnown = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int64_t kMicros = 1'000'000;
constexpr int128 kPpb = 1'000'000'000;

std::int64_t PpbOf(int128 part, int128 whole) {
  if (whole <= 0) return 0;
  return static_cast<std::int64_t>((part * kPpb + whole / 2) / whole);
}

// The shape of one unit of a holding, without CPU and memory.
PodShape UnitShape(const HoldingBatch& held, std::size_t row) {
  PodShape shape;
  shape.gpus = 1;
  const std::int64_t den = std::max<std::int64_t>(held.share_den[row], 1);
  const std::int64_t num = std::clamp<std::int64_t>(held.share_num[row], 0, den);
  shape.gpu_milli =
      static_cast<std::int32_t>(std::max<std::int64_t>(1, (num * kMilliPerGpu + den - 1) / den));
  return shape;
}

bool IsMig(const HoldingBatch& held, std::size_t row) {
  return held.device_kind[row].text().starts_with("mig-");
}

// GPU pods that touch the window, by pool.
std::vector<std::vector<PodShape>> PodsOf(const OccupancyFacts& facts, const WeekFleet& fleet,
                                          Window window) {
  const HoldingBatch& held = facts.holdings;
  std::vector<std::vector<PodShape>> pods(fleet.pools.size());
  for (const std::size_t row : UniqueHoldings(held, window.until)) {
    const PoolNode* const at = fleet.Find(held.cluster[row], held.node[row]);
    const Window time{held.begin[row], held.until[row].value_or(window.until)};
    if (at == nullptr || !held.role[row].text().empty() || held.devices[row] <= 0) continue;
    if (Intersect(time, window).empty()) continue;
    const WeekPool& pool = fleet.pools[at->pool];
    if (pool.is_mig()) continue;
    PodShape shape = UnitShape(held, row);
    if (shape.gpu_milli == kMilliPerGpu) {
      shape.gpus = static_cast<std::int32_t>(std::min<std::int64_t>(
          held.devices[row], std::max(pool.cluster().node(at->node).gpus, 1)));
    }
    shape.cpu_milli = held.cpu_milli[row];
    pods[at->pool].push_back(shape);
  }
  return pods;
}

NodeSpec SpecOf(const NodeFact& fact) {
  NodeSpec node;
  node.name = fact.node.text();
  node.cpu_milli = fact.cpu_capacity > 0 ? fact.cpu_capacity : kNotKnown;
  node.memory_mib = fact.memory_capacity > 0 ? fact.memory_capacity / kMib : kNotKnown;
  node.gpus = static_cast<std::int32_t>(std::min<std::int64_t>(
      fact.gpu_num / std::max<std::int64_t>(fact.gpu_den, 1), kGpusPerNodeMax));
  return node;
}

// As every report names it.
std::string ModelOf(const NodeFact& fact, const Catalog& catalog) {
  if (fact.gpu_model.empty()) return "unknown";
  const GpuModel* const known = catalog.FindGpu(fact.gpu_model);
  return known == nullptr ? fact.gpu_model : known->name;
}

// The levels of every node that some row tells.
std::map<std::pair<Symbol, Symbol>, std::vector<std::string>> Topologies(const NodeBatch& nodes) {
  std::map<std::pair<Symbol, Symbol>, std::vector<std::string>> out;
  for (std::size_t row = 0; row < RowsOf(nodes); ++row) {
    const std::vector<std::string> told = TopologyOf(nodes.labels[row], nodes.zone[row]);
    std::vector<std::string>& levels = out[{nodes.cluster[row], nodes.node[row]}];
    levels.resize(kTopologyLevels);
    for (std::size_t level = 0; level < kTopologyLevels; ++level) {
      if (levels[level].empty()) levels[level] = told[level];
    }
  }
  return out;
}

void AddExistence(const NodeFact& fact, PoolNode at, Window window, WeekFleet& fleet) {
  if (!fact.held_only.empty()) {
    for (const Window& held : fact.held_only) fleet.existence.emplace_back(at, held);
    return;
  }
  fleet.existence.emplace_back(
      at, Window{fact.begin.value_or(window.begin), fact.until.value_or(window.until)});
}

}  // namespace

void WeekPool::AddNode(NodeSpec node, std::vector<std::string> topology) {
  specs_.push_back(std::move(node));
  topology.resize(kTopologyLevels);
  topology_.push_back(std::move(topology));
}

void WeekPool::Open() {
  std::vector<std::size_t> levels;
  std::vector<std::string> names;
  for (std::size_t level = 0; level < kTopologyLevels; ++level) {
    const bool is_told = std::any_of(topology_.begin(), topology_.end(),
                                     [&](const auto& of) { return !of[level].empty(); });
    if (!is_told) continue;
    levels.push_back(level);
    names.emplace_back(TopologyLevelName(level));
  }
  DomainTree tree(names);
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    std::vector<std::string> values;
    for (const std::size_t level : levels) values.push_back(topology_[i][level]);
    if (!values.empty()) specs_[i].domains = tree.Add(values);
  }
  cluster_.emplace(std::vector<std::string>{gpu_model_}, std::move(tree), std::move(specs_));
  states_.resize(cluster_->size());
  for (NodeId id = 0; id < cluster_->size(); ++id) cluster_->SetUp(id, false);
}

void WeekPool::SetTypical(std::span<const PodShape> pods) {
  if (!pods.empty()) measure_.emplace(TypicalPodsOf(pods));
}

// The sums take what the node adds to them now in place of what it added before.
void WeekPool::Changed(NodeId id) {
  State& state = states_[id];
  const bool is_up = state.exists && state.well;
  if (state.idle_milli > 0 || state.whole > 0) --by_whole_[static_cast<std::size_t>(state.whole)];
  idle_milli_ -= state.idle_milli;
  unusable_ -= state.unusable;
  state.idle_milli = is_up ? FreeMilli(id) : 0;
  state.whole = is_up && !is_mig_ ? cluster_->free(id).whole_gpus : 0;
  state.unusable = is_up && measure_ ? measure_->Fragmented(NodeIdle(*cluster_, id), counts_) : 0;
  if (state.idle_milli > 0 || state.whole > 0) ++by_whole_[static_cast<std::size_t>(state.whole)];
  idle_milli_ += state.idle_milli;
  unusable_ += state.unusable;
}

void WeekPool::SetExists(NodeId id, bool exists) {
  states_[id].exists = exists;
  cluster_->SetUp(id, states_[id].exists && states_[id].well);
  Changed(id);
}

void WeekPool::SetWell(NodeId id, bool well) {
  states_[id].well = well;
  cluster_->SetUp(id, states_[id].exists && states_[id].well);
  Changed(id);
}

void WeekPool::SetFailed(NodeId id, std::int64_t gpus) {
  Share& failed = states_[id].failed;
  Give(id, failed);
  failed = {};
  const std::int64_t count = std::min<std::int64_t>(gpus, cluster_->node(id).gpus);
  if (is_mig_) failed.micros = count * kMicros;
  for (std::int64_t i = 0; i < count && !is_mig_; ++i) HoldPart(id, {0, 0, 1}, failed);
  states_[id].micros += failed.micros;
  Changed(id);
}

bool WeekPool::HoldPart(NodeId id, PodShape shape, Share& share) {
  // What is held stays held on a node that takes nothing new.
  const bool is_up = cluster_->free(id).up;
  if (!is_up) cluster_->SetUp(id, true);
  const bool fits = cluster_->Fits(id, shape);
  if (fits) {
    const GpuSet gpus = cluster_->ChooseGpus(id, shape);
    cluster_->Take(id, shape, gpus);
    share.parts.emplace_back(shape, gpus);
  }
  if (!is_up) cluster_->SetUp(id, false);
  return fits;
}

bool WeekPool::HoldMicros(NodeId id, const HoldingBatch& held, std::size_t row, Share& share) {
  if (!held.role[row].text().empty()) return true;
  const int128 den = std::max<std::int64_t>(held.share_den[row], 1);
  const int128 parts = int128{std::clamp<std::int64_t>(held.devices[row], 0, kNodeDevicesMax)} *
                       std::clamp<std::int64_t>(held.share_num[row], 0, kNodeDevicesMax) * kMicros;
  share.micros = static_cast<std::int64_t>((parts + den / 2) / den);
  states_[id].micros += share.micros;
  Changed(id);
  // Rounded sevenths may add up to a few millionths more than a card.
  return states_[id].micros <= cluster_->node(id).gpus * kMicros + kMilliPerGpu;
}

std::int64_t WeekPool::FreeMilli(NodeId id) const {
  if (!is_mig_) return cluster_->free(id).gpu_milli;
  const std::int64_t micros = cluster_->node(id).gpus * kMicros - states_[id].micros;
  return std::max<std::int64_t>(0, micros + kMilliPerGpu / 2) / kMilliPerGpu;
}

bool WeekPool::Hold(NodeId id, const HoldingBatch& held, std::size_t row, Share& share) {
  if (is_mig_) return HoldMicros(id, held, row, share);
  const Cluster::Free& free = cluster_->free(id);
  PodShape rest;  // CPU and memory, as far as they are there
  rest.cpu_milli = std::clamp<std::int64_t>(held.cpu_milli[row], 0, free.cpu_milli);
  rest.memory_mib = std::clamp<std::int64_t>(held.memory_bytes[row] / kMib, 0, free.memory_mib);
  bool is_whole = HoldPart(id, rest, share);
  const bool is_work = held.role[row].text().empty();
  const std::int64_t units =
      is_work ? std::clamp<std::int64_t>(held.devices[row], 0, kNodeDevicesMax) : 0;
  if (units > 0) {
    PodShape shape = UnitShape(held, row);
    const std::int32_t whole =
        static_cast<std::int32_t>(std::min<std::int64_t>(units, cluster_->node(id).gpus));
    if (shape.gpu_milli == kMilliPerGpu && whole > 0) {
      shape.gpus = std::min(whole, free.whole_gpus);
      is_whole = is_whole && shape.gpus == units;
      if (shape.gpus > 0) is_whole = HoldPart(id, shape, share) && is_whole;
    } else {
      for (std::int64_t i = 0; i < units && is_whole; ++i) is_whole = HoldPart(id, shape, share);
    }
  }
  Changed(id);
  return is_whole;
}

void WeekPool::Give(NodeId id, const Share& share) {
  states_[id].micros -= share.micros;
  for (const auto& [shape, gpus] : share.parts) cluster_->Give(id, shape, gpus);
  Changed(id);
}

void WeekPool::Advance(Instant now) {
  if (at_) {
    const std::int64_t length = Between(*at_, now).base();
    idle_time_ += int128{idle_milli_} * length;
    unusable_time_ += int128{unusable_} * length;
  }
  at_ = now;
}

std::int64_t WeekPool::Slots(std::int64_t pod_milli, std::int64_t enough) const {
  std::int64_t slots = 0;
  if (is_mig_) return 0;
  if (pod_milli >= kMilliPerGpu) {
    const auto gpus = static_cast<std::size_t>((pod_milli + kMilliPerGpu - 1) / kMilliPerGpu);
    for (std::size_t whole = gpus; whole <= kGpusPerNodeMax; ++whole) {
      slots += by_whole_[whole] * static_cast<std::int64_t>(whole / gpus);
    }
    return std::min(slots, enough);
  }
  PodShape shape;
  shape.gpus = 1;
  shape.gpu_milli = static_cast<std::int32_t>(std::max<std::int64_t>(pod_milli, 1));
  for (NodeId id = 0; id < cluster_->size() && slots < enough; ++id) {
    slots += cluster_->Slots(id, shape);
  }
  return std::min(slots, enough);
}

std::int64_t WeekPool::down_milli() const {
  std::int64_t milli = 0;
  for (NodeId id = 0; id < cluster_->size(); ++id) {
    if (states_[id].exists && !states_[id].well) milli += FreeMilli(id);
  }
  return milli;
}

std::int64_t WeekPool::idle_mean_milli(Window window) const {
  const int128 length = window.length().base();
  return length <= 0 ? 0 : static_cast<std::int64_t>((idle_time_ + length / 2) / length);
}

std::optional<std::int64_t> WeekPool::unusable_ppb() const {
  if (!measure_) return std::nullopt;
  return PpbOf(unusable_, int128{idle_milli_} * measure_->typical().count);
}

std::optional<std::int64_t> WeekPool::unusable_mean_ppb() const {
  if (!measure_) return std::nullopt;
  return PpbOf(unusable_time_, idle_time_ * measure_->typical().count);
}

std::int64_t WeekPool::nodes() const {
  return std::count_if(states_.begin(), states_.end(), [](const State& s) { return s.exists; });
}

std::int64_t WeekPool::gpus() const {
  std::int64_t gpus = 0;
  for (NodeId id = 0; id < cluster_->size(); ++id) {
    if (states_[id].exists) gpus += cluster_->node(id).gpus;
  }
  return gpus;
}

const PoolNode* WeekFleet::Find(Symbol cluster, Symbol node) const {
  const auto at = nodes.find({cluster, node});
  return at == nodes.end() ? nullptr : &at->second;
}

WeekFleet FleetOf(const OccupancyFacts& facts, const Catalog& catalog, Window window) {
  const ChargeBatch charges;
  const UsageBatch usage;
  const PriceBatch prices;
  const AllocationInput input{charges, facts.nodes, facts.holdings, facts.bindings,
                              usage,   prices,      catalog,        &facts.conditions};
  NodeTable table = NodeTable::Gather(input, window);
  table.Measure(catalog);
  const auto topologies = Topologies(facts.nodes);
  WeekFleet fleet;
  std::set<std::pair<Symbol, Symbol>> cut;  // nodes on which a MIG instance was held
  for (std::size_t row = 0; row < RowsOf(facts.holdings); ++row) {
    if (!IsMig(facts.holdings, row)) continue;
    cut.insert({facts.holdings.cluster[row], facts.holdings.node[row]});
  }
  std::map<std::tuple<std::string, std::string, bool>, std::vector<const NodeFact*>> by_pool;
  for (const NodeFact& fact : table.nodes()) {
    const Window life{fact.begin.value_or(window.begin), fact.until.value_or(window.until)};
    if (fact.gpu_num < fact.gpu_den || Intersect(life, window).empty()) continue;
    const bool is_mig = cut.contains({fact.cluster, fact.node});
    by_pool[{fact.cluster.text(), ModelOf(fact, catalog), is_mig}].push_back(&fact);
  }
  for (const auto& [key, nodes] : by_pool) {
    const auto& [cluster, model, is_mig] = key;
    WeekPool& pool = fleet.pools.emplace_back(cluster, model, is_mig);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeFact& fact = *nodes[i];
      const auto topology = topologies.find({fact.cluster, fact.node});
      pool.AddNode(SpecOf(fact),
                   topology == topologies.end() ? std::vector<std::string>() : topology->second);
      const PoolNode at{fleet.pools.size() - 1, static_cast<NodeId>(i)};
      fleet.nodes[{fact.cluster, fact.node}] = at;
      AddExistence(fact, at, window, fleet);
    }
    pool.Open();
  }
  const std::vector<std::vector<PodShape>> pods = PodsOf(facts, fleet, window);
  for (std::size_t i = 0; i < fleet.pools.size(); ++i) fleet.pools[i].SetTypical(pods[i]);
  return fleet;
}

}  // namespace plimsoll
