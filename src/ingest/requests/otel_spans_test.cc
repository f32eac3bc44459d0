#include "ingest/requests/otel_spans.h"

#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

using OtelSpansTest = RequestFilesTest;

std::string Span(const std::string& id, const std::string& parent, const std::string& attributes,
                 const std::string& more = "") {
  return R"({"traceId":"t","spanId":")" + id + R"(","parentSpanId":")" + parent +
         R"(","startTimeUnixNano":"1764547200000000123","endTimeUnixNano":"1764547201000000123",)"
         R"("attributes":[)" +
         attributes + "]" + more + "}";
}

std::string Attribute(const std::string& key, const std::string& value) {
  return R"({"key":")" + key + R"(","value":{)" + value + "}}";
}

std::string Export(const std::string& spans) {
  return R"({"resourceSpans":[{"resource":{"attributes":[)" +
         Attribute("service.name", R"("stringValue":"chat")") + R"(]},"scopeSpans":[{"spans":[)" +
         spans + "]}]}]}\n";
}

std::string Usage(const std::string& more = "") {
  return Attribute("gen_ai.operation.name", R"("stringValue":"chat")") + "," +
         Attribute("gen_ai.request.model", R"("stringValue":"llama")") + "," +
         Attribute("gen_ai.usage.input_tokens", R"("intValue":"100")") + "," +
         Attribute("gen_ai.usage.output_tokens", R"("intValue":20)") + more;
}

TEST_F(OtelSpansTest, GenAiSpanIsARequest) {
  const RequestRows rows = ReadText(Export(Span(
      "a", "",
      Usage("," + Attribute("gen_ai.usage.cache_read.input_tokens", R"("intValue":"80")") + "," +
            Attribute("gen_ai.response.time_to_first_chunk", R"("doubleValue":0.25)")))));
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.request[0], "t/a");
  EXPECT_EQ(rows.batch.service[0], "chat");
  EXPECT_EQ(rows.batch.model[0], "llama");
  EXPECT_EQ(rows.rest_ns[0], 123);
  EXPECT_EQ(rows.batch.e2e_ns[0], 1'000'000'000);
  EXPECT_EQ(rows.batch.ttft_ns[0], 250'000'000);
  EXPECT_EQ(rows.batch.cached_tokens[0], 80);
  EXPECT_EQ(rows.batch.output_tokens[0], 20);
}

// A gateway's span with the engine's within is one request, whichever comes first.
TEST_F(OtelSpansTest, OneRequestSeenByTwoLayersCountsOnce) {
  const std::string outer = Span("a", "root", Usage());
  const std::string between = Span("b", "a", Attribute("http.method", R"("stringValue":"POST")"));
  const std::string engine = Span(
      "c", "b",
      Attribute("gen_ai.usage.prompt_tokens", R"("intValue":"100")") + "," +
          Attribute("gen_ai.latency.time_in_model_prefill", R"("doubleValue":0.0578146369953)") +
          "," + Attribute("gen_ai.latency.time_in_model_decode", R"("doubleValue":0.138)"));
  for (const std::string& text : {Export(outer) + Export(between) + Export(engine),
                                  Export(engine + "," + between + "," + outer)}) {
    const RequestRows rows = ReadText(text);
    ASSERT_EQ(rows.rest_ns.size(), 1U);
    EXPECT_EQ(rows.batch.request[0], "t/a");
    EXPECT_EQ(rows.batch.prefill_ns[0], 57'814'637);
    EXPECT_EQ(rows.batch.decode_ns[0], 138'000'000);
    EXPECT_EQ(reading.ignored.at("spans within the span of their request"), 1);
  }
}

TEST_F(OtelSpansTest, AgentsAndToolsAreNoRequestsAndTheirCallsAre) {
  const std::string agent =
      Span("a", "",
           Attribute("gen_ai.operation.name", R"("stringValue":"invoke_agent")") + "," +
               Attribute("gen_ai.usage.input_tokens", R"("intValue":"900")"));
  const RequestRows rows =
      ReadText(Export(agent + "," + Span("b", "a", Usage()) + "," + Span("c", "a", Usage())));
  EXPECT_EQ(rows.rest_ns.size(), 2U);
}

TEST_F(OtelSpansTest, ErrorsAndRepeatedExportsAndCircles) {
  const std::string failed =
      Span("a", "b", Usage(), R"(,"status":{"code":2,"message":"deadline timeout"})");
  const std::string circle = Span("b", "a", Attribute("x", R"("stringValue":"y")"));
  const RequestRows rows = ReadText(Export(failed) + Export(failed) + Export(circle));
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.status[0], "timeout");
  EXPECT_EQ(reading.ignored.at("spans that were exported twice"), 1);
}

}  // namespace
}  // namespace plimsoll
