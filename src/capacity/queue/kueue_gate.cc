#include "capacity/queue/kueue_gate.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

}  // namespace

Result<std::shared_ptr<KueueGate>> KueueGate::Build(const QuotaSpec& spec, const QuotaRules& rules,
                                                    const Names& names) {
  PLIMSOLL_TRY(QuotaTree tree, QuotaTree::Build(spec));
  for (const std::string& queue : names.queues) {
    if (tree.FindQueue(queue) != kNoQuotaNode) continue;
    std::string known;
    for (const QueueSpec& other : spec.queues) known += (known.empty() ? "" : ", ") + other.name;
    return Error{
        ErrorCode::kNotFound,
        "jobs are in queue '" + queue + "', which no ClusterQueue is named; there are: " + known};
  }
  return std::shared_ptr<KueueGate>(new KueueGate(std::move(tree), rules, names));
}

KueueGate::KueueGate(QuotaTree tree, const QuotaRules& rules, const Names& names)
    : state_(std::move(tree)), rules_(rules) {
  for (const std::string& name : names.queues) {
    queues_.push_back(state_.tree().FindQueue(name));
    cells_.emplace_back();
    for (const std::string& flavor : names.flavors) {
      cells_.back().push_back(CellsOf(queues_.back(), flavor, names));
    }
  }
}

KueueGate::Cells KueueGate::CellsOf(QuotaNode queue, const std::string& flavor,
                                    const Names& names) const {
  const QuotaTree& tree = state_.tree();
  Cells cells;
  const auto cell_of = [&](const std::string& resource) {
    const std::uint32_t index = tree.FindResource(resource);
    if (index == kNoResource) return kNoQuotaCell;
    // Pods count where the queue's own quota names them; nobody asks for them.
    QuotaCell otherwise = index == tree.pods_resource() ? kNoQuotaCell : kNotOffered;
    for (const QuotaTree::Group& group : tree.node(queue).groups) {
      if (std::ranges::find(group.resources, index) == group.resources.end()) continue;
      const auto is_of_cluster = [&](std::uint32_t id) {
        return std::ranges::find(names.flavors, tree.flavors()[id]) != names.flavors.end();
      };
      if (std::ranges::none_of(group.flavors, is_of_cluster) && !group.flavors.empty()) {
        return tree.FindCell(group.flavors.front(), index);
      }
      for (const std::uint32_t id : group.flavors) {
        if (tree.flavors()[id] == flavor) return tree.FindCell(id, index);
      }
      otherwise = kNotOffered;
    }
    return otherwise;
  };
  cells.gpu = cell_of(names.gpu_resource);
  cells.cpu = cell_of("cpu");
  cells.memory = cell_of("memory");
  cells.pods = cell_of("pods");
  return cells;
}

bool KueueGate::UsageOf(const QuotaClaim& claim, std::vector<QuotaAmount>& usage) const {
  const Cells& cells = cells_[claim.queue][claim.flavor];
  const auto add = [&](QuotaCell cell, std::int64_t amount) {
    if (amount <= 0 || cell == kNoQuotaCell) return true;
    if (cell != kNotOffered) usage.push_back({cell, amount});
    return cell != kNotOffered;
  };
  return add(cells.gpu, (claim.gpu_milli + 999) / 1'000) && add(cells.cpu, claim.cpu_milli) &&
         add(cells.memory, claim.memory_mib * kMiB) && add(cells.pods, claim.pods);
}

QuotaAnswer KueueGate::Ask(const QuotaClaim& claim) const {
  const QuotaTree& tree = state_.tree();
  const QuotaNode queue = queues_[claim.queue];
  std::vector<QuotaAmount> usage;
  if (!UsageOf(claim, usage)) return QuotaAnswer::kNever;
  bool borrows = false, fits = true, is_own = true;
  for (const QuotaAmount& part : usage) {
    if (part.amount > tree.quota(queue, part.cell).potential) return QuotaAnswer::kNever;
    borrows |= tree.Borrows(queue, part.cell, part.amount);
    if (part.amount <= tree.Available(queue, part.cell)) continue;
    fits = false;
    is_own &= !tree.Borrows(queue, part.cell, part.amount);
  }
  if (fits) return borrows ? QuotaAnswer::kBorrows : QuotaAnswer::kFits;
  return is_own ? QuotaAnswer::kBorrowed : QuotaAnswer::kUsedUp;
}

std::vector<std::uint32_t> KueueGate::Victims(const QuotaClaim& claim, Instant) const {
  std::vector<QuotaAmount> usage;
  if (!UsageOf(claim, usage)) return {};
  Preemptor preemptor;
  preemptor.queue = queues_[claim.queue];
  preemptor.priority = claim.priority;
  preemptor.queued = claim.queued;
  preemptor.usage = usage;
  std::vector<QuotaCell> contested;
  for (const QuotaAmount& part : usage) {
    if (part.amount > state_.tree().Available(preemptor.queue, part.cell)) {
      contested.push_back(part.cell);
    }
  }
  preemptor.contested = contested;
  std::vector<std::uint32_t> jobs;
  for (const Victim& victim : FindVictims(state_, preemptor, rules_)) {
    jobs.push_back(static_cast<std::uint32_t>(state_.workload(victim.workload).id));
  }
  return jobs;
}

void KueueGate::Reserve(const QuotaClaim& claim, Instant now) {
  AdmittedWorkload workload;
  workload.id = claim.job;
  workload.queue = queues_[claim.queue];
  workload.priority = claim.priority;
  workload.queued = claim.queued;
  workload.reserved = now;
  workload.preemptible = claim.preemptible;
  PLIMSOLL_CHECK(UsageOf(claim, workload.usage));
  handles_[claim.job] = state_.Admit(std::move(workload));
}

void KueueGate::Release(const QuotaClaim& claim) {
  const auto handle = handles_.find(claim.job);
  PLIMSOLL_CHECK(handle != handles_.end());
  state_.Release(handle->second);
  handles_.erase(handle);
}

std::vector<QueueDiscipline> DisciplinesOf(const QuotaSpec& spec,
                                           std::span<const std::string> queues) {
  std::vector<QueueDiscipline> disciplines;
  for (const std::string& name : queues) {
    const auto queue = std::ranges::find(spec.queues, name, &QueueSpec::name);
    PLIMSOLL_CHECK(queue != spec.queues.end());
    disciplines.push_back(queue->strategy == QueueingStrategy::kStrictFifo
                              ? QueueDiscipline::kStrict
                              : QueueDiscipline::kBestEffort);
  }
  return disciplines;
}

}  // namespace plimsoll
