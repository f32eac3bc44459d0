// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slot_index.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

std::vector<std::uint32_t> Lot(const SlotIndex& index, std::int64_t lot, std::size_t most = 1e6) {
  std::vector<std::uint32_t> places;
  index.ForEach(lot, [&](std::uint32_t place) {
    places.push_back(place);
    return places.size() < most;
  });
  return places;
}
using Places = std::vector<std::uint32_t>;

TEST(SlotIndexTest, NodesAreFoundByTheirSlotsInOrder) {
  const std::vector<std::int64_t> slots = {2, 0, 2, 1, 70, 64};
  const SlotIndex index(slots);
  EXPECT_EQ(Lot(index, 2), (Places{0, 2}));
  EXPECT_EQ(Lot(index, 1), (Places{3}));
  EXPECT_EQ(Lot(index, 3), Places());
  EXPECT_EQ(Lot(index, SlotIndex::kLast), (Places{4, 5}));
  EXPECT_EQ(index.together(2), 4);
  EXPECT_EQ(index.together(SlotIndex::kLast), 134);
  EXPECT_EQ(Lot(index, 2, 1), (Places{0})) << "until the visitor has enough";
}

TEST(SlotIndexTest, MovesKeepItWhatItWouldBeAnew) {
  std::mt19937_64 random(301);
  std::vector<std::int64_t> slots(5'000, 8);
  SlotIndex index(slots);
  for (int step = 0; step < 20'000; ++step) {
    const auto place = static_cast<std::uint32_t>(random() % slots.size());
    const auto now = static_cast<std::int64_t>(random() % 80);
    index.Move(place, slots[place], now);
    slots[place] = now;
  }
  const SlotIndex anew(slots);
  for (std::int64_t lot = 0; lot <= SlotIndex::kLast; ++lot) {
    EXPECT_EQ(Lot(index, lot), Lot(anew, lot));
    EXPECT_EQ(index.together(lot), anew.together(lot));
  }
}

}  // namespace
}  // namespace plimsoll
