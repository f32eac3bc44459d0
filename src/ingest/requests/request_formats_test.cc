#include "ingest/requests/request_formats.h"

#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

using RequestFormatsTest = RequestFilesTest;

// Two clocks: the arrival is queued_ts, on the clock of the other times.
TEST_F(RequestFormatsTest, EngineTimesUseTheMonotonicClock) {
  const RequestRows rows =
      ReadText(R"({"request_id": "bench-0", "input_toks": 2358, "output_toks": 531, )"
               R"("arrival_time": 1787267980.0827403, "queued_ts": 27536.660701067, )"
               R"("scheduled_ts": 27536.660721646, "first_token_ts": 27537.350135653, )"
               R"("last_token_ts": 27554.231018618})"
               "\n");
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.arrival[0], AtMillis(27'536'660));
  EXPECT_EQ(rows.rest_ns[0], 701'067);
  EXPECT_EQ(rows.batch.ttft_ns[0], 689'434'586);
  EXPECT_EQ(rows.batch.e2e_ns[0], 17'570'317'551);
  EXPECT_EQ(rows.batch.input_tokens[0], 2'358);
}

// T23: the cached tokens are among the prompt's.
TEST_F(RequestFormatsTest, LiteLlmSpendLogsCountCachedTokensWithinThePrompt) {
  const RequestRows rows = ReadText(
      R"([{"request_id":"r1","call_type":"acompletion","model":"openai/llama",)"
      R"("model_group":"llama",)"
      R"("team_id":"nlp","prompt_tokens":262960,"completion_tokens":1744,"total_tokens":264704,)"
      R"("startTime":"2026-04-16T12:00:00.000250+00:00","endTime":"2026-04-16T12:00:09.5+00:00",)"
      R"("completionStartTime":"2026-04-16T12:00:01.000250+00:00","status":"success",)"
      R"("cache_hit":"",)"
      R"("metadata":{"usage_object":{"prompt_tokens_details":{"cached_tokens":257955},)"
      R"("completion_tokens_details":{"reasoning_tokens":1500}}}},)"
      R"({"request_id":"r2","model":"llama","prompt_tokens":9,"completion_tokens":9,)"
      R"("startTime":"2026-04-16T12:00:00Z","endTime":"2026-04-16T12:00:00Z","cache_hit":"True"},)"
      R"({"request_id":"r3","model":"llama","prompt_tokens":0,"completion_tokens":0,)"
      R"("startTime":"2026-04-16T12:00:00Z","endTime":"2026-04-16T12:00:09Z",)"
      R"("status":"failure"}])");
  ASSERT_EQ(rows.rest_ns.size(), 2U);
  const RequestBatch& batch = rows.batch;
  EXPECT_EQ(batch.model[0], "llama");
  EXPECT_EQ(batch.tenant[0], "nlp");
  EXPECT_EQ(batch.input_tokens[0], 262'960);
  EXPECT_EQ(batch.cached_tokens[0], 257'955);
  EXPECT_EQ(batch.output_tokens[0], 1'744);
  EXPECT_EQ(batch.reasoning_tokens[0], 1'500);
  EXPECT_EQ(batch.ttft_ns[0], 1'000'000'000);
  EXPECT_EQ(batch.e2e_ns[0], 9'499'750'000);
  EXPECT_EQ(batch.status[1], "error");
  EXPECT_EQ(reading.ignored.size(), 1U);  // the proxy's own cache answered
}

TEST_F(RequestFormatsTest, LiteLlmPayloadsHaveEpochSecondsAndCsvHasJsonInMetadata) {
  const RequestRows payload =
      ReadText(R"({"id":"x","model":"llama","startTime":1776340800.25,"endTime":1776340801.5,)"
               R"("completionStartTime":1776340800.5,"prompt_tokens":120,"completion_tokens":80,)"
               R"("status":"success","metadata":{"user_api_key_team_alias":"nlp"}})"
               "\n");
  ASSERT_EQ(payload.rest_ns.size(), 1U);
  EXPECT_EQ(payload.batch.e2e_ns[0], 1'250'000'000);
  EXPECT_EQ(payload.batch.tenant[0], "nlp");
  const RequestRows csv = ReadText(
      "request_id,model_group,prompt_tokens,completion_tokens,startTime,endTime,metadata,cache_"
      "hit\n"
      "r1,llama,17903,10,2026-04-16 12:00:00.5,2026-04-16 12:00:02,"
      "\"{\"\"usage_object\"\": {\"\"cache_read_input_tokens\"\": 17817}}\",False\n"
      "r2,llama,1,1,2026-04-16 12:00:00,2026-04-16 12:00:02,,True\n");
  ASSERT_EQ(csv.rest_ns.size(), 1U);
  EXPECT_EQ(csv.batch.cached_tokens[0], 17'817);
  EXPECT_EQ(csv.batch.e2e_ns[0], 1'500'000'000);
}

TEST_F(RequestFormatsTest, EnvoyCountsMillisecondsAndCodes) {
  const auto line = [](const std::string& id, int code, const std::string& model) {
    return R"({"duration": 1526, "genai_model_name": )" + model +
           R"(, "genai_tokens_input": 15, "genai_tokens_output": "7", "response_code": )" +
           std::to_string(code) +
           R"(, "start_time": "2025-08-30T16:51:37.894Z", "x-request-id": ")" + id + "\"}\n";
  };
  const RequestRows rows =
      ReadText(line("a", 200, "\"m\"") + line("b", 504, "\"m\"") + line("c", 0, "\"m\"") +
               line("d", 503, "\"m\"") +
               R"({"genai_model_name": null, "start_time": "2025-08-30T16:51:37Z", "duration": 1})"
               "\n");
  ASSERT_EQ(rows.rest_ns.size(), 4U);
  EXPECT_EQ(rows.batch.e2e_ns[0], 1'526'000'000);
  EXPECT_EQ(rows.batch.ttft_ns[0], std::nullopt);
  EXPECT_EQ(rows.batch.output_tokens[0], 7);
  const std::vector<Symbol> expected{Symbol("ok"), Symbol("timeout"), Symbol("cancelled"),
                                     Symbol("error")};
  EXPECT_EQ(rows.batch.status, expected);
  EXPECT_EQ(reading.ignored.begin()->second, 1);
}

TEST_F(RequestFormatsTest, MapsThatAreNoneSayHowToWriteThem) {
  EXPECT_EQ(ParseRequestMap("ttft=first_ms:ms")->source, "first_ms");
  EXPECT_EQ(ParseRequestMap("ttft=first_ms:ms")->unit, TimeUnit::kMillis);
  EXPECT_EQ(ParseRequestMap("model=a:b")->source, "a:b");  // no unit: it is no time
  for (const char* text : {"", "ttft", "ttft=", "colour=x", "ttft=x:minutes"}) {
    EXPECT_EQ(ParseRequestMap(text).error().code, ErrorCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace plimsoll
