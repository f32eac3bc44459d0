#include "purchase/mig/mig_plan.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::int64_t kPercent = 100;

std::int64_t UsableMib(const GpuModel& gpu) {
  return gpu.usable_mib > 0 ? gpu.usable_mib : gpu.memory_mib;
}

// Whole cards of one replica; 0 if a card is too small for it.
std::int64_t CardsOf(const MigGeometry& geometry, const SliceModel& model) {
  if (model.memory_mib > UsableMib(geometry.gpu()) * model.tensor_parallel) return 0;
  return model.tensor_parallel;
}

std::string WhyWhole(const MigGeometry& geometry, const SliceModel& model) {
  if (model.tensor_parallel > 1) {
    return "tensor parallel: MIG instances have no peer-to-peer transfers";
  }
  const MigProfile& largest = *geometry.profiles().back();
  if (model.memory_mib > largest.memory_mib) {
    return "needs more memory than " + largest.name + " has";
  }
  return "needs more compute than " + largest.name + " has";
}

// Pods that ask for more devices than a container sees get as many as it sees.
std::int64_t DevicesOf(const SliceModel& model, std::vector<std::string>& warnings) {
  if (model.instances_per_pod > 1) {
    const std::int64_t seen = std::min(model.instances_per_pod, kMigDevicesPerPodMax);
    warnings.push_back(
        model.name + ": asks for " + std::to_string(model.instances_per_pod) +
        " MIG devices a pod, " + std::to_string(seen) +
        (seen < model.instances_per_pod ? " are visible and planned" : " are planned") +
        "; a process works with one of them alone: give each process a pod of its own");
    return seen;
  }
  return 1;
}

void Place(const MigGeometry& geometry, MigPlan& plan) {
  std::vector<std::deque<std::pair<const SliceModel*, std::int64_t>>> waiting(
      geometry.profiles().size());
  for (const SliceAssignment& assignment : plan.assignments) {
    if (assignment.profile && assignment.instances > 0) {
      waiting[*assignment.profile].emplace_back(assignment.model, assignment.instances);
    }
  }
  std::int64_t card = 0;
  for (const MigPartition* const partition : plan.packing.cards) {
    ++card;
    for (const MigInstance& instance : partition->placement) {
      auto& queue = waiting[instance.profile];
      plan.instances.push_back({card, instance, queue.front().first});
      if (--queue.front().second == 0) queue.pop_front();
    }
  }
}

}  // namespace

std::optional<std::size_t> SmallestProfile(const MigGeometry& geometry, const SliceModel& model) {
  for (std::size_t i = 0; i < geometry.profiles().size(); ++i) {
    const MigProfile& profile = *geometry.profiles()[i];
    const bool has_memory = profile.memory_mib > 0 && profile.memory_mib >= model.memory_mib;
    const bool has_compute = profile.compute_slices >= model.compute_slices &&
                             (model.sm_count == 0 || profile.sm_count >= model.sm_count);
    const bool has_bandwidth =
        profile.memory_slices * kPercent >= model.bandwidth_percent * geometry.gpu().memory_slices;
    if (has_memory && has_compute && has_bandwidth) return i;
  }
  return std::nullopt;
}

std::optional<FreeUpgrade> FindFreeUpgrade(const MigGeometry& geometry,
                                           const MigPartition& partition) {
  for (std::size_t from = partition.counts.size(); from-- > 0;) {
    if (partition.counts[from] == 0) continue;
    for (std::size_t to = from + 1; to < partition.counts.size(); ++to) {
      MigCounts counts = partition.counts;
      --counts[from];
      ++counts[to];
      const MigPartition* const better = geometry.Find(counts);
      if (better != nullptr && better->stranded < partition.stranded) return FreeUpgrade{from, to};
    }
  }
  return std::nullopt;
}

Result<MigPlan> PlanMig(const MigGeometry& geometry, const std::vector<SliceModel>& models,
                        std::int64_t states_max) {
  const bool published =
      std::any_of(geometry.profiles().begin(), geometry.profiles().end(),
                  [](const MigProfile* profile) { return profile->memory_mib > 0; });
  if (!published) {
    return Error{ErrorCode::kBadData,
                 "the memory of " + geometry.gpu().name +
                     "'s MIG instances is not published: put it into a catalog file of your own "
                     "(memory_mib of each profile, as nvidia-smi mig -lgip prints it)"};
  }
  MigPlan plan;
  MigCounts wanted(geometry.profiles().size(), 0);
  for (const SliceModel& model : models) {
    SliceAssignment assignment{&model, std::nullopt, 0, ""};
    const std::int64_t cards = CardsOf(geometry, model);
    if (cards == 0) {
      return Error{ErrorCode::kBadData,
                   model.name + ": needs more memory than " +
                       std::to_string(model.tensor_parallel) + " x " + geometry.gpu().name +
                       (model.tensor_parallel > 1 ? " have" : " has") +
                       ": give tensor_parallel, or choose cards with plimsoll plan sku"};
    }
    if (model.tensor_parallel == 1) assignment.profile = SmallestProfile(geometry, model);
    if (assignment.profile) {
      assignment.instances = model.replicas * DevicesOf(model, plan.warnings);
      wanted[*assignment.profile] += assignment.instances;
      plan.cards_without_mig += assignment.instances;
    } else {
      assignment.instances = model.replicas * cards;
      assignment.reason = WhyWhole(geometry, model);
      plan.whole_cards += assignment.instances;
      plan.cards_without_mig += assignment.instances;
    }
    plan.assignments.push_back(std::move(assignment));
  }
  plan.packing = PackMig(geometry, wanted, states_max);
  Place(geometry, plan);
  return plan;
}

}  // namespace plimsoll
