#include "demo/layout.h"

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(LayoutTest, NodesAndSpotSlotsHaveExactlyTheGpusAskedFor) {
  for (std::int64_t gpus = 16; gpus <= 300; ++gpus) {
    DemoFleet fleet;
    fleet.seed = 1;
    fleet.gpus = gpus;
    fleet.window = {kDemoBegin, kDemoBegin + Days(1)};
    std::int64_t total = 4 * LayOutNodes(fleet);
    for (const DemoNode& node : fleet.nodes) {
      EXPECT_EQ(node.shape.gpus, static_cast<std::int64_t>(node.cards.size()));
      total += node.shape.gpus;
    }
    EXPECT_EQ(total, gpus);
  }
}

TEST(LayoutTest, SevenCardsOfTheMigNodeArePartitionedIntoSevenSlices) {
  const std::vector<std::size_t> mig = NodesOf(Week(), "mig");
  ASSERT_EQ(mig.size(), 1U);
  const DemoNode& node = Week().nodes[mig.front()];
  std::size_t partitioned = 0;
  for (const DemoCard& card : node.cards) {
    std::int64_t sevenths = 0;
    for (const std::size_t unit : card.units) sevenths += node.units[unit].sevenths;
    EXPECT_EQ(sevenths, kWholeCard);
    partitioned += card.mig() ? 1U : 0U;
  }
  EXPECT_EQ(partitioned, 7U);
}

TEST(LayoutTest, DefaultFleetHasEveryPool) {
  for (const char* pool : {"train", "serve", "mig", "notebook", "slurm", "spot"}) {
    EXPECT_FALSE(NodesOf(Week(), pool).empty()) << pool;
  }
}

}  // namespace
}  // namespace plimsoll
