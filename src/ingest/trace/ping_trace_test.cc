#include <gtest/gtest.h>

#include "ingest/trace/test_trace.h"

namespace plimsoll {
namespace {

TEST(PingTraceTest, SkyPilotJsonIsReadWithItsPrices) {
  const SpotHistory history = ReadTrace("preemption/us-east-1f_v100_1.json",
                                        R"({"metadata": {"gap_seconds": 195}, "data": [1, 0, 4],
                    "prices": [0.918, NaN, null]})");
  ASSERT_EQ(history.traces.size(), 1U);
  const AvailabilityTrace& trace = history.traces[0];
  EXPECT_EQ(history.format, "skypilot");
  EXPECT_EQ(trace.gap, Seconds(195));
  EXPECT_EQ(trace.instances, (std::vector<std::int32_t>{1, 0, 4}));
  EXPECT_EQ(trace.prices[0], *Money::Parse("0.918"));
  EXPECT_EQ(trace.prices[1], std::nullopt);
  EXPECT_EQ(trace.prices[2], std::nullopt);
  EXPECT_EQ(trace.observed, SpotObservation::kHeld);
  EXPECT_EQ(trace.pool, (SpotPool{"aws", "us-east-1f", "v100x1"}));
}

TEST(PingTraceTest, FoldersOfThePublishedSetSayWhatWasObserved) {
  const std::string text = R"({"metadata": {"gap_seconds": 600}, "data": [1]})";
  EXPECT_EQ(ReadTrace("availability/a.json", text).traces[0].observed, SpotObservation::kPings);
  EXPECT_EQ(ReadTrace("preemption/a.json", text).traces[0].observed, SpotObservation::kHeld);
  EXPECT_EQ(ReadTrace("a.json", text).traces[0].observed, SpotObservation::kPings);
  const auto told = ReadSpotHistory({"a.json", text, std::nullopt, SpotObservation::kHeld});
  EXPECT_EQ(told->traces[0].observed, SpotObservation::kHeld);
}

TEST(PingTraceTest, WrongJsonNamesTheElement) {
  const auto error = [](const std::string& text) { return TraceErrorOf("t.json", text); };
  EXPECT_TRUE(Says(error("{"), "t.json: this is no JSON object"));
  EXPECT_TRUE(Says(error(R"({"data": [1]})"), "gap_seconds"));
  EXPECT_TRUE(Says(error(R"({"metadata": {"gap_seconds": 0}, "data": [1]})"), "gap_seconds"));
  EXPECT_TRUE(Says(error(R"({"metadata": {"gap_seconds": 9}, "data": [1, -1]})"), "data[1]"));
  EXPECT_TRUE(Says(error(R"({"metadata": {"gap_seconds": 9}, "data": []})"), "no list of ticks"));
  EXPECT_TRUE(
      Says(error(R"({"metadata": {"gap_seconds": 9}, "data": [1], "prices": []})"), "as long as"));
  EXPECT_TRUE(Says(error(R"({"metadata": {"gap_seconds": 9}, "data": [1], "prices": ["x"]})"),
                   "prices[0]"));
}

TEST(PingTraceTest, RawPingsSayOneForPreempted) {
  const SpotHistory history = ReadTrace("us-west-2a_k80_1.txt",
                                        "0,2022-10-26T22:05:04.000Z,0\n"
                                        "1,2022-10-26T22:15:04.000Z,1\n"
                                        "2,2022-10-26T22:25:04.000Z,1\n"
                                        "3,2022-10-26T22:55:05.000Z,0\n");
  const AvailabilityTrace& trace = history.traces.at(0);
  EXPECT_EQ(trace.instances, (std::vector<std::int32_t>{1, 0, 0, 1}));
  EXPECT_EQ(trace.gap, Minutes(10));
  EXPECT_EQ(trace.begin, *ParseInstant("2022-10-26T22:05:04Z"));
  ASSERT_EQ(history.notes.size(), 2U);
  EXPECT_TRUE(Says(history.notes[0], "1 pauses"));
  EXPECT_TRUE(Says(history.notes[1], "1 = preempted"));
}

TEST(PingTraceTest, WrongPingsNameTheLine) {
  EXPECT_TRUE(Says(TraceErrorOf("p.txt", "0,2022-10-26T22:05:04Z,0\n1,2022-10-26T22:05:04Z,0\n"),
                   "p.txt, line 2, field 2"));
  EXPECT_TRUE(Says(TraceErrorOf("p.txt", "0,2022-10-26T22:05:04Z,2\n"), "line 1, field 3"));
  EXPECT_TRUE(Says(TraceErrorOf("p.txt", "0,2022-10-26T22:05:04Z,0\n"), "fewer than two"));
}

TEST(PingTraceTest, OwnTableTakesInstantsOrSecondsAndUnknownPrices) {
  const SpotHistory instants = ReadTrace("zone.csv",
                                         "time,available,price\n"
                                         "2026-11-01T00:00:00Z,1,0.90\n"
                                         "2026-11-01T00:10:00Z,0,\n"
                                         "2026-11-01T00:20:00Z,2,NaN\n");
  EXPECT_EQ(instants.traces.at(0).gap, Minutes(10));
  EXPECT_EQ(instants.traces[0].begin, *ParseInstant("2026-11-01T00:00:00Z"));
  EXPECT_EQ(instants.traces[0].prices[0], *Money::Parse("0.9"));
  EXPECT_EQ(instants.traces[0].prices[1], std::nullopt);
  const SpotHistory seconds = ReadTrace("zone.csv", "available,time\n1,0\n1,300\n0,600\n");
  EXPECT_EQ(seconds.traces.at(0).gap, Minutes(5));
  EXPECT_EQ(seconds.traces[0].begin, std::nullopt);
  EXPECT_TRUE(seconds.traces[0].prices.empty());
}

TEST(PingTraceTest, WrongTablesNameTheField) {
  const std::string head = "time,available,price\n";
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\nlater,1,1\n"), "line 3, field 1"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\n0,1,1\n"), "sort it by time"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\n9,no,1\n"), "line 3, field 2"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\n9,1,dear\n"), "line 3, field 3"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head), "fewer than two rows"));
  // A decimal comma makes one field more.
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\n9,1,0,9\n"), "line 3, field 4"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", head + "0,1,1\n9,1,1000001\n"), "line 3, field 3"));
  EXPECT_TRUE(Says(TraceErrorOf("z.csv", "time,up\n0,1\n600,0\n", TraceFormat::kTable),
                   "columns time and available"));
}

}  // namespace
}  // namespace plimsoll
