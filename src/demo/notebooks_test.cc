#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(NotebooksTest, AreHeldOverTheWeekendAndHardlyUsed) {
  const Window weekend{kDemoBegin + Days(5), kDemoBegin + Days(7)};
  std::size_t left_over = 0;
  for (const DemoHold& hold : Week().holds) {
    if (hold.activity != DemoActivity::kNotebook || hold.end) continue;
    ++left_over;
    const DemoUnit& unit = Week().nodes[hold.node].units[hold.units.front()];
    for (std::size_t i = 0; i < Week().twelfths(); ++i) {
      if (weekend.contains(Week().grid(i))) {
        EXPECT_LE(unit.percent[i], 1);
      }
    }
  }
  EXPECT_GE(left_over, 3U);
}

TEST(NotebooksTest, OneHasNoTeamLabel) {
  std::size_t unlabelled = 0;
  for (const DemoPod& pod : Week().pods) {
    if (pod.ns != "notebooks" || pod.labels.contains("platform.example.com/team")) continue;
    ++unlabelled;
    EXPECT_EQ(Week().holds[*pod.hold].who, "no-label");
  }
  EXPECT_EQ(unlabelled, 1U);
}

}  // namespace
}  // namespace plimsoll
