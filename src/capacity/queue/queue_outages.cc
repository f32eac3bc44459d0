// Nodes that go and come back, and what that does to who runs on them.
#include <algorithm>

#include "base/check.h"
#include "capacity/queue/queue_engine.h"

namespace plimsoll {

void QueueEngine::BeginOutages() {
  const RiskModel& risks = options_.risks;
  for (const NodeId spare : risks.spares) {
    nodes_[spare].is_spare = true;
    UpdateNode(spare);
  }
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const auto failure = outages_.UntilFailure(node), eviction = outages_.UntilEviction(node);
    if (failure) simulation_.At(begin_ + *failure, {EventKind::kFailure, node});
    if (eviction) simulation_.At(begin_ + *eviction, {EventKind::kEviction, node});
  }
  for (std::uint32_t i = 0; i < outages_.domains().size(); ++i) {
    simulation_.At(begin_ + outages_.UntilDomainFailure(i), {EventKind::kDomainFailure, i});
  }
  for (std::uint32_t i = 0; i < risks.maintenance.size(); ++i) {
    const Maintenance& planned = risks.maintenance[i];
    if (planned.window.until <= begin_ || planned.window.empty()) continue;
    const auto at = [&](Instant when) { return std::max(when, begin_); };
    simulation_.At(at(planned.window.begin - planned.drain), {EventKind::kDrain, i});
    simulation_.At(at(planned.window.begin), {EventKind::kMaintenance, i});
    simulation_.At(planned.window.until, {EventKind::kMaintained, i});
    ++timers_;
  }
}

void QueueEngine::HandleOutage(const Event& event) {
  const auto after = [&](Duration delay, EventKind kind) {
    simulation_.After(delay, {kind, event.id});
  };
  const bool is_down = event.id < nodes_.size() && nodes_[event.id].outages > 0;
  switch (event.kind) {
    case EventKind::kFailure:
      // One that is down for another reason does not fail; the time without memory begins anew.
      if (is_down) return after(*outages_.UntilFailure(event.id), EventKind::kFailure);
      if (IsMeasured()) ++totals_.failures;
      UseSpareFor(event.id);
      TakeDown(event.id, StopKind::kFailure);
      return after(outages_.Repair(event.id), EventKind::kRepair);
    case EventKind::kRepair:
      BringBack(event.id);
      return after(*outages_.UntilFailure(event.id), EventKind::kFailure);
    case EventKind::kEviction:
      if (is_down) return after(*outages_.UntilEviction(event.id), EventKind::kEviction);
      if (IsMeasured()) ++totals_.evictions;
      TakeDown(event.id, StopKind::kEviction);
      return after(outages_.Away(event.id), EventKind::kReturn);
    case EventKind::kReturn:
      BringBack(event.id);
      return after(*outages_.UntilEviction(event.id), EventKind::kEviction);
    default:
      return HandleGroupOutage(event);
  }
}

void QueueEngine::HandleGroupOutage(const Event& event) {
  const std::vector<NodeId> nodes = NodesOf(event);
  switch (event.kind) {
    case EventKind::kDomainFailure:
      if (IsMeasured()) ++totals_.domain_failures;
      for (const NodeId node : nodes) TakeDown(node, StopKind::kFailure);
      simulation_.After(outages_.DomainRepair(event.id), {EventKind::kDomainRepair, event.id});
      return;
    case EventKind::kDomainRepair:
      for (const NodeId node : nodes) BringBack(node);
      simulation_.After(outages_.UntilDomainFailure(event.id),
                        {EventKind::kDomainFailure, event.id});
      return;
    case EventKind::kDrain:
      for (const NodeId node : nodes) {
        ++nodes_[node].drains;
        UpdateNode(node);
      }
      return;
    case EventKind::kMaintenance:
      for (const NodeId node : nodes) TakeDown(node, StopKind::kMaintenance);
      return;
    default:
      PLIMSOLL_CHECK(event.kind == EventKind::kMaintained);
      --timers_;
      for (const NodeId node : nodes) {
        --nodes_[node].drains;
        BringBack(node);
      }
  }
}

// The nodes that an event about several is about.
std::vector<NodeId> QueueEngine::NodesOf(const Event& event) const {
  const bool is_domain =
      event.kind == EventKind::kDomainFailure || event.kind == EventKind::kDomainRepair;
  if (!is_domain) return options_.risks.maintenance[event.id].nodes;
  const DomainId domain = outages_.domains()[event.id].domain;
  const std::uint32_t level = room_.cluster().tree().at(domain).level;
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const auto& domains = room_.cluster().node(node).domains;
    if (!domains.empty() && domains[level] == domain) nodes.push_back(node);
  }
  return nodes;
}

void QueueEngine::TakeDown(NodeId node, StopKind kind) {
  ++timers_;
  if (nodes_[node].outages++ > 0) return;
  const std::vector<LiveId> jobs = nodes_[node].jobs;  // some may have more than one place here
  for (const LiveId id : jobs) {
    if (!live_[id].runs) continue;
    // Who is done at this very instant is done.
    const bool is_done = Now() == live_[id].started + WallTime(live_[id].start);
    if (is_done && simulation_.Cancel(live_[id].end)) {
      End(id);
    } else {
      Stop(id, kind);
    }
  }
  UpdateNode(node);
}

void QueueEngine::BringBack(NodeId node) {
  --timers_;
  PLIMSOLL_CHECK(nodes_[node].outages > 0);
  --nodes_[node].outages;
  UpdateNode(node);
}

void QueueEngine::UpdateNode(NodeId id) {
  const OfNode& node = nodes_[id];
  const bool is_down = node.outages > 0 || node.drains > 0;
  const bool is_up = !is_down && !node.is_spare;
  occupancy_.SetState(id,
                      is_up     ? NodeState::kUp
                      : is_down ? NodeState::kDown
                                : NodeState::kSpare,
                      Now());
  if (room_.cluster().free(id).up == is_up) return;
  room_.SetUp(id, is_up);
  if (shadow_) shadow_->SetUp(id, is_up);
  if (is_up) ++releases_;
  SchedulePass();  // also without a node: what was promised on it holds up nobody any more
}

// The spare of the node's flavor that shares the most domains with it takes its part.
void QueueEngine::UseSpareFor(NodeId failed) {
  if (nodes_[failed].is_spare) return;
  const NodeSpec& spec = room_.cluster().node(failed);
  std::optional<NodeId> best;
  std::size_t most = 0;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const OfNode& node = nodes_[id];
    const NodeSpec& other = room_.cluster().node(id);
    if (!node.is_spare || node.outages > 0 || node.drains > 0) continue;
    if (other.flavor != spec.flavor) continue;
    std::size_t shared = 0;
    while (shared < std::min(spec.domains.size(), other.domains.size()) &&
           spec.domains[shared] == other.domains[shared]) {
      ++shared;
    }
    if (best && shared <= most) continue;
    best = id;
    most = shared;
  }
  if (!best) return;
  nodes_[*best].is_spare = false;
  UpdateNode(*best);
  nodes_[failed].is_spare = true;
}

}  // namespace plimsoll
