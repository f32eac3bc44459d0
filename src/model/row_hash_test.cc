#include "model/row_hash.h"

#include <gtest/gtest.h>

#include "model/usage.h"

namespace plimsoll {
namespace {

UsageBatch TwoHours() {
  UsageBatch batch;
  for (std::int64_t i = 0; i < 2; ++i) {
    batch.snapshot_id.push_back(i);
    batch.cluster.push_back("c");
    batch.node.push_back("n");
    batch.device.push_back("GPU-1");
    batch.instance.push_back("");
    batch.profile.push_back("");
    batch.gpu_index.push_back(0);
    batch.gpu_model.push_back("H100");
    batch.hour.push_back(AtSeconds(3'600 * i));
    batch.signal.push_back(kSignalSmActive);
    batch.covered.push_back({i});
    batch.active.push_back({i});
    batch.energy_mj.push_back(std::nullopt);
    batch.power_ms.push_back(0);
    batch.memory_mib_ms.push_back(5);
    batch.memory_ms.push_back(i);
    batch.quality.push_back("");
    batch.stalled.push_back(0);
  }
  return batch;
}

TEST(RowHashTest, OrderAndSnapshotDoNotCountButEveryOtherFieldDoes) {
  const UsageBatch batch = TwoHours();
  UsageBatch reversed;
  AppendRow(reversed, batch, 1);
  AppendRow(reversed, batch, 0);
  reversed.snapshot_id = {7, 8};
  EXPECT_EQ(HashOfRows(batch), HashOfRows(reversed));

  UsageBatch changed = batch;
  changed.covered[1][11] = 1;
  EXPECT_NE(HashOfRows(batch), HashOfRows(changed));
  changed = batch;
  changed.energy_mj[0] = 0;  // null and zero differ
  EXPECT_NE(HashOfRows(batch), HashOfRows(changed));
}

}  // namespace
}  // namespace plimsoll
