#include "ingest/focus/charge_hash.h"

#include <gtest/gtest.h>

#include "model/row_hash.h"

namespace plimsoll {
namespace {

ChargeBatch OneCharge() {
  ChargeBatch batch;
  std::apply([&](auto... column) { ((batch.*(column.values)).resize(1), ...); },
             ChargeBatch::kColumns);
  batch.snapshot_id[0] = 7;
  batch.line[0] = 12;
  batch.provider[0] = "AWS";
  batch.charge_begin[0] = AtMillis(-5);
  batch.tags[0] = R"({"team":"a"})";
  batch.billed_cost[0] = Money::FromNanos(-1);
  batch.list_cost[0] = Money::Units(3);
  return batch;
}

TEST(ChargeHasherTest, IsHashOfRowForWholeNanos) {
  const ChargeBatch batch = OneCharge();
  ChargeHasher hasher;
  EXPECT_EQ(hasher.Hash(batch, 0, {}), HashOfRow(RefTo(batch), 0));
  EXPECT_EQ(hasher.Hash(batch, 0, {}), HashOfRow(RefTo(batch), 0)) << "a hasher is used again";
}

TEST(ChargeHasherTest, RestsAndTheirColumnCount) {
  const ChargeBatch batch = OneCharge();
  ChargeHasher hasher;
  const Hash128 none = hasher.Hash(batch, 0, {});
  const Hash128 billed = hasher.Hash(batch, 0, {1, 0, 0, 0});
  const Hash128 effective = hasher.Hash(batch, 0, {0, 1, 0, 0});
  EXPECT_NE(none, billed);
  EXPECT_NE(billed, effective);
}

TEST(ChargeHasherTest, SnapshotAndLineDoNotCount) {
  ChargeBatch batch = OneCharge();
  ChargeHasher hasher;
  const Hash128 before = hasher.Hash(batch, 0, {});
  batch.snapshot_id[0] = 8;
  batch.line[0] = 13;
  EXPECT_EQ(hasher.Hash(batch, 0, {}), before);
  batch.provider[0] = "Azure";
  EXPECT_NE(hasher.Hash(batch, 0, {}), before);
}

}  // namespace
}  // namespace plimsoll
