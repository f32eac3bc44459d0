// MigPlan: models on the fewest cards: slices for those that fit one, whole cards for others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "purchase/mig/mig_packing.h"
#include "purchase/mig/slice_model.h"

namespace plimsoll {

// MIG devices that one container sees, however many it asks for (NVIDIA/k8s-device-plugin
// issue 1078); and a process works with one of them alone.
inline constexpr std::int64_t kMigDevicesPerPodMax = 7;

// Where one model goes.
struct SliceAssignment {
  const SliceModel* model = nullptr;
  std::optional<std::size_t> profile;  // of the geometry; null: whole cards
  std::int64_t instances = 0;          // slices, or whole cards
  std::string reason;                  // why whole cards
};

// One instance of a packed card and who lives in it.
struct PackedInstance {
  std::int64_t card = 0;  // from 1
  MigInstance instance;
  const SliceModel* model = nullptr;
};

struct MigPlan {
  std::vector<SliceAssignment> assignments;  // by model, in the order of the list
  MigPacking packing;                        // of the slices
  std::vector<PackedInstance> instances;     // by card, then start
  std::int64_t whole_cards = 0;
  std::int64_t cards_without_mig = 0;  // with at least one card for each replica
  std::vector<std::string> warnings;   // sentences: pods that ask for too many devices

  std::int64_t cards() const {
    return static_cast<std::int64_t>(packing.cards.size()) + whole_cards;
  }
};

// The smallest profile with the memory (what the driver reports, not what the name says),
// compute and share of bandwidth that a model needs; null if none has it. Bandwidth goes with
// memory slices. Profiles whose memory is not published are left out.
std::optional<std::size_t> SmallestProfile(const MigGeometry& geometry, const SliceModel& model);

// A larger profile for one instance of the partition that strands less and takes nothing from
// the others: {3g.40gb, 4g.40gb} on a card of two 3g. Null if there is none.
struct FreeUpgrade {
  std::size_t from = 0, to = 0;  // profiles
};
std::optional<FreeUpgrade> FindFreeUpgrade(const MigGeometry& geometry,
                                           const MigPartition& partition);

// Fails with kBadData if a model that is not tensor parallel needs more than a card, or no
// profile of the card has a published memory. The models and the geometry outlive the plan.
Result<MigPlan> PlanMig(const MigGeometry& geometry, const std::vector<SliceModel>& models,
                        std::int64_t states_max = kMigSearchStates);

}  // namespace plimsoll
