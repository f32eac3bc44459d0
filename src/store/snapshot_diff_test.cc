#include "store/snapshot_diff.h"

#include <gtest/gtest.h>

#include "model/charge.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr Instant kDay1 = AtSeconds(1'725'148'800);  // 2024-09-01

std::string Scope(Window period) { return ScopeText({"charge", "A|1|USD", period}); }

TEST(SnapshotDiffTest, ScopesReadAsPeopleWriteThem) {
  EXPECT_EQ(Scope({}), "A / 1 / USD");
  EXPECT_EQ(Scope(MonthOf(kDay1)), "A / 1 / USD / 2024-09");
  EXPECT_EQ(Scope({kDay1, kDay1 + Days(1)}), "A / 1 / USD / 2024-09-01");
  EXPECT_EQ(Scope({kDay1, kDay1 + Hours(2)}),
            "A / 1 / USD / 2024-09-01T00:00:00Z/2024-09-01T02:00:00Z");
}

TEST(SnapshotDiffTest, DaysAreLostOnlyIfNoHourOfThemIsLeft) {
  const Window month{kDay1, kDay1 + Days(30)};
  EXPECT_FALSE(LosesDays(std::nullopt, std::nullopt));
  EXPECT_FALSE(LosesDays(std::nullopt, month));
  EXPECT_TRUE(LosesDays(month, std::nullopt));
  EXPECT_FALSE(LosesDays(month, month));
  EXPECT_FALSE(LosesDays(month, Window{kDay1 + Hours(23), kDay1 + Days(29) + Hours(1)}));
  EXPECT_TRUE(LosesDays(month, Window{kDay1 + Days(1), kDay1 + Days(30)}));
  EXPECT_TRUE(LosesDays(month, Window{kDay1, kDay1 + Days(29)}));
  // As many days, but other ones.
  EXPECT_TRUE(LosesDays(month, Window{kDay1 + Days(5), kDay1 + Days(40)}));
}

struct Cost {
  Instant begin;
  std::int64_t effective = 0;
  std::optional<std::int64_t> list;
};

Status AddCharges(Store& store, std::int64_t snapshot_id, const std::vector<Cost>& costs) {
  ChargeBatch batch;
  for (const Cost& cost : costs) {
    std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
               ChargeBatch::kColumns);
    batch.snapshot_id.back() = snapshot_id;
    batch.charge_begin.back() = cost.begin;
    batch.effective_cost.back() = Money::FromNanos(cost.effective);
    if (cost.list) batch.list_cost.back() = Money::FromNanos(*cost.list);
  }
  return Append(store, "charge", batch);
}

TEST(SnapshotDiffTest, EverySumAndDayThatDiffersIsNamed) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  const Instant early = AtMillis(-1);  // 1969-12-31
  ASSERT_TRUE(AddCharges(**store, 1, {{early, 5, 7}, {kDay1, 1, 1}, {kDay1 + Days(1), 2, {}}}));
  ASSERT_TRUE(AddCharges(**store, 2, {{early, 5, 8}, {kDay1, 2, 1}, {kDay1 + Days(1), 1, {}}}));
  const auto differences = ChargeDifferences(**store, 1, 2);
  ASSERT_TRUE(differences) << differences.error().message;
  // The effective cost moved between days: its sum is the same, its days are not.
  EXPECT_EQ(*differences,
            (std::vector<std::string>{"list_cost 0.000000008 -> 0.000000009",
                                      "1969-12-31 list_cost 0.000000007 -> 0.000000008",
                                      "2024-09-01 effective_cost 0.000000001 -> 0.000000002",
                                      "2024-09-02 effective_cost 0.000000002 -> 0.000000001"}));
}

TEST(SnapshotDiffTest, AtMostTenDaysAreListedTheRestIsCounted) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  std::vector<Cost> before;
  std::vector<Cost> after;
  for (int day = 0; day < 14; ++day) {
    before.push_back({kDay1 + Days(day), 1, {}});
    after.push_back({kDay1 + Days(day), 2, {}});
  }
  ASSERT_TRUE(AddCharges(**store, 1, before));
  ASSERT_TRUE(AddCharges(**store, 2, after));
  const auto differences = ChargeDifferences(**store, 1, 2);
  ASSERT_TRUE(differences) << differences.error().message;
  ASSERT_EQ(differences->size(), 12u);
  EXPECT_EQ(differences->front(), "effective_cost 0.000000014 -> 0.000000028");
  EXPECT_EQ(differences->back(), "and 4 more days");
}

TEST(SnapshotDiffTest, EqualSumsHaveNoDifference) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(AddCharges(**store, 1, {{kDay1, 3, {}}}));
  ASSERT_TRUE(AddCharges(**store, 2, {{kDay1 + Hours(1), 1, {}}, {kDay1, 2, 0}}));
  const auto differences = ChargeDifferences(**store, 1, 2);
  ASSERT_TRUE(differences) << differences.error().message;
  EXPECT_TRUE(differences->empty());
}

}  // namespace
}  // namespace plimsoll
