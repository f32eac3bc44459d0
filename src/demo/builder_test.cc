#include "demo/builder.h"

#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

class BuilderTest : public testing::Test {
 protected:
  BuilderTest() : builder_(fleet_) {
    fleet_.seed = 7;
    fleet_.gpus = 16;
    fleet_.window = {kDemoBegin, kDemoBegin + Days(1)};
    LayOutNodes(fleet_);
  }
  DemoHold Hold(std::vector<std::size_t> units, Instant begin, std::optional<Instant> end) {
    return {0, std::move(units), 1, 1, begin, begin, end, "w", "t", "n", "p", "c"};
  }
  DemoFleet fleet_;
  FleetBuilder builder_;
};

TEST_F(BuilderTest, UnitIsFreeOnlyOutsideItsHolds) {
  builder_.AddHold(Hold({2, 3}, builder_.At(0, 5), builder_.At(0, 9)));
  EXPECT_FALSE(builder_.Free(0, {3}, {builder_.At(0, 8), builder_.At(0, 12)}));
  EXPECT_TRUE(builder_.Free(0, {3}, {builder_.At(0, 9), builder_.At(0, 12)}));
  EXPECT_TRUE(builder_.Free(0, {4}, {builder_.At(0, 8), builder_.At(0, 12)}));
}

TEST_F(BuilderTest, HoldThatEndsAfterTheLastScrapeStays) {
  const std::size_t late = builder_.AddHold(Hold({1}, builder_.At(0, 20), builder_.At(0, 23, 58)));
  EXPECT_FALSE(fleet_.holds[late].end.has_value());
  const std::size_t seen = builder_.AddHold(Hold({2}, builder_.At(0, 20), builder_.At(0, 23, 55)));
  EXPECT_TRUE(fleet_.holds[seen].end.has_value());
}

TEST_F(BuilderTest, HoldingAUnitTwiceIsABug) {
  builder_.AddHold(Hold({0}, builder_.At(0, 5), std::nullopt));
  EXPECT_DEATH(builder_.AddHold(Hold({0}, builder_.At(0, 6), std::nullopt)), "check failed");
}

TEST(BuilderTextTest, WeekdaysAndTraffic) {
  EXPECT_EQ(WeekdayOf(kDemoBegin), 1);
  EXPECT_EQ(WeekdayOf(kDemoBegin + Days(6) + Hours(23)), 7);
  EXPECT_EQ(WeekdayOf(AtSeconds(0)), 4);  // 1970-01-01 was a Thursday
  EXPECT_EQ(TrafficAt(kDemoBegin + Hours(15)), 100);
  EXPECT_EQ(TrafficAt(kDemoBegin + Days(5) + Hours(15)), 55);
}

}  // namespace
}  // namespace plimsoll
