#include "capacity/queue/free_index.h"

#include <algorithm>
#include <bit>

namespace plimsoll {

FreeIndex::FreeIndex(const Cluster& cluster)
    : flavors_(static_cast<std::uint32_t>(cluster.flavors().size())), shared_(cluster.size()) {
  const DomainTree& tree = cluster.tree();
  for (NodeId id = 0; id < cluster.size(); ++id) {
    gpus_max_ = std::max(gpus_max_, cluster.node(id).gpus);
  }
  stride_ = static_cast<std::size_t>(gpus_max_) + 1;
  nodes_.assign(flavors_ * stride_, NodeSet(cluster.size()));
  counts_.assign(nodes_.size(), 0);
  domain_counts_.assign(nodes_.size() * tree.size(), 0);
  seen_.resize(cluster.size());
  free_up_.assign(flavors_, 0);
  free_down_.assign(flavors_, 0);
  by_level_.resize(tree.levels().size());
  ranges_.assign(tree.size(), {~NodeId{0}, 0});
  for (DomainId domain = 0; domain < tree.size(); ++domain) {
    by_level_[tree.at(domain).level].push_back(domain);
  }
  for (NodeId id = 0; id < cluster.size(); ++id) {
    for (const DomainId domain : cluster.node(id).domains) {
      if (domain == kNoDomain) break;
      ranges_[domain] = {std::min(ranges_[domain].first, id), std::max(ranges_[domain].last, id)};
    }
    Refresh(cluster, id);
  }
}

void FreeIndex::Refresh(const Cluster& cluster, NodeId node) {
  const Cluster::Free& free = cluster.free(node);
  const std::uint32_t flavor = cluster.node(node).flavor;
  Seen& seen = seen_[node];
  (seen.up ? free_up_ : free_down_)[flavor] -= seen.free;
  (free.up ? free_up_ : free_down_)[flavor] += free.gpu_milli;
  const auto bucket = free.up ? static_cast<std::uint32_t>(Bucket(flavor, free.whole_gpus)) : kDown;
  if (bucket != seen.bucket) {
    if (seen.bucket != kDown) Count(cluster, node, seen.bucket, -1);
    if (bucket != kDown) Count(cluster, node, bucket, 1);
  }
  const bool shares = free.up && free.gpu_milli > std::int64_t{free.whole_gpus} * kMilliPerGpu;
  if (shares) shared_.Insert(node);
  if (!shares) shared_.Erase(node);
  seen = {bucket, free.up, free.gpu_milli};
}

void FreeIndex::Count(const Cluster& cluster, NodeId node, std::uint32_t bucket, std::int32_t by) {
  counts_[bucket] += by;
  if (by > 0) nodes_[bucket].Insert(node);
  if (by < 0) nodes_[bucket].Erase(node);
  for (const DomainId domain : cluster.node(node).domains) {
    if (domain == kNoDomain) break;
    domain_counts_[domain * nodes_.size() + bucket] += by;
  }
}

std::int64_t FreeIndex::Slots(const std::int32_t* counts, FlavorSet flavors,
                              std::int32_t gpus) const {
  std::int64_t slots = 0;
  for (std::uint32_t flavor = 0; flavor < flavors_; ++flavor, counts += stride_) {
    if (!Accepts(flavors, flavor)) continue;
    for (std::int32_t whole = gpus; whole <= gpus_max_; ++whole) {
      const std::int32_t count = counts[whole];
      if (count != 0) slots += std::int64_t{count} * (whole / gpus);
    }
  }
  return slots;
}

std::int64_t FreeIndex::Sum(const std::vector<std::int64_t>& by_flavor, FlavorSet flavors) const {
  std::int64_t sum = 0;
  for (std::uint32_t flavor = 0; flavor < flavors_; ++flavor) {
    if (Accepts(flavors, flavor)) sum += by_flavor[flavor];
  }
  return sum;
}

}  // namespace plimsoll
