#include "model/column.h"

#include <gtest/gtest.h>

#include "model/charge.h"
#include "model/conditions.h"
#include "model/cost_line.h"
#include "model/holding.h"
#include "model/usage.h"

namespace plimsoll {
namespace {

// Every vector of the batch is named once in kColumns: the refs' vectors are distinct and
// together as many as the struct is long.
template <class Batch>
void ExpectEveryFieldIsAColumn() {
  Batch batch;
  const BatchRef refs = RefTo(batch);
  EXPECT_EQ(refs.size() * sizeof(std::vector<int>), sizeof(Batch));
  for (std::size_t i = 0; i < refs.size(); ++i) {
    for (std::size_t j = i + 1; j < refs.size(); ++j) {
      EXPECT_NE(refs[i].vector, refs[j].vector) << refs[i].name << " and " << refs[j].name;
      EXPECT_STRNE(refs[i].name, refs[j].name);
    }
  }
}

TEST(ColumnTest, NoFieldOfABatchIsForgotten) {
  ExpectEveryFieldIsAColumn<ChargeBatch>();
  ExpectEveryFieldIsAColumn<HoldingBatch>();
  ExpectEveryFieldIsAColumn<PendingBatch>();
  ExpectEveryFieldIsAColumn<NodeStateBatch>();
  ExpectEveryFieldIsAColumn<SetAsideBatch>();
  ExpectEveryFieldIsAColumn<VolumeBatch>();
  ExpectEveryFieldIsAColumn<UsageBatch>();
  ExpectEveryFieldIsAColumn<CostLineBatch>();
  ExpectEveryFieldIsAColumn<AllocationWorkloadBatch>();
}

TEST(ColumnTest, RowsAreCopiedAcrossEveryColumn) {
  AllocationScopeBatch from;
  from.provider = {"aws", "gcp"};
  from.issuer = {"A", "G"};
  from.account = {"1", "2"};
  from.currency = {"USD", "EUR"};
  from.billing_begin = {AtMillis(1), AtMillis(2)};
  from.billing_until = {AtMillis(3), AtMillis(4)};
  AllocationScopeBatch to;
  AppendRow(to, from, 1);
  ASSERT_EQ(RowsOf(to), 1u);
  EXPECT_EQ(to.currency[0], "EUR");
  EXPECT_EQ(to.billing_until[0], AtMillis(4));
  Clear(to);
  EXPECT_EQ(RowsOf(to), 0u);
}

}  // namespace
}  // namespace plimsoll
