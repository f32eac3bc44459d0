// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/mig_cards.h"

#include <algorithm>

namespace plimsoll {
namespace {

CardSlices With(const CardSlices& taken, const MigCut& cut, std::int32_t start) {
  CardSlices next = taken;
  next.memory = static_cast<std::uint8_t>(next.memory | SlicesOf(cut, start));
  next.compute = static_cast<std::uint8_t>(next.compute + cut.compute_slices);
  return next;
}

// Room for each profile, the largest first: by compute slices, then memory slices.
std::vector<std::int32_t> RoomBySize(const MigCard& card, const CardSlices& taken) {
  std::vector<const MigCut*> cuts;
  for (const MigCut& cut : card.cuts) cuts.push_back(&cut);
  std::ranges::stable_sort(cuts, [](const MigCut* a, const MigCut* b) {
    return std::pair(a->compute_slices, a->memory_slices) >
           std::pair(b->compute_slices, b->memory_slices);
  });
  std::vector<std::int32_t> room;
  for (const MigCut* cut : cuts) room.push_back(MigRoom(card, taken, *cut));
  return room;
}

}  // namespace

const MigCut* MigCard::Find(std::int32_t profile) const {
  const auto found = std::ranges::find(cuts, profile, &MigCut::profile);
  return found == cuts.end() ? nullptr : &*found;
}

bool HasRoom(const MigCard& card, const CardSlices& taken, const MigCut& cut, std::int32_t start) {
  return (taken.memory & SlicesOf(cut, start)) == 0 &&
         taken.compute + cut.compute_slices <= card.compute_slices;
}

// Instances of one profile are intervals of one length, so taking the lowest start that is free
// again and again is optimal.
std::int32_t MigRoom(const MigCard& card, CardSlices taken, const MigCut& cut) {
  std::int32_t room = 0;
  for (const std::int32_t start : cut.starts) {
    if (!HasRoom(card, taken, cut, start)) continue;
    taken = With(taken, cut, start);
    ++room;
  }
  return room;
}

std::optional<std::int32_t> BestStart(const MigCard& card, const CardSlices& taken,
                                      const MigCut& cut) {
  std::optional<std::int32_t> best;
  std::vector<std::int32_t> most;
  for (const std::int32_t start : cut.starts) {
    if (!HasRoom(card, taken, cut, start)) continue;
    std::vector<std::int32_t> room = RoomBySize(card, With(taken, cut, start));
    if (best && room <= most) continue;
    best = start;
    most = std::move(room);
  }
  return best;
}

}  // namespace plimsoll
