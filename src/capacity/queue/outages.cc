#include "capacity/queue/outages.h"

#include <algorithm>

#include "base/check.h"
#include "sim/distributions.h"

namespace plimsoll {

Duration MeanOfRate(std::int64_t per_million_days) {
  PLIMSOLL_CHECK(per_million_days > 0);
  return Millis(Days(1'000'000).base() / per_million_days);
}

Outages::Outages(const Cluster& cluster, const RiskModel& risks, std::uint64_t seed,
                 std::uint64_t replication)
    : risks_(risks) {
  const auto fails = [](const NodeRisk& risk) { return risk.failures_per_million_node_days > 0; };
  const auto evicts = [](const NodeRisk& risk) { return risk.evictions_per_million_node_days > 0; };
  const bool any_fails = std::ranges::any_of(risks.of_flavor, fails);
  const bool any_evicts = std::ranges::any_of(risks.of_flavor, evicts);
  for (NodeId id = 0; id < cluster.size(); ++id) {
    flavors_.push_back(cluster.node(id).flavor);
    const std::string& name = cluster.node(id).name;
    if (any_fails) failures_.emplace_back(seed, "failures " + name, replication);
    if (any_fails) repairs_.emplace_back(seed, "repairs " + name, replication);
    if (any_evicts) evictions_.emplace_back(seed, "evictions " + name, replication);
    if (any_evicts) returns_.emplace_back(seed, "returns " + name, replication);
  }
  for (std::size_t risk = 0; risk < risks.domains.size(); ++risk) {
    if (risks.domains[risk].failures_per_million_domain_days == 0) continue;
    for (DomainId id = 0; id < cluster.tree().size(); ++id) {
      const DomainTree::Domain& domain = cluster.tree().at(id);
      if (domain.level != risks.domains[risk].level) continue;
      domains_.push_back({id, risk});
      const std::string name = std::to_string(risk) + " " + std::to_string(id);
      domain_failures_.emplace_back(seed, "domain failures " + name, replication);
      domain_repairs_.emplace_back(seed, "domain repairs " + name, replication);
    }
  }
}

const NodeRisk* Outages::RiskOf(NodeId node) const {
  const std::uint32_t flavor = flavors_[node];
  return flavor < risks_.of_flavor.size() ? &risks_.of_flavor[flavor] : nullptr;
}

std::optional<Duration> Outages::UntilFailure(NodeId node) {
  const NodeRisk* const risk = RiskOf(node);
  if (risk == nullptr || risk->failures_per_million_node_days == 0) return std::nullopt;
  return DrawExponentialTime(failures_[node], MeanOfRate(risk->failures_per_million_node_days));
}

std::optional<Duration> Outages::UntilEviction(NodeId node) {
  const NodeRisk* const risk = RiskOf(node);
  if (risk == nullptr || risk->evictions_per_million_node_days == 0) return std::nullopt;
  return DrawExponentialTime(evictions_[node], MeanOfRate(risk->evictions_per_million_node_days));
}

Duration Outages::Repair(NodeId node) {
  const Duration mean = RiskOf(node)->repair;
  if (!risks_.repair_is_exponential || mean == Duration()) return mean;
  return DrawExponentialTime(repairs_[node], mean);
}

Duration Outages::Away(NodeId node) {
  const Duration mean = RiskOf(node)->away;
  if (!risks_.repair_is_exponential || mean == Duration()) return mean;
  return DrawExponentialTime(returns_[node], mean);
}

Duration Outages::UntilDomainFailure(std::size_t source) {
  const DomainRisk& risk = risks_.domains[domains_[source].risk];
  return DrawExponentialTime(domain_failures_[source],
                             MeanOfRate(risk.failures_per_million_domain_days));
}

Duration Outages::DomainRepair(std::size_t source) {
  const Duration mean = risks_.domains[domains_[source].risk].repair;
  if (!risks_.repair_is_exponential || mean == Duration()) return mean;
  return DrawExponentialTime(domain_repairs_[source], mean);
}

}  // namespace plimsoll
