#include "capacity/placement/node_offer.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll {
namespace {

Money Cents(std::int64_t cents) { return Money::FromNanos(int128{cents} * 10'000'000); }

NodeOffer Offer(const char* name, std::int32_t gpus, Money price) {
  return {name, gpus * 10'000, gpus * 65'536, gpus, 0, price};
}

PodShape Gpus(std::int32_t gpus) { return {1'000, 1'024, gpus, kMilliPerGpu, kAnyFlavor}; }

TEST(NodeOfferTest, ThreeGpusTakeTheNodeOfFourAndLoseOne) {
  const std::vector<NodeOffer> offers{Offer("two", 2, Cents(200)), Offer("eight", 8, Cents(800)),
                                      Offer("four", 4, Cents(400))};
  const auto choice = CheapestNodes(offers, Gpus(3), 1);
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(offers[choice->offer].name, "four");
  EXPECT_EQ(choice->gpus_idle_milli, 1'000);
}

TEST(NodeOfferTest, CostDecidesNotTheNumberOfNodes) {
  const std::vector<NodeOffer> offers{Offer("g5.12xlarge", 4, Cents(567)),
                                      Offer("g5.xlarge", 1, Cents(101))};
  const auto choice = CheapestNodes(offers, Gpus(1), 2);
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(offers[choice->offer].name, "g5.xlarge");
  EXPECT_EQ(choice->nodes, 2);
  EXPECT_EQ(choice->cost, Cents(202));
  EXPECT_EQ(choice->gpus_idle_milli, 0);
}

TEST(NodeOfferTest, OfEqualCostTheOneThatWastesLess) {
  const std::vector<NodeOffer> offers{Offer("eight", 8, Cents(400)), Offer("four", 4, Cents(400))};
  EXPECT_EQ(CheapestNodes(offers, Gpus(4), 1)->offer, 1U);
  EXPECT_EQ(CheapestNodes(offers, Gpus(4), 2)->offer, 0U);
}

TEST(NodeOfferTest, WhatFitsNowhereIsNoChoice) {
  const std::vector<NodeOffer> offers{Offer("two", 2, Cents(1))};
  EXPECT_EQ(CheapestNodes(offers, Gpus(3), 1), std::nullopt);
  PodShape other = Gpus(1);
  other.flavors = 0b10;
  EXPECT_EQ(CheapestNodes(offers, other, 1), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
