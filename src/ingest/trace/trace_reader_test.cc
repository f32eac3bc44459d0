#include "ingest/trace/trace_reader.h"

#include <gtest/gtest.h>

#include "ingest/trace/test_trace.h"

namespace plimsoll {
namespace {

TEST(TraceReaderTest, ContentTellsTheFormat) {
  const std::pair<const char*, const char*> files[] = {
      {R"( {"metadata": {"gap_seconds": 600}, "data": [1]})", "skypilot"},
      {"0,2022-10-26T22:05:04Z,0\n1,2022-10-26T22:15:04Z,1\n", "pings"},
      {"0,add,n\n60000,remove,n\n", "events"},
      {"0,1\n60000,2\n", "steps-ms"},
      {"0.0,1\n0.25,2\n", "steps-hours"},
      {"2021-12-11, 11:11:30, 55\n2021-12-11, 11:13:10, 54\n", "readings"},
      {"# ours\ntime,available\n0,1\n60,1\n", "table"},
      {"zone,start,end,preempted\nz,2026-11-01,2026-11-02,1\n", "lifetimes"},
      {R"({"spot_advisor": {"r": {"Linux": {"p5": {"s": 1, "r": 0}}}}})", "advisor-json"},
      {"region,instance_type,savings_pct_vs_od,interruption_bucket\nr,t,1,0\n", "advisor-csv"},
  };
  for (const auto& [text, format] : files) EXPECT_EQ(ReadTrace("f", text).format, format) << text;
}

TEST(TraceReaderTest, WhatIsNoTraceSaysWhatItLooksLike) {
  EXPECT_TRUE(Says(TraceErrorOf("f.txt", "hello\n"), "f.txt is in no known format"));
  EXPECT_TRUE(Says(TraceErrorOf("f.txt", "hello\n"), "'hello'"));
  EXPECT_TRUE(Says(TraceErrorOf("f.txt", " \n"), "is empty"));
  EXPECT_TRUE(Says(TraceErrorOf("f.txt", "# nothing\n"), "is empty"));
}

TEST(TraceReaderTest, FormatsAreReadByName) {
  for (const std::string& name : TraceFormatNames()) EXPECT_TRUE(ParseTraceFormat(name)) << name;
  const Result<TraceFormat> wrong = ParseTraceFormat("parquet");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(Says(wrong.error().message, "steps-hours"));
}

}  // namespace
}  // namespace plimsoll
