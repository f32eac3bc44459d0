// Builders for tests of quotas: one flavor "default" with one resource "cpu" unless said.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "capacity/quota/preemption.h"
#include "capacity/quota/quota_state.h"
#include "capacity/quota/quota_tree.h"

namespace plimsoll {

inline std::vector<QuotaGroup> CpuQuota(std::int64_t nominal) {
  return {{{"default", {{"cpu", nominal, {}, {}}}}}};
}

inline QueueSpec AQueue(std::string name, std::string cohort, std::int64_t nominal) {
  QueueSpec queue;
  queue.name = std::move(name);
  queue.cohort = std::move(cohort);
  queue.groups = CpuQuota(nominal);
  return queue;
}

inline CohortSpec ACohort(std::string name, std::string parent, std::int64_t nominal) {
  CohortSpec cohort;
  cohort.name = std::move(name);
  cohort.parent = std::move(parent);
  cohort.groups = CpuQuota(nominal);
  return cohort;
}

// The quota of its first flavor and resource.
inline ResourceQuota& QuotaOf(QueueSpec& queue) { return queue.groups[0][0].resources[0]; }
inline ResourceQuota& QuotaOf(CohortSpec& cohort) { return cohort.groups[0][0].resources[0]; }

inline QuotaTree BuildTree(const QuotaSpec& spec) {
  Result<QuotaTree> tree = QuotaTree::Build(spec);
  PLIMSOLL_CHECK(tree.has_value());
  return *std::move(tree);
}

struct Traits {
  std::int32_t priority = 0;
  Instant queued = {};
  Instant reserved = {};
  bool evicted = false;
  QuotaCell cell = 0;
};

// A state whose workloads have names; of equals the smaller name is evicted first.
class NamedState {
 public:
  explicit NamedState(const QuotaSpec& spec) : state_(BuildTree(spec)) {}

  QuotaState& state() { return state_; }
  const QuotaTree& tree() const { return state_.tree(); }
  QuotaNode Queue(const std::string& name) const { return tree().FindQueue(name); }

  // Named in the order of their ids.
  QuotaHandle Admit(std::string name, const std::string& queue, std::int64_t amount,
                    const Traits& more = {}) {
    const QuotaHandle handle = state_.Admit({names_.size(),
                                             Queue(queue),
                                             more.priority,
                                             more.queued,
                                             more.reserved,
                                             more.evicted,
                                             {{more.cell, amount}}});
    names_.push_back(std::move(name));
    return handle;
  }
  // "b1 InCohortReclamation, b2 ..." of a workload that wants so much; in the order of the ids.
  std::string Victims(const std::string& queue, std::int64_t amount, const QuotaRules& rules = {},
                      const Traits& more = {}) {
    const QuotaAmount usage[] = {{more.cell, amount}};
    const QuotaCell contested[] = {more.cell};
    return Names(
        FindVictims(state_, {Queue(queue), more.priority, more.queued, usage, contested}, rules));
  }
  std::string Names(std::vector<Victim> victims) const {
    std::vector<std::string> texts(names_.size());
    for (const Victim& one : victims) {
      const std::size_t id = state_.workload(one.workload).id;
      texts[id] = names_[id] + " " + kPreemptionReasonNames[static_cast<std::size_t>(one.reason)];
    }
    std::string out;
    for (const std::string& text : texts) {
      if (!text.empty()) out += (out.empty() ? "" : ", ") + text;
    }
    return out;
  }

 private:
  QuotaState state_;
  std::vector<std::string> names_;
};

}  // namespace plimsoll
