#include "ingest/usage_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "ingest/usage_fold.h"

namespace plimsoll {
namespace {

const Instant kDay = AtSeconds(1'764'288'000);

struct Row {
  std::string device = "GPU-a", instance{}, signal = kSignalSmActive, quality{}, node = "n";
  Instant hour = kDay;
  std::vector<std::pair<std::int64_t, std::int64_t>> slots{};  // covered, active
  std::optional<std::int64_t> energy_mj{}, power_ms{};
  std::int64_t stalled = 0;
};

void Append(UsageBatch& batch, const Row& row) {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.node.push_back(row.node);
  batch.device.push_back(row.device);
  batch.instance.push_back(row.instance);
  batch.profile.emplace_back();
  batch.gpu_index.push_back(0);
  batch.gpu_model.emplace_back("H100");
  batch.hour.push_back(row.hour);
  batch.signal.push_back(row.signal);
  batch.covered.emplace_back();
  batch.active.emplace_back();
  for (std::size_t i = 0; i < row.slots.size(); ++i) {
    batch.covered.back()[i] = row.slots[i].first;
    batch.active.back()[i] = row.slots[i].second;
  }
  batch.energy_mj.push_back(row.energy_mj);
  batch.power_ms.push_back(row.power_ms);
  batch.memory_mib_ms.emplace_back();
  batch.memory_ms.emplace_back();
  batch.quality.push_back(row.quality);
  batch.stalled.push_back(row.stalled);
}

UsageBatch BatchOf(const std::vector<Row>& rows) {
  UsageBatch batch;
  for (const Row& row : rows) Append(batch, row);
  return batch;
}

bool Same(const UsageBatch& a, const UsageBatch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      UsageBatch::kColumns);
  return same;
}

TEST(UsageLoadTest, TheSlotThatIsCoveredMoreWinsAndOtherSlotsStay) {
  const UsageBatch merged = MergeUsage(BatchOf({{.slots = {{300, 9}, {100, 5}}}}),
                                       BatchOf({{.slots = {{200, 90}, {100, 6}, {7, 7}}}}));
  ASSERT_EQ(RowsOf(merged), 1u);
  EXPECT_EQ(merged.active[0][0], 9);
  EXPECT_EQ(merged.active[0][1], 6);
  EXPECT_EQ(merged.active[0][2], 7);
}

TEST(UsageLoadTest, TheBetterSignalWinsTheWholeHour) {
  const UsageBatch merged =
      MergeUsage(BatchOf({{.signal = kSignalGpuUtil, .slots = {{300, 1}, {300, 1}}}}),
                 BatchOf({{.slots = {{10, 2}}}}));
  EXPECT_EQ(merged.signal[0], kSignalSmActive);
  EXPECT_EQ(merged.covered[0][0], 10);
  EXPECT_EQ(merged.covered[0][1], 0);
}

TEST(UsageLoadTest, MarksAreUnitedAndEnergyOfTheLongerCoverWins) {
  const UsageBatch merged =
      MergeUsage(BatchOf({{.quality = "xid-79", .energy_mj = 5, .power_ms = 100}}),
                 BatchOf({{.quality = "clamped,xid-31", .energy_mj = 3, .power_ms = 200}}));
  EXPECT_EQ(merged.quality[0], "clamped,xid-31,xid-79");
  EXPECT_EQ(merged.energy_mj[0], 3);
}

TEST(UsageLoadTest, MarksOfASignalGoWithIt) {
  const Row coarse{
      .signal = kSignalGpuUtil, .quality = "clamped,coarse,sentinel", .slots = {{300, 1}}};
  const Row better{.slots = {{300, 1}}};
  EXPECT_EQ(MergeUsage(BatchOf({coarse}), BatchOf({better})).quality[0], "sentinel");
  EXPECT_EQ(MergeUsage(BatchOf({better}), BatchOf({coarse})).quality[0], "sentinel");
  const UsageBatch same = MergeUsage(
      BatchOf({coarse}), BatchOf({{.signal = kSignalGpuUtil, .quality = "coarse,xid-31"}}));
  EXPECT_EQ(same.quality[0], "clamped,coarse,sentinel,xid-31");
}

UsageBatch RandomBatch(std::mt19937_64& random) {
  const char* signals[] = {kSignalSmActive, kSignalGrEngineActive, kSignalGpuUtil, ""};
  const char* marks[] = {"", "clamped", "xid-31", "clamped,xid-79"};
  UsageBatch batch;
  for (std::uint64_t n = random() % 12; n > 0; --n) {
    Row row;
    row.device = random() % 2 == 0 ? "GPU-a" : "GPU-b";
    row.hour = kDay + Hours(static_cast<std::int64_t>(random() % 3));
    row.signal = signals[random() % 4];
    row.quality = marks[random() % 4];
    if (row.signal == kSignalGpuUtil) {
      row.quality = std::string(row.quality.starts_with("clamped") ? "clamped," : "") + kMarkCoarse;
    }
    row.node = random() % 2 == 0 ? "n1" : "n2";
    for (int i = 0; i < 12 && !row.signal.empty(); ++i) {
      row.slots.emplace_back(random() % 3, random() % 3);
    }
    if (random() % 2 == 0) {
      row.energy_mj = static_cast<std::int64_t>(random() % 3);
      row.power_ms = static_cast<std::int64_t>(random() % 3);
    }
    Append(batch, row);
  }
  return batch;
}

TEST(UsageLoadPropertyTest, TheMergeIsCommutativeAssociativeAndIdempotent) {
  std::mt19937_64 random(304);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const UsageBatch a = RandomBatch(random);
    const UsageBatch b = RandomBatch(random);
    const UsageBatch c = RandomBatch(random);
    const UsageBatch ab = MergeUsage(a, b);
    ASSERT_TRUE(Same(ab, MergeUsage(b, a)));
    ASSERT_TRUE(Same(MergeUsage(ab, c), MergeUsage(a, MergeUsage(b, c))));
    ASSERT_TRUE(Same(MergeUsage(ab, ab), ab));
    ASSERT_TRUE(Same(MergeUsage(ab, a), ab));
  }
}

}  // namespace
}  // namespace plimsoll
