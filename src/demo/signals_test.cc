#include "demo/signals.h"

#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

TEST(SignalsTest, SilentExporterAndFailedCardHaveNoSamples) {
  bool silent = false;
  for (const DemoNode& node : Week().nodes) {
    for (const DemoUnit& unit : node.units) {
      for (std::size_t i = 0; i < Week().twelfths(); ++i) {
        const Instant t = Week().grid(i);
        const bool mute = (node.silent && node.silent->contains(t)) ||
                          (unit.failed && unit.failed->contains(t)) || t < node.begin ||
                          (node.until && t >= *node.until);
        if (mute) {
          ASSERT_EQ(unit.percent[i], kNoSample);
        }
        silent = silent || (node.silent && node.silent->contains(t));
      }
    }
  }
  EXPECT_TRUE(silent);
}

TEST(SignalsTest, OnlyOneUnheldUnitIsEverBusy) {
  std::size_t busy = 0;
  for (std::size_t n = 0; n < Week().nodes.size(); ++n) {
    const DemoNode& node = Week().nodes[n];
    for (const DemoUnit& unit : node.units) {
      std::size_t twelfths = 0;
      for (std::size_t i = 0; i < Week().twelfths(); ++i) {
        if (unit.percent[i] == 0 || unit.percent[i] == kNoSample) continue;
        twelfths += HolderAt(Week(), unit, Week().grid(i)) ? 0U : 1U;
      }
      if (twelfths == 0) continue;
      ++busy;
      EXPECT_EQ(n, NodesOf(Week(), "notebook").front());
      EXPECT_EQ(twelfths, 43U);  // 20:00 to 23:35
    }
  }
  EXPECT_EQ(busy, 1U);
}

TEST(SignalsTest, NothingIsBusyBeforeItIsReady) {
  for (const DemoHold& hold : Week().holds) {
    for (const std::size_t unit : hold.units) {
      const DemoUnit& u = Week().nodes[hold.node].units[unit];
      for (std::size_t i = 0; i < Week().twelfths(); ++i) {
        if (Window{hold.bind, hold.ready}.contains(Week().grid(i))) {
          ASSERT_TRUE(u.percent[i] == 0 || u.percent[i] == kNoSample);
        }
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll
