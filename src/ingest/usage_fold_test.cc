#include "ingest/usage_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kMinute = 60'000;
const Instant kDay = AtSeconds(1'764'288'000);  // 2025-11-28

struct Point {
  std::string uuid = "GPU-a", instance{};
  UsageSignal signal = UsageSignal::kSmActive;
  std::int64_t at = 0;  // ms since kDay
  std::int64_t value = 0;
  DeviceLabels labels{"node-a", "", "H100", 0};
};

UsageBatch FoldAll(const std::vector<Point>& points, Window window = {kDay, kDay + Days(1)},
                   std::int64_t* duplicates = nullptr) {
  DeviceTable devices;
  UsageFolder folder(devices, window, Minutes(5));
  for (const Point& p : points) {
    const std::int64_t device = devices.Intern(p.uuid, p.instance);
    const std::int64_t labels = devices.InternLabels(p.labels);
    const std::int64_t at = kDay.base() + p.at;
    folder.Add({p.signal, {&device, 1}, {&labels, 1}, {&at, 1}, {&p.value, 1}});
  }
  UsageBatch rows;
  folder.Fold("c", rows);
  if (duplicates != nullptr) *duplicates = folder.duplicates();
  return rows;
}

bool SameRows(const UsageBatch& a, const UsageBatch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      UsageBatch::kColumns);
  return same;
}

std::int64_t Sum(const Twelfths& slots) {
  return std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
}

// Half an hour of a busy card, then one of a kernel that waits for ever.
TEST(UsageFoldTest, BusyByUtilAndDeadBySmActiveIsAStall) {
  std::vector<Point> points;
  const auto add = [&](UsageSignal signal, std::int64_t minute, std::int64_t value) {
    points.push_back({.signal = signal, .at = minute * kMinute, .value = value});
  };
  for (std::int64_t minute = 0; minute < 60; ++minute) {
    const bool is_hung = minute >= 30;
    add(UsageSignal::kGpuUtil, minute, 1'000'000);
    add(UsageSignal::kSmActive, minute, is_hung ? 300 : 800'000);
    add(UsageSignal::kPower, minute, is_hung ? 118'000 : 650'000);
  }
  add(UsageSignal::kPower, 60, 100'000);
  EXPECT_EQ(FoldAll(points).stalled[0], 0b111111000000);
  // Without power the two counters decide; without either of them nothing is told.
  const auto without = [&](UsageSignal signal) {
    std::vector<Point> rest = points;
    std::erase_if(rest, [&](const Point& p) { return p.signal == signal; });
    return FoldAll(rest).stalled[0];
  };
  EXPECT_EQ(without(UsageSignal::kPower), 0b111111000000);
  EXPECT_EQ(without(UsageSignal::kGpuUtil), 0);
  EXPECT_EQ(without(UsageSignal::kSmActive), 0);
  // A card that draws much more than it can idle at moves data: not hung.
  for (Point& p : points) {
    if (p.signal == UsageSignal::kPower && p.value == 118'000) p.value = 140'000;
  }
  EXPECT_EQ(FoldAll(points).stalled[0], 0);
}

TEST(UsageFoldTest, ASampleHoldsForTheHoldAndNoLonger) {
  const UsageBatch rows = FoldAll({{.at = 2 * kMinute, .value = 500'000}});
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.covered[0][0], 3 * kMinute);
  EXPECT_EQ(rows.covered[0][1], 2 * kMinute);
  EXPECT_EQ(rows.active[0][0], 3 * kMinute * 500'000);
  EXPECT_EQ(Sum(rows.covered[0]), 5 * kMinute);
  EXPECT_EQ(rows.signal[0], kSignalSmActive);
  EXPECT_FALSE(rows.energy_mj[0].has_value());
}

TEST(UsageFoldTest, TheNextSampleEndsTheOneBefore) {
  const UsageBatch rows = FoldAll({{.at = 0, .value = 1'000'000}, {.at = kMinute, .value = 0}});
  EXPECT_EQ(rows.covered[0][0], 5 * kMinute);
  EXPECT_EQ(rows.active[0][0], kMinute * 1'000'000);
}

TEST(UsageFoldTest, AFullyBusyTwelfthHasTheNumbersOfTheDefinition) {
  const UsageBatch rows = FoldAll({{.at = 0, .value = 1'000'000}});
  EXPECT_EQ(rows.covered[0][0], 300'000);
  EXPECT_EQ(rows.active[0][0], 300'000'000'000);
}

TEST(UsageFoldTest, SamplesBeforeTheWindowHoldIntoItAndTimeOutsideIsNeverCovered) {
  const Window window{kDay, kDay + Minutes(30)};
  const UsageBatch rows = FoldAll(
      {{.at = -2 * kMinute, .value = 1'000'000}, {.at = 29 * kMinute, .value = 1'000'000}}, window);
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.covered[0][0], 3 * kMinute);
  EXPECT_EQ(rows.covered[0][5], kMinute);
  EXPECT_EQ(Sum(rows.covered[0]), 4 * kMinute);
}

TEST(UsageFoldTest, OfOneInstantTheGreaterValueCountsAndTheOtherIsADuplicate) {
  std::int64_t duplicates = 0;
  const UsageBatch rows = FoldAll({{.at = 0, .value = 200'000}, {.at = 0, .value = 900'000}},
                                  {kDay, kDay + Days(1)}, &duplicates);
  EXPECT_EQ(rows.active[0][0], 300'000 * std::int64_t{900'000});
  EXPECT_EQ(duplicates, 1);
}

TEST(UsageFoldTest, TheBestSignalThatCoversAnHourGivesIt) {
  const UsageBatch rows = FoldAll({
      {.signal = UsageSignal::kGpuUtil, .at = 0, .value = 1'000'000},
      {.signal = UsageSignal::kGpuUtil, .at = kHour, .value = 1'000'000},
      {.signal = UsageSignal::kGrEngineActive, .at = kHour, .value = 400'000},
      {.signal = UsageSignal::kSmActive, .at = kHour + 30 * kMinute, .value = 100'000},
  });
  ASSERT_EQ(RowsOf(rows), 2u);
  EXPECT_EQ(rows.signal[0], kSignalGpuUtil);
  EXPECT_EQ(rows.signal[1], kSignalSmActive);
  EXPECT_EQ(Sum(rows.covered[1]), 5 * kMinute);
}

TEST(UsageFoldTest, RatiosAboveOneAreClampedAndTheHourMarked) {
  const UsageBatch rows = FoldAll({{.at = 0, .value = 1'700'000}, {.at = 2 * kHour, .value = 7}});
  EXPECT_EQ(rows.active[0][0], 300'000'000'000);
  EXPECT_EQ(rows.quality[0], "clamped");
  EXPECT_EQ(rows.quality[1], "");
}

TEST(UsageFoldTest, AnInstanceWithDataSilencesItsCardButNotTheCardsPower) {
  const UsageBatch rows = FoldAll({
      {.at = 0, .value = 402'000},
      {.instance = "9", .at = 0, .value = 903'000, .labels = {"n", "1g.10gb", "A100", 0}},
      {.signal = UsageSignal::kPower, .at = 0, .value = 240'100},
      {.at = kHour, .value = 402'000},
  });
  ASSERT_EQ(RowsOf(rows), 3u);
  EXPECT_EQ(rows.instance[0], "");
  EXPECT_EQ(rows.signal[0], "");
  EXPECT_EQ(Sum(rows.covered[0]), 0);
  EXPECT_EQ(rows.energy_mj[0], 240'100 * 300);  // 240.1 W for 300 s
  EXPECT_EQ(rows.power_ms[0], 300'000);
  EXPECT_EQ(rows.signal[1], kSignalSmActive) << "an hour in which no instance has data";
  EXPECT_EQ(rows.instance[2], "9");
  EXPECT_EQ(rows.profile[2], "1g.10gb");
}

TEST(UsageFoldTest, MemoryIsIntegratedOverTheTimeItCovers) {
  const UsageBatch rows =
      FoldAll({{.signal = UsageSignal::kMemory, .at = 58 * kMinute, .value = 1'000}});
  ASSERT_EQ(RowsOf(rows), 2u);
  EXPECT_EQ(rows.memory_mib_ms[0], 1'000 * 2 * kMinute);
  EXPECT_EQ(rows.memory_ms[1], 3 * kMinute);
  EXPECT_EQ(rows.signal[1], "");
}

TEST(UsageFoldTest, OnlyAChangeOfTheXidGaugeIsAnEvent) {
  const auto xid = [](std::int64_t at, std::int64_t code) {
    return Point{.signal = UsageSignal::kXid, .at = at, .value = code};
  };
  const UsageBatch rows = FoldAll(
      {xid(0, 31), xid(kMinute, 31), xid(kHour, 79), xid(kHour + kMinute, 0), xid(2 * kHour, 0)});
  ASSERT_EQ(RowsOf(rows), 1u) << "a code that was there from the start has no known time";
  EXPECT_EQ(rows.quality[0], "xid-79");
  EXPECT_EQ(rows.hour[0], kDay + Hours(1));
}

TEST(UsageFoldTest, ACountedXidIsAnEventAndIsMarkedOnceBesideTheGauge) {
  const auto count = [](std::int64_t at, std::int64_t code) {
    return Point{.signal = UsageSignal::kXidEvent, .at = at, .value = code};
  };
  const UsageBatch rows =
      FoldAll({count(0, 0), count(kHour, 31), count(kHour + kMinute, 31), count(kHour, 79)});
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.quality[0], "xid-31,xid-79");
  EXPECT_EQ(rows.hour[0], kDay + Hours(1));
}

// ---- energy ------------------------------------------------------------------------------

Point Counter(std::int64_t at, std::int64_t millijoules) {
  return {.signal = UsageSignal::kEnergy, .at = at, .value = millijoules};
}
constexpr std::int64_t kMinuteAt300W = 18'000'000;  // mJ

TEST(UsageFoldTest, ACountersRiseIsSpreadEvenlyOverTheTimeBetweenItsSamples) {
  const std::int64_t start = 918'273'645'001;
  const UsageBatch rows =
      FoldAll({Counter(kHour - 2 * kMinute, start), Counter(kHour + kMinute, start + 3'000'000)});
  ASSERT_EQ(RowsOf(rows), 2u);
  EXPECT_EQ(rows.energy_mj[0], 2'000'000);
  EXPECT_EQ(rows.power_ms[0], 2 * kMinute);
  EXPECT_EQ(rows.energy_mj[1], 1'000'000);
  EXPECT_EQ(rows.power_ms[1], kMinute);
  EXPECT_EQ(rows.quality[0], "");
}

TEST(UsageFoldTest, AResetCountsNothingAndIsMarked) {
  const UsageBatch rows = FoldAll({Counter(0, 900'000'000'000), Counter(kMinute, 12),
                                   Counter(2 * kMinute, 12 + kMinuteAt300W)});
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.energy_mj[0], kMinuteAt300W);
  EXPECT_EQ(rows.power_ms[0], kMinute);
  EXPECT_EQ(rows.quality[0], "energy-reset");
}

TEST(UsageFoldTest, ARiseThatNoCardCanDrawCountsNothingAndIsMarked) {
  const UsageBatch rows = FoldAll({Counter(0, 5), Counter(kMinute, 400'000'000'000'000),
                                   Counter(2 * kMinute, 5 + 2 * kMinuteAt300W)});
  EXPECT_EQ(rows.energy_mj[0], 2 * kMinuteAt300W);
  EXPECT_EQ(rows.power_ms[0], 2 * kMinute);
  EXPECT_EQ(rows.quality[0], "energy-jump");
}

TEST(UsageFoldTest, ACounterThatWasNotSeenForLongerThanTheHoldCoversNothing) {
  const UsageBatch rows = FoldAll({Counter(0, 0), Counter(5 * kMinute + 1, kMinuteAt300W)});
  EXPECT_EQ(RowsOf(rows), 0u);
}

TEST(UsageFoldTest, TwoExportersOfOneCounterAtTheirOwnPaceCountItOnce) {
  std::vector<Point> points;
  // One reads the driver as it is scraped; the other, scraped 7 s later, every minute.
  for (std::int64_t at = 0; at <= 30 * kMinute; at += 15'000) {
    points.push_back(Counter(at, 1'000 + at * 300));
    points.push_back(Counter(at + 7'000, 1'000 + at / kMinute * kMinute * 300));
  }
  const UsageBatch rows = FoldAll(points);
  EXPECT_EQ(rows.energy_mj[0], 30 * kMinuteAt300W);
  EXPECT_EQ(rows.power_ms[0], 30 * kMinute + 7'000) << "to the last sample of the two";
  EXPECT_EQ(rows.quality[0], "") << "an older reading is no reset";
}

TEST(UsageFoldTest, OfPowerAndTheCounterTheOneThatCoversMoreGivesTheEnergy) {
  const Point power{.signal = UsageSignal::kPower, .at = 0, .value = 100'000};
  const UsageBatch gauge = FoldAll({power, Counter(0, 0), Counter(kMinute, kMinuteAt300W)});
  EXPECT_EQ(gauge.energy_mj[0], 100'000 * 300);
  EXPECT_EQ(gauge.power_ms[0], 5 * kMinute);
  const UsageBatch counter = FoldAll(
      {power, Counter(0, 0), Counter(5 * kMinute, 31'000'000), Counter(6 * kMinute, 31'000'000)});
  EXPECT_EQ(counter.energy_mj[0], 31'000'000);
  EXPECT_EQ(counter.power_ms[0], 6 * kMinute);
}

// ---- marks -------------------------------------------------------------------------------

TEST(UsageFoldTest, MarksAreOfTheirHourAndThoseOfAbsenceMakeARow) {
  DeviceTable devices;
  UsageFolder folder(devices, {kDay, kDay + Hours(3)}, Minutes(5));
  const std::int32_t device = devices.Intern("GPU-a", "");
  const std::int32_t labels = devices.InternLabels({"node-a", "", "H100", 0});
  const auto at = [](Duration after) { return (kDay + after).base(); };
  folder.Mark(UsageMark::kSentinel, device, labels, at(Minutes(10)));
  folder.Mark(UsageMark::kNotANumber, device, labels, at(Minutes(20)));
  folder.Mark(UsageMark::kSharedCopies, device, -1, at(Minutes(30)));
  folder.Mark(UsageMark::kDuplicateExporter, device, -1, at(Hours(2)));
  folder.Mark(UsageMark::kPartitionSilent, device, labels, at(Hours(3)));
  UsageBatch rows;
  folder.Fold("c", rows);
  ASSERT_EQ(RowsOf(rows), 1u) << "two exporters that say nothing are no row, nor is 3:00";
  EXPECT_EQ(rows.quality[0], "nan,sentinel,time-slicing-copies");
  EXPECT_EQ(rows.node[0], "node-a");
  EXPECT_EQ(rows.signal[0], "");
  EXPECT_EQ(Sum(rows.covered[0]), 0);
}

TEST(UsageFoldTest, ABusyFractionOfGpuUtilIsCoarse) {
  const UsageBatch rows = FoldAll({{.signal = UsageSignal::kGpuUtil, .at = 0, .value = 1'700'000},
                                   {.signal = UsageSignal::kGpuUtil, .at = kHour, .value = 1},
                                   {.signal = UsageSignal::kGpuUtil, .at = 2 * kHour, .value = 1},
                                   {.at = 2 * kHour, .value = 1}});
  EXPECT_EQ(rows.quality, (std::vector<Symbol>{"clamped,coarse", "coarse", ""}));
}

TEST(UsageFoldTest, LabelsAreThoseOfTheHoursLastSample) {
  const UsageBatch rows = FoldAll({
      {.at = 0, .value = 1, .labels = {"node-a", "", "H100", 0}},
      {.at = kHour, .value = 1, .labels = {"node-b", "", "H100", 3}},
      {.at = kHour, .value = 1, .labels = {"", "", "", -1}},
      {.at = kHour + 58 * kMinute, .value = 1, .labels = {"node-c", "", "H100", 3}},
  });
  ASSERT_EQ(RowsOf(rows), 3u);
  EXPECT_EQ(rows.node, (std::vector<Symbol>{"node-a", "node-c", "node-c"}));
}

TEST(UsageFoldTest, OrderAndRepetitionNeverChangeARow) {
  std::mt19937_64 random(301);
  std::vector<Point> points;
  for (int i = 0; i < 3'000; ++i) {
    Point p;
    p.uuid = "GPU-" + std::to_string(random() % 3);
    p.instance = random() % 3 == 0 ? std::to_string(random() % 2) : "";
    p.signal = static_cast<UsageSignal>(random() % kUsageSignals);
    p.at = static_cast<std::int64_t>(random() % 90'000) * 1'000 - 600'000;
    p.value = static_cast<std::int64_t>(random() % 1'100'000);
    p.labels.node = "node-" + std::to_string(random() % 3);
    points.push_back(p);
  }
  const UsageBatch once = FoldAll(points);
  std::vector<Point> twice = points;
  twice.insert(twice.end(), points.begin(), points.end());
  for (int round = 0; round < 5; ++round) {
    std::shuffle(twice.begin(), twice.end(), random);
    ASSERT_TRUE(SameRows(once, FoldAll(twice))) << "round " << round;
  }
}

TEST(UsageFoldTest, FoldingByBlocksGivesTheRowsOfTheWholeDay) {
  std::mt19937_64 random(302);
  std::vector<Point> points;
  for (std::int64_t at = 0; at < 24 * kHour; at += 30'000) {
    if (random() % 10 == 0) at += static_cast<std::int64_t>(random() % 900'000);
    points.push_back({.at = at, .value = static_cast<std::int64_t>(random() % 1'000'001)});
    points.push_back({.signal = UsageSignal::kPower, .at = at, .value = 250'000});
    points.push_back(
        {.uuid = "GPU-b", .signal = UsageSignal::kEnergy, .at = at, .value = at * 301});
  }
  UsageBatch by_blocks;
  for (int block = 0; block < 12; ++block) {
    const Window window{kDay + Hours(2 * block), kDay + Hours(2 * block + 2)};
    const UsageBatch part = FoldAll(points, window);
    for (std::size_t row = 0; row < RowsOf(part); ++row) AppendRow(by_blocks, part, row);
  }
  // Blocks are folded one after another, each in the order of devices.
  UsageBatch whole = FoldAll(points);
  EXPECT_EQ(RowsOf(whole), 48u);
  UsageBatch in_order;
  for (const char* uuid : {"GPU-a", "GPU-b"}) {
    for (std::size_t row = 0; row < RowsOf(by_blocks); ++row) {
      if (by_blocks.device[row] == uuid) AppendRow(in_order, by_blocks, row);
    }
  }
  EXPECT_TRUE(SameRows(in_order, whole));
}

TEST(UsageFoldTest, CoverageIsWhatASecondBySecondReplaySays) {
  std::mt19937_64 random(303);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::int64_t> value_at(2 * 3'600, -1);
    std::vector<Point> points;
    for (int i = 0; i < 60; ++i) {
      const std::size_t second = random() % value_at.size();
      const auto value = static_cast<std::int64_t>(random() % 1'000'001);
      value_at[second] = std::max(value_at[second], value);
      points.push_back({.at = static_cast<std::int64_t>(second) * 1'000, .value = value});
    }
    Twelfths covered[2] = {};
    Twelfths active[2] = {};
    std::int64_t last = -1'000'000;
    for (std::size_t second = 0; second < value_at.size(); ++second) {
      if (value_at[second] >= 0) last = static_cast<std::int64_t>(second);
      if (static_cast<std::int64_t>(second) - last >= 300) continue;
      covered[second / 3'600][second % 3'600 / 300] += 1'000;
      active[second / 3'600][second % 3'600 / 300] +=
          1'000 * value_at[static_cast<std::size_t>(last)];
    }
    const UsageBatch rows = FoldAll(points, {kDay, kDay + Hours(2)});
    for (std::size_t row = 0; row < RowsOf(rows); ++row) {
      const bool second_hour = rows.hour[row] != kDay;
      EXPECT_EQ(rows.covered[row], covered[second_hour]) << "round " << round;
      EXPECT_EQ(rows.active[row], active[second_hour]) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace plimsoll
