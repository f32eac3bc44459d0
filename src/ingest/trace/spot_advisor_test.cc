#include <gtest/gtest.h>

#include "ingest/trace/test_trace.h"

namespace plimsoll {
namespace {

TEST(SpotAdvisorTest, JsonKeepsRegionSystemTypeAndASavingBelowZero) {
  const SpotHistory history = ReadTrace("spot-advisor-data.json", R"({
      "ranges": [{"index": 0, "label": "<5%", "max": 5}, {"index": 4, "label": ">20%"}],
      "spot_advisor": {"ca-central-1": {"Linux": {"p5.48xlarge": {"s": -62, "r": 0}}},
                       "us-east-1": {"Linux": {"p5.48xlarge": {"s": 52, "r": 4}}}}})");
  EXPECT_EQ(history.format, "advisor-json");
  ASSERT_EQ(history.advice.size(), 2U);
  EXPECT_EQ(history.advice[0].pool, (SpotPool{"aws", "ca-central-1", "p5.48xlarge"}));
  EXPECT_EQ(history.advice[0].saving_pct, -62);
  EXPECT_EQ(history.advice[0].share, "<5%");
  EXPECT_EQ(history.advice[1].share, ">20%");
  EXPECT_EQ(history.advice[1].os, "Linux");
}

TEST(SpotAdvisorTest, WrongJsonNamesTheRow) {
  EXPECT_TRUE(Says(TraceErrorOf("a.json", R"({"spot_advisor": {"r": {"L": {"t": {"s": 1}}}}})"),
                   "a.json: r.L.t"));
  EXPECT_TRUE(Says(TraceErrorOf("a.json", R"({"spot_advisor": []})"), "\"spot_advisor\""));
  EXPECT_TRUE(
      Says(TraceErrorOf("a.json", R"({"spot_advisor": {"r": {"L": {"t": {"s": 1, "r": 9}}}}})"),
           "r.L.t"));
}

TEST(SpotAdvisorTest, CsvRowsCarryTheirDate) {
  const std::string head =
      "snapshot_commit_date,region,instance_type,savings_pct_vs_od,interruption_bucket,"
      "bucket_label_monthly\n";
  const SpotHistory history =
      ReadTrace("advisor.csv", head + "2025-06-28,ca-central-1,p5.48xlarge,-62,0,<5%\n");
  EXPECT_EQ(history.advice.at(0).as_of, "2025-06-28");
  EXPECT_EQ(history.advice[0].saving_pct, -62);
  EXPECT_TRUE(Says(TraceErrorOf("a.csv", head + "2025,r,t,much,0,<5%\n"), "line 2, field 4"));
  EXPECT_TRUE(Says(TraceErrorOf("a.csv", head + "2025,r,t,1,7,<5%\n"), "line 2, field 5"));
  EXPECT_TRUE(Says(TraceErrorOf("a.csv", "region,instance_type\n"), "interruption_bucket"));
}

}  // namespace
}  // namespace plimsoll
