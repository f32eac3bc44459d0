#include "demo/builder.h"
#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(GenerateTest, EveryFleetDividesExactly) {
  const std::int64_t gpus[] = {16, 17, 23, 31, 40, 47, 64, 64, 71, 136};
  const std::int64_t days[] = {1, 2, 3, 4, 5, 7, 7, 16, 6, 2};
  for (std::size_t i = 0; i < std::size(gpus); ++i) {
    SCOPED_TRACE(testing::Message() << gpus[i] << " GPUs, " << days[i] << " days");
    const DemoFleet fleet = MakeFleet(gpus[i], days[i], 40 + i);
    EXPECT_FALSE(TruthOf(fleet).lines.empty());  // ends the process if anything rounds
  }
}

TEST(GenerateTest, RefusesOptionsOutOfRange) {
  const auto code = [](DemoOptions options) {
    const Result<DemoFleet> fleet = GenerateDemo(options);
    EXPECT_FALSE(fleet.has_value());
    return fleet ? ErrorCode::kInternal : fleet.error().code;
  };
  DemoOptions few, many, none, long_time, noon;
  few.gpus = 15;
  many.gpus = 1025;
  none.days = 0;
  long_time.days = 93;
  noon.begin = kDemoBegin + Hours(12);
  for (const DemoOptions& options : {few, many, none, long_time, noon}) {
    EXPECT_EQ(code(options), ErrorCode::kInvalidArgument);
  }
}

TEST(GenerateTest, DefaultIsTheWeekOfTheSixteenthOfNovember) {
  EXPECT_EQ(ToString(Week().window), "2026-11-16T00:00:00Z/2026-11-23T00:00:00Z");
  EXPECT_EQ(WeekdayOf(Week().window.begin), 1);
}

TEST(GenerateTest, ReportsProgress) {
  DemoOptions options;
  options.gpus = 16;
  options.days = 1;
  std::int64_t last = -1;
  options.progress = [&](std::string_view, std::int64_t done, std::int64_t total) {
    EXPECT_GT(done, last);
    EXPECT_EQ(total, 4);
    last = done;
  };
  ASSERT_TRUE(GenerateDemo(options).has_value());
  EXPECT_EQ(last, 4);
}

}  // namespace
}  // namespace plimsoll
