// KueueGate: Kueue's quota as the gate of a simulated queue.
//
// Whether a queue may use a flavor, whose use is borrowed, and who must go, are what
// capacity/quota says (the tree, classical preemption or fair sharing). Queues and flavors are
// matched by name; resources are "cpu" (milli), "memory" (bytes) and one GPU resource (pieces,
// parts rounded up). A resource group without any of the cluster's flavors (CPU in a flavor of its
// own) counts for all of them by its first flavor. A resource that no quota of any queue names has
// no limit (who runs Kueue without CPU quota excludes CPU from it); one that others name and the
// job's own queue does not keeps the job out, as Kueue does, but for "pods".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "capacity/queue/queue_options.h"
#include "capacity/queue/quota_gate.h"
#include "capacity/quota/preemption.h"
#include "capacity/quota/quota_state.h"

namespace plimsoll {

class KueueGate : public QuotaGate {
 public:
  struct Names {
    std::vector<std::string> queues;   // TrainingWorkload::queues
    std::vector<std::string> flavors;  // Cluster::flavors()
    std::string gpu_resource = "nvidia.com/gpu";
  };

  // Fails with kBadData as QuotaTree::Build does; with kNotFound: a queue of the workload that
  // the quotas do not have, by name and with those that they have.
  static Result<std::shared_ptr<KueueGate>> Build(const QuotaSpec& spec, const QuotaRules& rules,
                                                  const Names& names);

  QuotaAnswer Ask(const QuotaClaim& claim) const override;
  std::vector<std::uint32_t> Victims(const QuotaClaim& claim, Instant now) const override;
  void Reserve(const QuotaClaim& claim, Instant now) override;
  void Release(const QuotaClaim& claim) override;
  std::unique_ptr<QuotaGate> Clone() const override { return std::make_unique<KueueGate>(*this); }

  const QuotaState& state() const { return state_; }

 private:
  // Cells of one (queue, flavor); kNoQuotaCell: no limit; kNotOffered: none to be had.
  static constexpr QuotaCell kNotOffered = kNoQuotaCell - 1;
  struct Cells {
    QuotaCell gpu = kNoQuotaCell, cpu = kNoQuotaCell, memory = kNoQuotaCell, pods = kNoQuotaCell;
  };

  KueueGate(QuotaTree tree, const QuotaRules& rules, const Names& names);
  Cells CellsOf(QuotaNode queue, const std::string& flavor, const Names& names) const;
  // False: the claim asks for a resource of which the queue has no quota there.
  bool UsageOf(const QuotaClaim& claim, std::vector<QuotaAmount>& usage) const;

  mutable QuotaState state_;  // FindVictims tries out, and leaves it as it was
  QuotaRules rules_;
  std::vector<QuotaNode> queues_;
  std::vector<std::vector<Cells>> cells_;                   // by queue and flavor
  std::unordered_map<std::uint32_t, QuotaHandle> handles_;  // by job
};

// StrictFIFO or BestEffortFIFO of each queue, for QueueOptions::of_queue.
// REQUIRES: queues of the spec
std::vector<QueueDiscipline> DisciplinesOf(const QuotaSpec& spec,
                                           std::span<const std::string> queues);

}  // namespace plimsoll
