#include "property/naive_quota.h"

#include <algorithm>

namespace plimsoll {

NaiveQuota::NaiveQuota(const QuotaSpec& spec) {
  for (const CohortSpec& one : spec.cohorts) {
    nodes_[one.name].parent = one.parent;
    if (!one.groups.empty()) nodes_[one.name].quota = one.groups[0][0].resources[0];
  }
  for (const QueueSpec& one : spec.queues) {
    nodes_[one.name].parent = one.cohort;
    nodes_[one.name].quota = one.groups[0][0].resources[0];
  }
  for (const auto& [name, node] : std::map(nodes_)) {
    if (!node.parent.empty()) nodes_[node.parent].children.push_back(name);
  }
}

std::int64_t NaiveQuota::Subtree(const std::string& name) const {
  const Node& node = nodes_.at(name);
  std::int64_t sum = node.quota.nominal;
  for (const std::string& child : node.children) sum += Subtree(child) - Local(child);
  return sum;
}

std::int64_t NaiveQuota::Local(const std::string& name) const {
  const Node& node = nodes_.at(name);
  if (!node.quota.lending_limit) return 0;
  return std::max<std::int64_t>(0, Subtree(name) - *node.quota.lending_limit);
}

std::int64_t NaiveQuota::Usage(const std::string& name, const Held& held) const {
  std::int64_t sum = 0;
  for (const auto& [queue, amount] : held) sum += queue == name ? amount : 0;
  for (const std::string& child : nodes_.at(name).children) {
    sum += std::max<std::int64_t>(0, Usage(child, held) - Local(child));
  }
  return sum;
}

std::int64_t NaiveQuota::Excess(const std::string& name, const Held& held) const {
  return Usage(name, held) - Subtree(name);
}

std::int64_t NaiveQuota::Available(const std::string& name, const Held& held) const {
  const Node& node = nodes_.at(name);
  const std::int64_t usage = Usage(name, held), subtree = Subtree(name), local = Local(name);
  if (node.parent.empty()) return subtree - usage;
  std::int64_t above = Available(node.parent, held);
  if (node.quota.borrowing_limit) {
    above = std::min(above, subtree - local - std::max<std::int64_t>(0, usage - local) +
                                *node.quota.borrowing_limit);
  }
  return std::max<std::int64_t>(0, local - usage) + above;
}

bool NaiveQuota::KeepsLimits(const Held& held) const {
  for (const auto& [name, node] : nodes_) {
    const std::int64_t excess = Excess(name, held);
    if (node.parent.empty() ? excess > 0
                            : node.quota.borrowing_limit && excess > *node.quota.borrowing_limit) {
      return false;
    }
  }
  return true;
}

}  // namespace plimsoll
