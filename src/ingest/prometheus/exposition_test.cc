#include "ingest/prometheus/exposition.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "ingest/prometheus/recording_sink.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

RecordingSink Parse(std::string_view text, ExpositionFormat format = {}) {
  RecordingSink sink;
  ExpositionParser parser(format, sink);
  EXPECT_TRUE(parser.Feed(text).has_value());
  EXPECT_TRUE(parser.Finish().has_value());
  return sink;
}

TEST(ExpositionTest, ReadsNamesLabelsValuesAndTimes) {
  const RecordingSink sink = Parse(
      "# HELP a Something\n# TYPE a gauge\n# any comment\n\n"
      "a 1 1768212000000\n"
      "a{} 2 1768212000000\n"
      "a { x = \"1\" , y=\"2\", } 3 1768212000000\n"
      "a{x=\"}\\\"\\\\\\n{\"}\t+Inf\t1768212000000\r\n"
      "b{x=\"ü\"} NaN 1768212000000");
  EXPECT_EQ(sink.samples,
            (Texts{"a @1768212000000 1", "a @1768212000000 2", "a x=1 y=2 @1768212000000 3",
                   "a x=}\"\\\n{ @1768212000000 +Inf", "b x=ü @1768212000000 NaN"}));
  EXPECT_EQ(sink.bad, Texts{});
}

TEST(ExpositionTest, OpenMetricsTimesAreSecondsAndExemplarsCarryNoSample) {
  const RecordingSink sink = Parse(
      "# TYPE a counter\n# UNIT a seconds\n"
      "a_total{x=\"1\"} 17.0 1520879607.789 # {trace_id=\"K\"} 9.8 1520879607.700\n"
      "a_total{x=\"1\"} 18.0 1520879608\n# EOF\n",
      {.open_metrics = true, .at = {}});
  EXPECT_EQ(sink.samples,
            (Texts{"a_total x=1 @1520879607789 17.0", "a_total x=1 @1520879608000 18.0"}));
}

TEST(ExpositionTest, SamplesWithoutTimeTakeTheGivenOneOrAreAnError) {
  EXPECT_EQ(Parse("a 1\n", {.open_metrics = false, .at = AtMillis(7)}).samples, Texts{"a @7 1"});
  RecordingSink sink;
  ExpositionParser parser({}, sink);
  const Status fed = parser.Feed("\na 1\n");
  ASSERT_FALSE(fed.has_value());
  EXPECT_EQ(fed.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(fed.error().message.find("line 2"), std::string::npos);
  EXPECT_NE(fed.error().message.find("--at"), std::string::npos);
}

TEST(ExpositionTest, ABadLineIsReportedAndTheNextOneIsRead) {
  const RecordingSink sink = Parse(
      "a{x=\"1} 1 2\n9a 1 2\na{x=\"1\",x=\"2\"} 1 2\na{x} 1 2\na x 2\na 1 later\na 1 2 3\n"
      "a{x=\"1\" y=\"2\"} 1 2\n{x=\"1\"} 1 2\na 1 1768212000\na 1 1768212000.5\ngood 1 2\n");
  EXPECT_EQ(sink.samples, Texts{"good @2 1"});
  ASSERT_EQ(sink.bad.size(), 11u);
  for (std::size_t i = 0; i < sink.bad.size(); ++i) {
    EXPECT_TRUE(sink.bad[i].starts_with(std::to_string(i + 1) + ": ")) << sink.bad[i];
  }
  EXPECT_NE(sink.bad[9].find("# EOF"), std::string::npos);
}

TEST(ExpositionTest, ANameThatStartsLikeTheLastOneIsAnotherSeries) {
  const RecordingSink sink = Parse("a 1 2\nab 1 2\na{x=\"1\"} 1 2\na 2 3\na {x=\"1\"} 1 2\n");
  EXPECT_EQ(sink.samples, (Texts{"a @2 1", "ab @2 1", "a x=1 @2 1", "a @3 2", "a x=1 @2 1"}));
}

TEST(ExpositionTest, ALabelSetIsParsedOnceHoweverOftenItIsWritten) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "a{x=\"1\"} 1 2\nb{x=\"1\"} 1 2\n";
  const RecordingSink sink = Parse(text);
  EXPECT_EQ(sink.opened.size(), 2u);
  EXPECT_EQ(sink.samples.size(), 200u);
}

TEST(ExpositionTest, QuotedNamesAreRead) {
  EXPECT_EQ(Parse("{\"a.b\",\"c d\"=\"1\"} 1 2\n").samples, Texts{"a.b c d=1 @2 1"});
}

TEST(ExpositionTest, CutsOfTheInputDoNotMatter) {
  const std::string text = "\xEF\xBB\xBF# x\na{x=\"1\"} 1 2\nbad\nb 3 4\r\nb 5 6";
  const RecordingSink whole = Parse(text);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    RecordingSink sink;
    ExpositionParser parser({}, sink);
    ASSERT_TRUE(parser.Feed(text.substr(0, cut)).has_value());
    ASSERT_TRUE(parser.Feed(text.substr(cut)).has_value());
    ASSERT_TRUE(parser.Finish().has_value());
    EXPECT_EQ(sink.samples, whole.samples) << cut;
    EXPECT_EQ(sink.bad, whole.bad) << cut;
  }
  EXPECT_EQ(whole.samples.size(), 3u);
}

TEST(ExpositionTest, AnEndlessLineIsRefused) {
  RecordingSink sink;
  ExpositionParser parser({}, sink);
  const std::string half(kLineBytesMax / 2 + 1, 'a');
  ASSERT_TRUE(parser.Feed(half).has_value());
  const Status fed = parser.Feed(half);
  ASSERT_FALSE(fed.has_value());
  EXPECT_EQ(fed.error().code, ErrorCode::kBadData);
}

TEST(ExpositionTest, TheLastLineTellsOpenMetrics) {
  EXPECT_TRUE(EndsLikeOpenMetrics("a 1 2\n# EOF\n"));
  EXPECT_TRUE(EndsLikeOpenMetrics("# EOF"));
  EXPECT_FALSE(EndsLikeOpenMetrics("a 1 2\n# EOF\na 1 3\n"));
  EXPECT_FALSE(EndsLikeOpenMetrics("a 1 2 # EOF\n"));
}

}  // namespace
}  // namespace plimsoll
