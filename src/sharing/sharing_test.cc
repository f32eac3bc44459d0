#include "sharing/sharing.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr auto kWorkload = SharingRole::kWorkload;
constexpr auto kSharedRow = SharingRole::kShared;
constexpr auto kIdle = SharingRole::kIdle;

struct Spec {
  const char *key, *cluster, *node;
  SharingRole role;
  std::int64_t gpu, cpu;  // whole units of cost
  bool kept = true;
};

// GPU time: an hour a unit of GPU cost.
std::vector<SharingRow> Rows(const std::vector<Spec>& specs) {
  std::vector<SharingRow> rows;
  for (const Spec& spec : specs) {
    SharingRow row{{spec.key}, spec.cluster, spec.node, spec.role, spec.kept, {}};
    row.amounts.of(SharingKind::kGpu) = Money::Units(spec.gpu);
    row.amounts.of(SharingKind::kCpu) = Money::Units(spec.cpu);
    row.amounts.gpu_time = WholeGpuHours(spec.gpu);
    rows.push_back(std::move(row));
  }
  return rows;
}

SharingResult Shared(const std::vector<Spec>& specs, const SharingPolicy& policy) {
  auto result = Share(Rows(specs), policy);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : SharingResult();
}

// "a 20.000000000, b 40.000000000"
std::string Text(const SharingResult& result) {
  std::string text;
  for (const KeyRow& row : result.rows) {
    text += (text.empty() ? "" : ", ") + row.key[0] + " " + row.amounts.Total().ToString();
  }
  for (const IdleRow& row : result.idle) {
    text += (text.empty() ? "" : ", ") + row.cluster + "/" + row.node + "/" + row.key[0] + " " +
            row.amounts.Total().ToString();
  }
  return text;
}

// Two clusters; the idle of c1 is on two nodes.
const std::vector<Spec> kFleet{
    {"a", "c1", "n1", kWorkload, 20, 2}, {"b", "c1", "n2", kWorkload, 40, 1},
    {"a", "c2", "n3", kWorkload, 10, 0}, {"idle", "c1", "n1", kIdle, 12, 3},
    {"idle", "c1", "n2", kIdle, 18, 0},  {"idle", "c2", "n3", kIdle, 5, 4},
};

TEST(SharingTest, SeparateIdleStaysAsItIs) {
  EXPECT_EQ(Text(Shared(kFleet, {})),
            "a 32.000000000, b 41.000000000, c1/n1/idle 15.000000000, c1/n2/idle 18.000000000, "
            "c2/n3/idle 9.000000000");
}

TEST(SharingTest, IdleGoesByCostOfItsKindInTheClusterAndWhatNobodyTakesStays) {
  const SharingResult result = Shared(kFleet, {.idle = IdleSharing::kShare});
  // c1: GPU 30 by 20:40, CPU 3 by 2:1; c2: GPU 5 to a, CPU 4 has no taker.
  EXPECT_EQ(Text(result), "a 49.000000000, b 62.000000000, c2/n3/idle 4.000000000");
  EXPECT_EQ(result.idle[0].amounts.gpu_time, GpuHours());
  EXPECT_EQ(result.rows[0].amounts.gpu_time, WholeGpuHours(20 + 10 + 10 + 5));
}

TEST(SharingTest, IdleByNodeGoesToThatNodeOnly) {
  const SharingPolicy policy{.idle = IdleSharing::kShare, .idle_by_node = true};
  // n1: GPU 12, CPU 3 to a; n2: GPU 18 to b; n3: GPU 5 to a.
  EXPECT_EQ(Text(Shared(kFleet, policy)), "a 52.000000000, b 59.000000000, c2/n3/idle 4.000000000");
}

TEST(SharingTest, EvenIdleCountsKeysNotRows) {
  const SharingPolicy policy{.idle = IdleSharing::kShare, .idle_split = SharingSplit::kEven};
  EXPECT_EQ(Text(Shared({{"a", "c", "1", kWorkload, 1, 0},
                         {"a", "c", "2", kWorkload, 1, 0},
                         {"b", "c", "2", kWorkload, 9, 0},
                         {"idle", "c", "1", kIdle, 6, 0}},
                        policy)),
            "a 5.000000000, b 12.000000000");
}

TEST(SharingTest, HiddenIdleIsCounted) {
  const SharingResult result = Shared(kFleet, {.idle = IdleSharing::kHide});
  EXPECT_EQ(Text(result), "a 32.000000000, b 41.000000000");
  EXPECT_EQ(result.hidden.Total(), Money::Units(42));
}

TEST(SharingTest, SharedRowsGoEvenlyByCostOrByAMetric) {
  const std::vector<Spec> rows{{"a", "c", "1", kWorkload, 30, 0},
                               {"b", "c", "1", kWorkload, 10, 0},
                               {"infra", "c", "1", kSharedRow, 4, 4}};
  EXPECT_EQ(Text(Shared(rows, {.shared_split = SharingSplit::kEven})),
            "a 34.000000000, b 14.000000000");
  EXPECT_EQ(Text(Shared(rows, {})), "a 36.000000000, b 12.000000000");
  const SharingPolicy metric{.shared_split = SharingSplit::kMetric, .metric = {{{"b"}, 5}}};
  const SharingResult result = Shared(rows, metric);
  EXPECT_EQ(Text(result), "a 30.000000000, b 18.000000000");
  EXPECT_EQ(result.rows[1].amounts.of(SharingKind::kShared), Money::Units(8));
  EXPECT_EQ(result.rows[1].amounts.gpu_time, WholeGpuHours(14));
}

TEST(SharingTest, OverheadIsDividedLikeSharedRowsButIsItsOwnKind) {
  const std::vector<Spec> rows{{"a", "c", "1", kWorkload, 30, 0},
                               {"b", "c", "1", kWorkload, 10, 0}};
  const SharingResult result = Shared(rows, {.overhead = Money::Units(8)});
  EXPECT_EQ(Text(result), "a 36.000000000, b 12.000000000");
  EXPECT_EQ(result.rows[0].amounts.cost[6], Money::Units(6));
  EXPECT_EQ(Shared({}, {.overhead = Money::Units(8)}).unshared.Total(), Money::Units(8));
}

TEST(SharingTest, SharedRowsPassOnTheIdleThatTheyAreGiven) {
  const std::vector<Spec> rows{{"a", "c", "1", kWorkload, 30, 0},
                               {"b", "c", "1", kWorkload, 30, 0},
                               {"infra", "c", "1", kSharedRow, 20, 0},
                               {"idle", "c", "1", kIdle, 8, 0}};
  const SharingResult result = Shared(rows, {.idle = IdleSharing::kShare});
  EXPECT_EQ(Text(result), "a 44.000000000, b 44.000000000");
  EXPECT_EQ(result.rows[0].amounts.of(SharingKind::kShared), Money::Units(11));
}

TEST(SharingTest, WhatNobodyCanTakeStaysShared) {
  const SharingResult result = Shared({{"infra", "c", "1", kSharedRow, 20, 0}}, {});
  EXPECT_EQ(Text(result), "");
  EXPECT_EQ(result.unshared.Total(), Money::Units(20));
}

// Separate idle under a filter is what the kept rows would be given of it, also by way of
// shared rows: both questions have one total.
TEST(SharingTest, AFilterShowsTheIdleOfTheRowsThatItKeeps) {
  const std::vector<Spec> rows{{"a", "c", "1", kWorkload, 30, 0},
                               {"b", "c", "1", kWorkload, 30, 0, false},
                               {"infra", "c", "1", kSharedRow, 20, 0, false},
                               {"idle", "c", "1", kIdle, 8, 0, false},
                               {"idle", "c", "1", kIdle, 0, 5, false},
                               {"spare", "d", "2", kIdle, 7, 0}};
  const SharingResult separate = Shared(rows, {});
  EXPECT_EQ(Text(separate), "a 40.000000000, c/1/idle 4.000000000, d/2/spare 7.000000000");
  EXPECT_EQ(separate.filtered.Total(), Money::Units(40 + 4 + 5));
  const SharingResult shared = Shared(rows, {.idle = IdleSharing::kShare});
  EXPECT_EQ(Text(shared), "a 44.000000000, d/2/spare 7.000000000");
}

TEST(SharingTest, RefusesANegativeMetricAndAmountsThatCannotBeMultiplied) {
  const SharingPolicy negative{.shared_split = SharingSplit::kMetric, .metric = {{{"a"}, -1}}};
  const auto refused = Share(Rows(kFleet), negative);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  std::vector<SharingRow> rows = Rows(kFleet);
  for (SharingRow& row : rows) row.amounts.of(SharingKind::kGpu) = Money::Units(1'000'000'000'000);
  const auto overflow = Share(rows, {.idle = IdleSharing::kShare});
  ASSERT_FALSE(overflow);
  EXPECT_EQ(overflow.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace plimsoll
