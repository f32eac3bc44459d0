// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_need.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

class TasNeedTest : public ::testing::Test {
 protected:
  Result<TasNeed> Need(TasTopologyRequest topology) {
    return NeedOf(snapshot_, gates_, PodSetOf(8, std::move(topology)), false);
  }
  std::string Refusal(TasTopologyRequest topology) {
    const auto need = Need(std::move(topology));
    return need ? "" : need.error().message;
  }

  TasSnapshot snapshot_ = SnapshotOf({Host("b1", "r1", "x1", 1)});
  TasGates gates_;
};

TEST_F(TasNeedTest, SlicesAloneMayLieAnywhere) {
  const auto need = Need({{}, {}, false, {{kRack, 4}}});
  ASSERT_TRUE(need);
  EXPECT_EQ(need->level, 0U);
  EXPECT_EQ(need->slice_level, 1U);
  EXPECT_EQ(need->slices(), 2);
  EXPECT_TRUE(need->unconstrained);
  EXPECT_FALSE(need->required);
}

TEST_F(TasNeedTest, WithoutSlicesEachPodIsOneOnTheLowestLevel) {
  const auto need = Need(RequiredIn(kBlock));
  ASSERT_TRUE(need);
  EXPECT_EQ(need->slice_size, 1);
  EXPECT_EQ(need->slice_level, 2U);
}

TEST_F(TasNeedTest, APodSetWithoutARequestHasALevelOnlyIfItIsImplied) {
  TasPodSet podset = PodSetOf(1, {});
  podset.topology.reset();
  EXPECT_EQ(NeedOf(snapshot_, gates_, podset, false).error().message,
            "topology level not specified");
  podset.implied = true;
  const auto need = NeedOf(snapshot_, gates_, podset, true);
  ASSERT_TRUE(need);
  EXPECT_EQ(need->level, 2U);
  EXPECT_TRUE(need->unconstrained);
  EXPECT_EQ(need->leaders, 1);
}

TEST_F(TasNeedTest, WhatTheTopologyCannotDoIsRefusedInKueuesWords) {
  EXPECT_EQ(Refusal(RequiredIn("zone")), "no requested topology level: zone");
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kBlock), {{"zone", 2}})),
            "no requested topology level for slices: zone");
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kRack), {{kBlock, 2}})),
            "podset slice topology block is above the podset topology rack");
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kBlock), {{kRack, 0}})),
            "slice topology requested, but slice size not provided");
}

TEST_F(TasNeedTest, InnerSlicesBindEveryLevelDownToTheirs) {
  const auto need = Need(WithSlices(RequiredIn(kBlock), {{kBlock, 8}, {kHost, 2}}));
  ASSERT_TRUE(need);
  EXPECT_EQ(need->inner_sizes, (std::map<std::uint32_t, std::int64_t>{{1, 2}, {2, 2}}));
  EXPECT_EQ(need->layers.size(), 2U);
  gates_.multi_layer = false;
  EXPECT_TRUE(Need(WithSlices(RequiredIn(kBlock), {{kBlock, 8}, {kHost, 2}}))->layers.empty());
}

TEST_F(TasNeedTest, InnerSlicesLieLowerAndDivide) {
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kBlock), {{kRack, 4}, {"zone", 2}})),
            "no requested topology level for additional slice layer: zone");
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kBlock), {{kRack, 4}, {kRack, 2}})),
            "additional slice layer topology rack must be at a lower level than rack");
  EXPECT_EQ(Refusal(WithSlices(RequiredIn(kBlock), {{kRack, 4}, {kHost, 3}})),
            "additional slice layer size 3 must evenly divide parent layer size 4");
}

}  // namespace
}  // namespace plimsoll
