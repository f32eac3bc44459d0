#include "ingest/requests/bench_arrays.h"

#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

using BenchArraysTest = RequestFilesTest;

TEST_F(BenchArraysTest, VllmsArraysAreRequestsAndZerosOfFailuresAreNoTimes) {
  const RequestRows rows = ReadText(
      R"({"model_id": "llama", "duration": 10.5, "request_rate": "inf", "request_goodput": null,)"
      R"( "input_lens": [10, 20, 30], "output_lens": [3, 0, 5], "ttfts": [0.25, 0.0, 0.5],)"
      R"( "itls": [[0.1, 0.15], [], [0.1]], "start_times": [100.5, 101, 102],)"
      R"( "latencies": [0.5, 0.0, 0.75], "errors": ["", "Timed out after 10 s", ""]})");
  ASSERT_EQ(rows.rest_ns.size(), 3U);
  const RequestBatch& batch = rows.batch;
  EXPECT_EQ(batch.model[0], "llama");
  EXPECT_EQ(batch.arrival[0], AtMillis(100'500));
  EXPECT_EQ(batch.ttft_ns[0], 250'000'000);
  EXPECT_EQ(batch.e2e_ns[0], 500'000'000);
  EXPECT_EQ(batch.status[1], "timeout");
  EXPECT_EQ(batch.ttft_ns[1], std::nullopt);
  EXPECT_EQ(batch.e2e_ns[1], std::nullopt);
  EXPECT_EQ(batch.input_tokens[1], 20);
  EXPECT_EQ(reading.untimed_ns, 0);
}

// SGLang appends runs to one file, writes Infinity, and tells no start times.
TEST_F(BenchArraysTest, SglangsRunsAddUpAndTellTheirLength) {
  const std::string run =
      R"({"backend": "sglang", "request_rate": Infinity, "duration": 2.5, "input_lens": [10, 20],)"
      R"( "output_lens": [3, 0], "ttfts": [0.25, 0.0], "itls": [[0.125, 0.125], []],)"
      R"( "errors": [null, ""]})"
      "\n";
  const RequestRows rows = ReadText(run + run);
  ASSERT_EQ(rows.rest_ns.size(), 4U);
  EXPECT_EQ(rows.batch.e2e_ns[0], 500'000'000);  // the first token and all gaps
  EXPECT_EQ(rows.batch.status[0], "ok");
  EXPECT_EQ(rows.batch.status[1], "error");  // neither a token nor an error came
  EXPECT_EQ(reading.untimed_ns, 5'000'000'000);
}

// T8: lists of unequal length must not be paired.
TEST_F(BenchArraysTest, ArraysOfUnequalLengthRefuseTheRun) {
  const RequestRows rows =
      ReadText(R"({"input_lens": [10, 20], "output_lens": [3, 4], "ttfts": [0.25], "duration": 1})"
               "\n"
               R"({"input_lens": null, "output_lens": [3, 4], "ttfts": [0.25], "duration": 1})"
               "\n");
  EXPECT_TRUE(rows.rest_ns.empty());
  ASSERT_EQ(reading.rejected, 2);
  EXPECT_EQ(reading.rejections[0].field, "ttfts");
  EXPECT_EQ(reading.rejections[1].field, "input_lens");
}

TEST_F(BenchArraysTest, AiPerfTellsUnitsAndWarmUpIsLeftOut) {
  const std::string front = R"({"metadata":{"x_request_id":")";
  const std::string phase = R"(","request_start_ns":1759813207532900363,)"
                            R"("request_end_ns":1759813207838764604,"benchmark_phase":")";
  const RequestRows rows = ReadText(
      front + "a" + phase +
      R"(profiling","was_cancelled":false},)"
      R"("metrics":{"input_sequence_length":{"value":550,"unit":"tokens"},)"
      R"("time_to_first_token":{"value":255.88656799999998,"unit":"ms"},)"
      R"("request_latency":{"value":297.52522799999997,"unit":"ms"},)"
      R"("output_token_count":{"value":2,"unit":"tokens"},)"
      R"("output_sequence_length":{"value":9,"unit":"tokens"}},"error":null})"
      "\n" +
      front + "b" + phase +
      R"(profiling","was_cancelled":true},"metrics":{"error_isl":{"value":550,"unit":"tokens"}},)"
      R"("error":{"code":499,"type":"RequestCancellationError","message":"cancelled"}})"
      "\n" +
      front + "c" + phase +
      R"(warmup","was_cancelled":false},"metrics":{},"error":null})"
      "\n");
  ASSERT_EQ(rows.rest_ns.size(), 2U);
  EXPECT_EQ(rows.batch.ttft_ns[0], 255'886'568);
  EXPECT_EQ(rows.batch.e2e_ns[0], 297'525'228);
  EXPECT_EQ(rows.batch.output_tokens[0], 9);
  EXPECT_EQ(rows.rest_ns[0], 900'363);
  EXPECT_EQ(rows.batch.status[1], "cancelled");
  EXPECT_EQ(rows.batch.input_tokens[1], 550);
  EXPECT_EQ(reading.ignored.at("requests of a warm-up"), 1);
}

TEST_F(BenchArraysTest, GenAiPerfCountsResponsesNotTokens) {
  const RequestRows rows = ReadText(
      R"({"service_kind":"triton","experiments":[{"experiment":{"mode":"concurrency","value":10},)"
      R"("requests":[{"timestamp":1,"response_timestamps":[3,5,8]},)"
      R"({"timestamp":2,"response_timestamps":[]}]},{"requests":[{"timestamp":5,)"
      R"("response_timestamps":[7]}]}]})");
  ASSERT_EQ(rows.rest_ns.size(), 3U);
  EXPECT_EQ(rows.batch.ttft_ns[0], 2);
  EXPECT_EQ(rows.batch.e2e_ns[0], 7);
  EXPECT_EQ(rows.batch.output_tokens[0], std::nullopt);
  EXPECT_EQ(rows.batch.status[1], "error");
  EXPECT_EQ(rows.batch.e2e_ns[2], 2);
}

}  // namespace
}  // namespace plimsoll
