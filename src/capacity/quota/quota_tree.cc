#include "capacity/quota/quota_tree.h"

#include <set>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

Error Bad(const std::string& what) { return {ErrorCode::kBadData, what}; }

std::uint32_t Intern(const std::string& name, std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::uint32_t>(at - names.begin());
  names.push_back(name);
  return static_cast<std::uint32_t>(names.size() - 1);
}

bool IsAmount(std::int64_t amount) { return amount >= 0 && amount <= kQuotaAmountMax; }

Status CheckQuota(const ResourceQuota& quota, const std::string& where) {
  const std::string of = where + ", " + quota.resource;
  if (quota.resource.empty()) return Bad(where + ": a quota without a resource");
  const char* const range = " must be 0 to 2^60";
  if (!IsAmount(quota.nominal)) return Bad(of + ": the nominal quota" + range);
  if (!IsAmount(quota.borrowing_limit.value_or(0)))
    return Bad(of + ": the borrowing limit" + range);
  if (!IsAmount(quota.lending_limit.value_or(0))) return Bad(of + ": the lending limit" + range);
  return Ok();
}

}  // namespace

class QuotaTreeBuilder {
 public:
  explicit QuotaTreeBuilder(const QuotaSpec& spec) : spec_(spec) {}

  Result<QuotaTree> Build() {
    PLIMSOLL_RETURN_IF_ERROR(AddNodes());
    PLIMSOLL_RETURN_IF_ERROR(Link());
    CollectCells();
    layout_.quotas.resize(layout_.nodes.size() * layout_.cells.size());
    lending_limits_.resize(layout_.quotas.size());
    for (std::size_t i = 0; i < spec_.queues.size(); ++i) {
      const std::string where = "queue '" + spec_.queues[i].name + "'";
      PLIMSOLL_RETURN_IF_ERROR(AddGroups(static_cast<QuotaNode>(i), spec_.queues[i].groups, where));
    }
    for (const CohortSpec& cohort : spec_.cohorts) {
      const QuotaNode id = layout_.cohort_ids.find(cohort.name)->second;
      PLIMSOLL_RETURN_IF_ERROR(AddGroups(id, cohort.groups, "cohort '" + cohort.name + "'"));
    }
    PLIMSOLL_RETURN_IF_ERROR(CheckSums());
    Accumulate();
    QuotaTree tree;
    tree.usage_.resize(layout_.quotas.size());
    tree.layout_ = std::make_shared<const QuotaTree::Layout>(std::move(layout_));
    return tree;
  }

 private:
  Status AddNodes() {
    for (const QueueSpec& queue : spec_.queues) {
      const auto id = static_cast<QuotaNode>(layout_.nodes.size());
      if (queue.name.empty()) return Bad("a queue has no name");
      if (!layout_.queue_ids.emplace(queue.name, id).second) {
        return Bad("queue '" + queue.name + "' is there twice");
      }
      if (queue.weight_nano < 0) return Bad("queue '" + queue.name + "': a weight below 0");
      QuotaTree::Node& node = layout_.nodes.emplace_back();
      node.name = queue.name;
      node.weight_nano = queue.weight_nano;
      node.preemption = queue.preemption;
      node.fungibility = queue.fungibility;
      node.strategy = queue.strategy;
    }
    layout_.queues = layout_.nodes.size();
    for (const CohortSpec& cohort : spec_.cohorts) {
      if (cohort.name.empty()) return Bad("a cohort has no name");
      if (layout_.cohort_ids.contains(cohort.name)) {
        return Bad("cohort '" + cohort.name + "' is there twice");
      }
      if (cohort.weight_nano < 0) return Bad("cohort '" + cohort.name + "': a weight below 0");
      layout_.nodes[Cohort(cohort.name)].weight_nano = cohort.weight_nano;
    }
    return Ok();
  }

  // Made at its first mention.
  QuotaNode Cohort(const std::string& name) {
    const auto [at, is_new] =
        layout_.cohort_ids.emplace(name, static_cast<QuotaNode>(layout_.nodes.size()));
    if (is_new) layout_.nodes.emplace_back().name = name;
    return at->second;
  }

  Status Link() {
    for (const CohortSpec& cohort : spec_.cohorts) {
      if (cohort.parent.empty()) continue;
      const QuotaNode parent = Cohort(cohort.parent), id = Cohort(cohort.name);
      layout_.nodes[id].parent = parent;
      layout_.nodes[parent].cohorts.push_back(id);
    }
    for (std::size_t i = 0; i < spec_.queues.size(); ++i) {
      if (spec_.queues[i].cohort.empty()) continue;
      const QuotaNode parent = Cohort(spec_.queues[i].cohort);
      layout_.nodes[i].parent = parent;
      layout_.nodes[parent].queues.push_back(static_cast<QuotaNode>(i));
    }
    for (QuotaTree::Node& node : layout_.nodes) {
      std::size_t depth = 0;
      for (QuotaNode up = node.parent; up != kNoQuotaNode; up = layout_.nodes[up].parent) {
        if (++depth <= kCohortDepthMax) continue;
        return Bad("cohort '" + layout_.nodes[up].name + "' lies within itself, or in more than " +
                   std::to_string(kCohortDepthMax) + " others: mend the parents");
      }
    }
    for (std::size_t i = layout_.queues; i < layout_.nodes.size(); ++i) SetHeight(i);
    return Ok();
  }

  std::int32_t SetHeight(std::size_t id) {
    QuotaTree::Node& node = layout_.nodes[id];
    node.height = node.queues.empty() && node.cohorts.empty() ? 0 : 1;
    for (const QuotaNode child : node.cohorts) {
      node.height = std::max(node.height, SetHeight(child) + 1);
    }
    return node.height;
  }

  void CollectCells() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;  // resource, flavor
    const auto collect = [&](const std::vector<QuotaGroup>& groups) {
      for (const QuotaGroup& group : groups) {
        for (const FlavorQuotas& flavor : group) {
          const std::uint32_t f = Intern(flavor.flavor, layout_.flavors);
          for (const ResourceQuota& quota : flavor.resources) {
            pairs.emplace(Intern(quota.resource, layout_.resources), f);
          }
        }
      }
    };
    for (const QueueSpec& queue : spec_.queues) collect(queue.groups);
    for (const CohortSpec& cohort : spec_.cohorts) collect(cohort.groups);
    layout_.cell_of.assign(layout_.flavors.size() * layout_.resources.size(), kNoQuotaCell);
    for (const auto& [resource, flavor] : pairs) {
      layout_.cell_of[flavor * layout_.resources.size() + resource] =
          static_cast<QuotaCell>(layout_.cells.size());
      layout_.cells.push_back({flavor, resource});
      if (layout_.resources[resource] == "pods") layout_.pods_resource = resource;
    }
  }

  std::size_t At(QuotaNode id, QuotaCell cell) const { return id * layout_.cells.size() + cell; }

  Status AddGroups(QuotaNode id, const std::vector<QuotaGroup>& groups, const std::string& where) {
    std::set<std::uint32_t> seen;
    for (const QuotaGroup& group : groups) {
      PLIMSOLL_TRY(QuotaTree::Group out, AddGroup(id, group, where));
      if (out.resources.empty() || id >= layout_.queues) continue;
      for (const std::uint32_t resource : out.resources) {
        if (seen.insert(resource).second) continue;
        return Bad(where + ": resource '" + layout_.resources[resource] +
                   "' is in two resource groups; put its flavors into one");
      }
      layout_.nodes[id].groups.push_back(std::move(out));
    }
    return Ok();
  }

  Result<QuotaTree::Group> AddGroup(QuotaNode id, const QuotaGroup& group,
                                    const std::string& where) {
    QuotaTree::Group out;
    for (const FlavorQuotas& flavor : group) {
      const std::string here = where + ", flavor '" + flavor.flavor + "'";
      if (flavor.flavor.empty()) return Bad(where + ": a flavor without a name");
      out.flavors.push_back(Intern(flavor.flavor, layout_.flavors));
      std::vector<std::pair<std::uint32_t, QuotaCell>> row;
      for (const ResourceQuota& quota : flavor.resources) {
        PLIMSOLL_RETURN_IF_ERROR(CheckQuota(quota, here));
        const std::uint32_t resource = Intern(quota.resource, layout_.resources);
        const QuotaCell cell =
            layout_.cell_of[out.flavors.back() * layout_.resources.size() + resource];
        QuotaTree::Quota& to = layout_.quotas[At(id, cell)];
        if (to.defined) return Bad(here + ", " + quota.resource + ": there are two quotas of it");
        to.nominal = quota.nominal;
        to.borrowing_limit = quota.borrowing_limit;
        to.defined = true;
        lending_limits_[At(id, cell)] = quota.lending_limit;
        row.emplace_back(resource, cell);
      }
      std::sort(row.begin(), row.end());
      PLIMSOLL_RETURN_IF_ERROR(AddRow(row, here, out));
    }
    return out;
  }

  static Status AddRow(const std::vector<std::pair<std::uint32_t, QuotaCell>>& row,
                       const std::string& where, QuotaTree::Group& out) {
    std::vector<std::uint32_t> resources;
    std::vector<QuotaCell> cells;
    for (const auto& [resource, cell] : row) {
      resources.push_back(resource);
      cells.push_back(cell);
    }
    if (out.cells.empty()) out.resources = resources;
    if (out.resources != resources) {
      return Bad(where + ": every flavor of a resource group needs the same resources");
    }
    out.cells.push_back(std::move(cells));
    return Ok();
  }

  Status CheckSums() const {
    for (QuotaCell cell = 0; cell < layout_.cells.size(); ++cell) {
      std::int64_t sum = 0;  // never overflows: it stops at the maximum, twice that fits
      for (QuotaNode id = 0; id < layout_.nodes.size(); ++id) {
        sum += layout_.quotas[At(id, cell)].nominal;
        if (sum <= kQuotaAmountMax) continue;
        return Bad("all quotas of flavor '" + layout_.flavors[layout_.cells[cell].flavor] + "', " +
                   layout_.resources[layout_.cells[cell].resource] + " add up to more than 2^60");
      }
    }
    return Ok();
  }

  void Accumulate() {
    for (QuotaNode id = 0; id < layout_.nodes.size(); ++id) {
      if (id < layout_.queues) SetLocal(id);
      if (id >= layout_.queues && layout_.nodes[id].parent == kNoQuotaNode) SumUp(id);
    }
    layout_.lendable.resize(layout_.nodes.size() * layout_.resources.size());
    for (QuotaNode id = 0; id < layout_.nodes.size(); ++id) {
      if (layout_.nodes[id].parent == kNoQuotaNode) SetPotential(id);
    }
  }

  // REQUIRES: subtree but for the own quota
  void SetLocal(QuotaNode id) {
    for (QuotaCell cell = 0; cell < layout_.cells.size(); ++cell) {
      QuotaTree::Quota& quota = layout_.quotas[At(id, cell)];
      quota.subtree += quota.nominal;
      const std::optional<std::int64_t> lending = lending_limits_[At(id, cell)];
      if (lending) quota.local = std::max<std::int64_t>(0, quota.subtree - *lending);
    }
  }

  void SumUp(QuotaNode id) {
    for (const QuotaNode child : layout_.nodes[id].cohorts) SumUp(child);
    for (const auto* children : {&layout_.nodes[id].cohorts, &layout_.nodes[id].queues}) {
      for (const QuotaNode child : *children) {
        for (QuotaCell cell = 0; cell < layout_.cells.size(); ++cell) {
          const QuotaTree::Quota& from = layout_.quotas[At(child, cell)];
          QuotaTree::Quota& to = layout_.quotas[At(id, cell)];
          to.subtree += from.subtree - from.local;
          to.defined = to.defined || from.defined;
        }
      }
    }
    SetLocal(id);
  }

  void SetPotential(QuotaNode id) {
    const QuotaNode parent = layout_.nodes[id].parent;
    for (QuotaCell cell = 0; cell < layout_.cells.size(); ++cell) {
      QuotaTree::Quota& quota = layout_.quotas[At(id, cell)];
      quota.potential = quota.subtree;
      if (parent == kNoQuotaNode) continue;
      const std::int64_t above = layout_.quotas[At(parent, cell)].potential;
      quota.potential = quota.local + above;
      if (quota.borrowing_limit) {
        quota.potential = std::min(quota.potential, quota.subtree + *quota.borrowing_limit);
      }
      layout_.lendable[id * layout_.resources.size() + layout_.cells[cell].resource] += above;
    }
    for (const QuotaNode child : layout_.nodes[id].cohorts) SetPotential(child);
    for (const QuotaNode child : layout_.nodes[id].queues) SetPotential(child);
  }

  const QuotaSpec& spec_;
  QuotaTree::Layout layout_;
  std::vector<std::optional<std::int64_t>> lending_limits_;  // as layout_.quotas
};

Result<QuotaTree> QuotaTree::Build(const QuotaSpec& spec) { return QuotaTreeBuilder(spec).Build(); }

QuotaCell QuotaTree::FindCell(std::uint32_t flavor, std::uint32_t resource) const {
  return layout_->cell_of[flavor * layout_->resources.size() + resource];
}

QuotaCell QuotaTree::FindCell(std::string_view flavor, std::string_view resource) const {
  for (QuotaCell cell = 0; cell < cells(); ++cell) {
    const Cell& at = layout_->cells[cell];
    if (flavors()[at.flavor] == flavor && resources()[at.resource] == resource) return cell;
  }
  return kNoQuotaCell;
}

QuotaNode QuotaTree::FindQueue(std::string_view name) const {
  const auto at = layout_->queue_ids.find(name);
  return at == layout_->queue_ids.end() ? kNoQuotaNode : at->second;
}

QuotaNode QuotaTree::FindCohort(std::string_view name) const {
  const auto at = layout_->cohort_ids.find(name);
  return at == layout_->cohort_ids.end() ? kNoQuotaNode : at->second;
}

std::uint32_t QuotaTree::FindResource(std::string_view name) const {
  const auto at = std::find(resources().begin(), resources().end(), name);
  return at == resources().end() ? kNoResource
                                 : static_cast<std::uint32_t>(at - resources().begin());
}

QuotaNode QuotaTree::Root(QuotaNode id) const {
  while (HasParent(id)) id = node(id).parent;
  return id;
}

int128 QuotaTree::Lendable(QuotaNode id, std::uint32_t resource) const {
  return layout_->lendable[id * layout_->resources.size() + resource];
}

std::int64_t QuotaTree::Available(QuotaNode id, QuotaCell cell) const {
  const Quota& own = quota(id, cell);
  const std::int64_t used = usage(id, cell);
  if (!HasParent(id)) return own.subtree - used;
  std::int64_t above = Available(node(id).parent, cell);
  if (own.borrowing_limit) {
    const std::int64_t lent = own.subtree - own.local;
    const std::int64_t used_above = std::max<std::int64_t>(0, used - own.local);
    above = std::min(above, lent - used_above + *own.borrowing_limit);
  }
  return LocalAvailable(id, cell) + above;
}

bool QuotaTree::IsWithinQuota(QuotaNode id, std::span<const QuotaCell> cells) const {
  return std::none_of(cells.begin(), cells.end(),
                      [&](QuotaCell cell) { return Borrows(id, cell); });
}

// In debt nothing can be added, but for nothing.
bool QuotaTree::Fits(QuotaNode queue, std::span<const QuotaAmount> amounts) const {
  return std::all_of(amounts.begin(), amounts.end(), [&](const QuotaAmount& one) {
    return one.amount <= std::max<std::int64_t>(0, Available(queue, one.cell));
  });
}

QuotaTree::Reach QuotaTree::BorrowingReach(QuotaNode queue, QuotaCell cell,
                                           std::int64_t amount) const {
  if (!HasParent(queue) || !Borrows(queue, cell, amount)) return {0, HasParent(queue)};
  std::int64_t rest = amount - LocalAvailable(queue, cell);
  QuotaNode at = queue;
  do {
    at = node(at).parent;
    if (!Borrows(at, cell, rest)) return {node(at).height, HasParent(at)};
    rest -= LocalAvailable(at, cell);
  } while (HasParent(at));
  return {node(at).height, false};
}

void QuotaTree::Add(QuotaNode queue, std::span<const QuotaAmount> amounts) {
  for (const QuotaAmount& one : amounts) {
    std::int64_t rest = one.amount;
    PLIMSOLL_CHECK(rest >= 0);
    for (QuotaNode at = queue; rest > 0; at = node(at).parent) {
      const std::int64_t local = LocalAvailable(at, one.cell);
      std::int64_t& used = usage_[At(at, one.cell)];
      PLIMSOLL_CHECK(!__builtin_add_overflow(used, rest, &used));
      if (!HasParent(at)) break;
      rest -= std::min(rest, local);
    }
  }
}

void QuotaTree::Remove(QuotaNode queue, std::span<const QuotaAmount> amounts) {
  for (const QuotaAmount& one : amounts) {
    std::int64_t rest = one.amount;
    for (QuotaNode at = queue; rest > 0; at = node(at).parent) {
      std::int64_t& used = usage_[At(at, one.cell)];
      const std::int64_t above = used - quota(at, one.cell).local;  // of it, the parent's too
      used -= rest;
      PLIMSOLL_CHECK(used >= 0);
      if (!HasParent(at)) break;
      rest = std::clamp<std::int64_t>(above, 0, rest);
    }
  }
}

}  // namespace plimsoll
