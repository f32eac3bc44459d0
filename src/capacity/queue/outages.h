// Outages: when nodes and domains fail, how long they are away. The draws only.
//
// Each node and each domain has streams of its own, named after it, and others for how long it is
// away: another node more or less, another policy or other repairs leave its failures as they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/queue/queue_options.h"
#include "sim/random.h"
#include "units/time.h"

namespace plimsoll {

// The mean time between events that happen so often in a million days. REQUIRES: above 0
Duration MeanOfRate(std::int64_t per_million_days);

class Outages {
 public:
  Outages(const Cluster& cluster, const RiskModel& risks, std::uint64_t seed,
          std::uint64_t replication);

  // Time up until the next failure or eviction of a node, null if it has none.
  std::optional<Duration> UntilFailure(NodeId node);
  std::optional<Duration> UntilEviction(NodeId node);
  Duration Repair(NodeId node);
  Duration Away(NodeId node);

  // Domains with a risk; a domain that two of RiskModel::domains name is there twice.
  struct DomainSource {
    DomainId domain = 0;
    std::size_t risk = 0;  // into RiskModel::domains
  };
  const std::vector<DomainSource>& domains() const { return domains_; }
  Duration UntilDomainFailure(std::size_t source);
  Duration DomainRepair(std::size_t source);

 private:
  const NodeRisk* RiskOf(NodeId node) const;

  RiskModel risks_;
  std::vector<std::uint32_t> flavors_;              // by node
  std::vector<RandomStream> failures_, evictions_;  // by node; empty without risk
  std::vector<RandomStream> repairs_, returns_;     // of these
  std::vector<DomainSource> domains_;
  std::vector<RandomStream> domain_failures_, domain_repairs_;
};

}  // namespace plimsoll
