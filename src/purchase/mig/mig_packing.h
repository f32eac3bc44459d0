// PackMig: the fewest cards that hold all instances, and of those the fewest stranded slices.
//
// Exact: a complete branch and bound over the partitions of a card, first for the number of
// cards, then for what is stranded on that many. If the search is cut by a limit, the result
// says what is proven.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "purchase/mig/mig_geometry.h"

namespace plimsoll {

// States that one search visits: a few seconds and some tens of megabytes.
inline constexpr std::int64_t kMigSearchStates = 300'000;

// Instances that are searched together; of more, the first cards are filled greedily.
inline constexpr std::int64_t kMigSearchInstances = 1'000;

struct MigPacking {
  std::vector<const MigPartition*> cards;  // of the geometry; fullest first
  std::int64_t lower_bound = 0;            // no packing has fewer cards
  StrandedSlices stranded;                 // of all cards
  bool cards_proven = false;               // cards.size() is the least
  bool stranded_proven = false;            // and `stranded` the least on that many
  std::int64_t states = 0;                 // visited
};

// `wanted` counts instances by index of geometry.profiles(). Every profile that is wanted must
// fit an empty card, which all profiles of a catalog card do. The geometry outlives the result.
MigPacking PackMig(const MigGeometry& geometry, const MigCounts& wanted,
                   std::int64_t states_max = kMigSearchStates);

// A bound without search: over weightings of the profiles, the wanted weight by the most that
// one card can carry. REQUIRES: counts are not negative
std::int64_t MigCardsAtLeast(const MigGeometry& geometry, const MigCounts& wanted);

}  // namespace plimsoll
