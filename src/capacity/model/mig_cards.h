// MigCards: how the cards of each flavor can be cut into MIG instances, and what is taken of one.
//
// A card has memory slices (8; A30 4) and compute slices (7; A30 4). An instance covers memory
// slices from one of its profile's starts on; instances may not overlap, and their compute slices
// may not exceed the card's (NVIDIA MIG User Guide).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

inline constexpr std::int32_t kMigSlicesMax = 8;

// One profile on the cards of one flavor.
struct MigCut {
  std::int32_t profile = 0;  // index of MigCards::profiles
  std::int32_t compute_slices = 0;
  std::int32_t memory_slices = 0;
  std::vector<std::int32_t> starts;  // memory slices, ascending
};

struct MigCard {
  std::int32_t compute_slices = 0;
  std::int32_t memory_slices = 0;
  std::vector<MigCut> cuts;  // none: the card cannot be cut

  const MigCut* Find(std::int32_t profile) const;  // null where it has no such profile
};

struct MigCards {
  std::vector<std::string> profiles;  // "1g.10gb"
  std::vector<MigCard> flavors;       // by flavor of the cluster
};

// What is taken of one card.
struct CardSlices {
  std::uint8_t memory = 0;   // bit s is memory slice s
  std::uint8_t compute = 0;  // how many
  std::int16_t milli = 0;    // thousandths of the card that its pods asked for

  bool empty() const { return memory == 0; }
  friend bool operator==(const CardSlices&, const CardSlices&) = default;
};

// What an instance has of a card, by compute slices, rounded down: seven 1g hold 994 thousandths.
constexpr std::int32_t MigMilli(const MigCard& card, const MigCut& cut) {
  return 1'000 * cut.compute_slices / card.compute_slices;
}

// The memory slices that an instance from `start` on covers.
constexpr std::uint8_t SlicesOf(const MigCut& cut, std::int32_t start) {
  return static_cast<std::uint8_t>(((1U << cut.memory_slices) - 1U) << start);
}

bool HasRoom(const MigCard& card, const CardSlices& taken, const MigCut& cut, std::int32_t start);
// How many more such instances the card takes.
std::int32_t MigRoom(const MigCard& card, CardSlices taken, const MigCut& cut);
// The start that leaves room for the most instances of the largest profile, then of the next
// smaller one, and so on; the lowest of equal ones. Null where it has no room.
std::optional<std::int32_t> BestStart(const MigCard& card, const CardSlices& taken,
                                      const MigCut& cut);

}  // namespace plimsoll
