#include <gtest/gtest.h>

#include <numeric>

#include "ingest/trace/test_trace.h"

namespace plimsoll {
namespace {

TEST(InstanceSetTest, EventsGiveLifetimesAndCounts) {
  const SpotHistory history = ReadTrace("g4dn-trace.csv",
                                        "60000,add,a\n60000,add,b\n180000,remove,a\n"
                                        "240000,add,a\n300000,remove,b\n");
  const AvailabilityTrace& trace = history.traces.at(0);
  EXPECT_EQ(trace.gap, Minutes(1));
  EXPECT_EQ(trace.instances, (std::vector<std::int32_t>{2, 2, 1, 2}));
  EXPECT_EQ(trace.observed, SpotObservation::kHeld);
  const InstanceLifetimes& lives = history.lifetimes.at(0);
  EXPECT_EQ(lives.lifetime, (std::vector<Duration>{Minutes(2), Minutes(4), Minutes(1)}));
  EXPECT_EQ(lives.preempted, (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST(InstanceSetTest, EventsThatContradictThemselvesAreRefused) {
  EXPECT_TRUE(Says(TraceErrorOf("e.csv", "0,add,a\n1,add,a\n"), "line 2, field 3: 'a' is added"));
  EXPECT_TRUE(Says(TraceErrorOf("e.csv", "0,add,a\n1,remove,b\n"), "no earlier line adds it"));
  EXPECT_TRUE(Says(TraceErrorOf("e.csv", "5,add,a\n1,remove,a\n"), "line 2, field 1"));
  EXPECT_TRUE(Says(TraceErrorOf("e.csv", "0,add,a\n1,leave,a\n"), "not add or remove"));
  EXPECT_TRUE(Says(TraceErrorOf("e.csv", "0,add,a\n"), "one moment only"));
}

TEST(InstanceSetTest, StepsHoldUntilTheNextLine) {
  const SpotHistory history = ReadTrace("p3.csv", "0,1\n0,2\n120000,1\n180000,3\n");
  EXPECT_EQ(history.format, "steps-ms");
  EXPECT_EQ(history.traces.at(0).gap, Minutes(1));
  EXPECT_EQ(history.traces[0].instances, (std::vector<std::int32_t>{2, 2, 1}));
  EXPECT_TRUE(history.lifetimes.empty());
}

TEST(InstanceSetTest, StepsInHoursAreToldByTheirFraction) {
  const SpotHistory history = ReadTrace("aws.csv", "0.000,0\n0.500,4\n1.000,2\n");
  EXPECT_EQ(history.format, "steps-hours");
  EXPECT_EQ(history.traces.at(0).gap, Minutes(30));
}

TEST(InstanceSetTest, StepsWhoseUnitIsOpenAskForIt) {
  const std::string text = "0,0\n21529,4\n21556,12\n";
  EXPECT_TRUE(Says(TraceErrorOf("aws.csv", text), "--trace-format steps-s or steps-ms"));
  EXPECT_EQ(ReadTrace("aws.csv", text, TraceFormat::kStepsS).traces.at(0).gap, Seconds(1));
  EXPECT_EQ(ReadTrace("aws.csv", text, TraceFormat::kStepsMs).traces.at(0).gap, Millis(1));
}

TEST(InstanceSetTest, TooManyTicksAreAMistakenUnit) {
  EXPECT_TRUE(Says(TraceErrorOf("a.csv", "0,1\n1,2\n99999999000,1\n", TraceFormat::kStepsMs),
                   "check its unit"));
}

TEST(InstanceSetTest, ALaterReadingOfAnEarlierTimeTakesBackWhatFollowed) {
  std::string text =
      "2021-12-10, 13:07:00, 80\n2021-12-10, 13:08:00, 80\n2021-12-10, 13:09:00, 80\n"
      "2021-12-10, 13:08:00, 70\n";
  for (int minute = 9; minute < 40; ++minute) {
    text += "2021-12-10, 13:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) +
            ":00, 70\n";
  }
  const SpotHistory history = ReadTrace("v100.txt", text);
  EXPECT_EQ(history.traces.at(0).instances.front(), 80);
  EXPECT_EQ(history.traces[0].instances[1], 70);
  EXPECT_EQ(history.traces[0].begin, *ParseInstant("2021-12-10T13:07:00Z"));
  EXPECT_TRUE(Says(history.notes.at(0), "2 lines are taken back"));
}

TEST(InstanceSetTest, ReadingsWithoutOrderAreRefused) {
  EXPECT_TRUE(Says(TraceErrorOf("v.txt",
                                "2021-12-10, 13:07:45, 3\n2021-12-10, 13:06:45, 2\n"
                                "2021-12-10, 13:05:45, 1\n"),
                   "2 of 3 lines out of order"));
  EXPECT_TRUE(Says(TraceErrorOf("v.txt", "2021-12-10, 25:07:45, 3\n"), "field 2"));
}

}  // namespace
}  // namespace plimsoll
