#include "ingest/serving/serving_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ingest/prometheus/exposition.h"
#include "ingest/prometheus/telemetry.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kDay = 1'764'288'000;  // seconds
const Window kWindow{AtSeconds(kDay), AtSeconds(kDay) + Days(1)};

AliasTable Builtin() {
  Result<AliasTable> table = AliasTable::Load(BuiltinCatalogFiles());
  EXPECT_TRUE(table.has_value()) << table.error().message;
  return *std::move(table);
}

// One import of exposition text, as files are read.
struct Import {
  ServingReader reader{Builtin()};
  Telemetry telemetry{{"c", kWindow, Minutes(5), &reader}};

  Import& Read(const std::string& text) {
    ExpositionParser parser({false, AtSeconds(kDay)}, telemetry);
    EXPECT_TRUE(parser.Feed(text).has_value() && parser.Finish().has_value());
    return *this;
  }
  ServingBatch Rows() { return reader.TakeDay(kWindow); }
};

// "name{labels} value at" of each pair (seconds since midnight, value).
std::string Lines(const std::string& series,
                  const std::vector<std::pair<std::int64_t, std::string>>& points) {
  std::string text;
  for (const auto& [at, value] : points) {
    text += series + " " + value + " " + std::to_string((kDay + at) * 1'000) + "\n";
  }
  return text;
}

std::int64_t Sum(const Twelfths& twelfths) {
  return std::accumulate(twelfths.begin(), twelfths.end(), std::int64_t{0});
}

struct Asked {
  std::string quantity, model{}, part{};
  std::optional<std::int64_t> le_ns{};
};

std::int64_t Total(const ServingBatch& rows, const Asked& asked) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < RowsOf(rows); ++i) {
    if (rows.quantity[i] != asked.quantity || rows.part[i] != asked.part) continue;
    if (rows.le_ns[i] != asked.le_ns) continue;
    if (!asked.model.empty() && rows.model[i] != asked.model) continue;
    total += Sum(rows.amount[i]);
  }
  return total;
}

const std::string kPod = R"(namespace="prod",pod="llm-0",instance="10.0.0.1:8000",job="vllm")";

TEST(ServingReaderTest, RequestsAreToldApartByTheirReason) {
  Import import;
  import.Read(
      Lines("vllm:request_success_total{finished_reason=\"stop\"," + kPod + "}", {{0, "10.0"},
                                                                                  { 15,
                                                                                    "14.0" }}) +
      Lines("vllm:request_success_total{finished_reason=\"length\"," + kPod + "}", {{0, "1.0"},
                                                                                    { 15,
                                                                                      "3.0" }}) +
      Lines("vllm:request_success_total{finished_reason=\"abort\"," + kPod + "}", {{0, "0.0"},
                                                                                   { 15,
                                                                                     "5.0" }}));
  const ServingBatch rows = import.Rows();
  EXPECT_EQ(Total(rows, {kRequestsOk}), 6);
  EXPECT_EQ(Total(rows, {kRequestsAborted}), 5);
  ASSERT_GT(RowsOf(rows), 0U);
  EXPECT_EQ(rows.ns[0], "prod");
  EXPECT_EQ(rows.target[0], "llm-0");
  EXPECT_EQ(rows.engine[0], "vllm");
  EXPECT_EQ(import.telemetry.counts().accepted, 6);
}

TEST(ServingReaderTest, AReasonThatNobodyKnowsIsRefused) {
  Import import;
  import.Read(Lines("vllm:request_success_total{finished_reason=\"new\"," + kPod + "}", {{0, "1"},
                                                                                         {15, "2"},
                                                                                         { 30,
                                                                                           "3" }}));
  EXPECT_EQ(RowsOf(import.Rows()), 0U);
  ASSERT_EQ(import.telemetry.first_rejections().size(), 1U);
  EXPECT_EQ(import.telemetry.first_rejections()[0].field,
            "vllm:request_success_total{finished_reason=\"new\"}");
}

TEST(ServingReaderTest, AnUnknownNameIsRefusedOnceAndTheRestIsRead) {
  Import import;
  import.Read(Lines("vllm:kv_cache_usage{" + kPod + "}", {{0, "0.5"},
                                                          { 15,
                                                            "0.5" }}) +
              Lines("vllm:generation_tokens_total{" + kPod + "}", {{0, "0"},
                                                                   { 15,
                                                                     "70" }}));
  const ServingBatch rows = import.Rows();
  EXPECT_EQ(Total(rows, {kTokensOutput}), 70);
  EXPECT_EQ(Total(rows, {kKvCacheUsed}), 0);
  ASSERT_EQ(import.telemetry.counts().rejected, 1);
  EXPECT_NE(import.telemetry.first_rejections()[0].reason.find("vllm:kv_cache_usage_perc"),
            std::string::npos);
}

TEST(ServingReaderTest, RanksOfOneEngineCountOnce) {
  Import import;
  std::string text;
  for (const char* rank : {"0", "1", "2", "3"}) {
    const std::string labels =
        "{model_name=\"m\",tp_rank=\"" + std::string(rank) + "\",pp_rank=\"0\"," + kPod + "}";
    text += Lines("sglang:generation_tokens_total" + labels, {{0, "100"}, {15, "150"}});
    text += Lines("sglang:num_running_reqs" + labels, {{0, "4"}, {15, "4"}});
  }
  text +=
      Lines("sglang:num_running_reqs{model_name=\"m\",priority=\"1\",tp_rank=\"0\"," + kPod + "}",
            {{0, "3"}, {15, "3"}});  // of the 4
  // Data-parallel ranks are engines of their own.
  text += Lines(
      "sglang:generation_tokens_total{model_name=\"m\",dp_rank=\"1\",tp_rank=\"0\"," + kPod + "}",
      {{0, "0"}, {15, "7"}});
  const ServingBatch rows = import.Read(text).Rows();
  EXPECT_EQ(Total(rows, {kTokensOutput}), 57);
  EXPECT_EQ(Total(rows, {kRunning}), 4'000 * (15'000 + 300'000));
  EXPECT_EQ(import.telemetry.counts().rejected, 0);
}

TEST(ServingReaderTest, TwoScrapesOfOnePodCountOnce) {
  const std::vector<std::pair<std::int64_t, std::string>> points{
      {0, "100"}, {15, "150"}, {30, "160"}};
  Import import;
  import.Read(Lines("vllm:prompt_tokens_total{pod=\"p\",namespace=\"n\",instance=\"10.0.0.1:8000\","
                    "job=\"pods\",endpoint=\"http\"}",
                    points) +
              Lines("vllm:prompt_tokens_total{pod=\"p\",namespace=\"n\",instance=\"10.0.0.1:8000\","
                    "job=\"services\",service=\"s\"}",
                    points));
  EXPECT_EQ(Total(import.Rows(), {kTokensInput}), 60);
}

TEST(ServingReaderTest, TwoServersInOnePodAreAddedUp) {
  Import import;
  import.Read(Lines("vllm:prompt_tokens_total{pod=\"p\",instance=\"10.0.0.1:8000\"}", {{0, "0"},
                                                                                       { 15,
                                                                                         "10" }}) +
              Lines("vllm:prompt_tokens_total{pod=\"p\",instance=\"10.0.0.1:8001\"}", {{0, "0"},
                                                                                       { 15,
                                                                                         "5" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensInput}), 15);
}

TEST(ServingReaderTest, TheOldAndTheNewNameTogetherCountOnce) {
  Import import;
  std::string text;
  for (const char* name :
       {"vllm:time_per_output_token_seconds", "vllm:inter_token_latency_seconds"}) {
    for (const char* le : {"0.025", "0.05", "+Inf"}) {
      text += Lines(std::string(name) + "_bucket{le=\"" + le + "\",model_name=\"m\"," + kPod + "}",
                    {{0, "0"}, {15, le == std::string("0.025") ? "4" : "9"}});
    }
  }
  const ServingBatch rows = import.Read(text).Rows();
  EXPECT_EQ(Total(rows, {kItl, "m", kPartBucket, kLeInfinite}), 9);
  EXPECT_EQ(Total(rows, {kItl, "m", kPartBucket, 25'000'000}), 4);
}

// An upgrade at minute 10: the old name until then, the new one from then on.
TEST(ServingReaderTest, ARenameInTheMiddleOfAnHourLosesNothing) {
  Import import;
  const auto points = [](std::int64_t begin) {
    std::vector<std::pair<std::int64_t, std::string>> all;
    for (std::int64_t at = begin; at < begin + 600; at += 30) {
      all.emplace_back(at, std::to_string(at - begin));
    }
    return all;
  };
  import.Read(Lines("vllm:gpu_prefix_cache_hits_total{" + kPod + "}", points(0)) +
              Lines("vllm:prefix_cache_hits_total{" + kPod + "}", points(600)));
  EXPECT_EQ(Total(import.Rows(), {kTokensCached}), 570 + 570);
}

// All metrics of a process begin anew together, also those that do not fall.
TEST(ServingReaderTest, ARestartIsSeenByTheOtherMetrics) {
  Import import;
  import.Read(
      Lines("vllm:generation_tokens_total{" + kPod + "}", {{0, "500"},
                                                           {60, "600"},
                                                           { 120,
                                                             "20" }}) +
      Lines("vllm:prompt_tokens_total{" + kPod + "}", {{0, "500"},
                                                       {60, "600"},
                                                       { 120,
                                                         "30" }}) +
      Lines("vllm:request_success_total{finished_reason=\"abort\"," + kPod + "}", {{0, "1"},
                                                                                   {60, "1"},
                                                                                   { 120,
                                                                                     "2" }}) +
      Lines("vllm:request_success_total{finished_reason=\"abort\",pod=\"llm-0\","
            "namespace=\"prod\",instance=\"10.0.0.1:8001\"}",
            {{0, "70"},
             {60, "70"},
             { 120,
               "71" }}));  // another server in the pod goes on
  EXPECT_EQ(Total(import.Rows(), {kRequestsAborted}), 2 + 1);
}

TEST(ServingReaderTest, OneOddCounterRestartsNothingElse) {
  Import import;
  import.Read(Lines("vllm:generation_tokens_total{" + kPod + "}", {{0, "500"},
                                                                   {60, "600"},
                                                                   { 120,
                                                                     "20" }}) +
              Lines("vllm:prompt_tokens_total{" + kPod + "}", {{0, "500"},
                                                               {60, "600"},
                                                               { 120,
                                                                 "700" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensInput}), 200);
}

// The upgraded process counts from 0 under the new name; what it counted before the first
// scrape is not lost, as the quantity was seen before.
TEST(ServingReaderTest, ANewNameOfAKnownQuantityBeganAtZero) {
  Import import;
  import.Read(Lines("vllm:gpu_prefix_cache_hits_total{" + kPod + "}", {{0, "100"},
                                                                       {60, "110"},
                                                                       { 120,
                                                                         "120" }}) +
              Lines("vllm:prefix_cache_hits_total{" + kPod + "}", {{180, "7"},
                                                                   { 240,
                                                                     "9" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensCached}), 20 + 9);
}

TEST(ServingReaderTest, AQuantityThatIsFirstSeenCountsFromItsSecondSample) {
  Import import;
  import.Read(Lines("vllm:generation_tokens_total{" + kPod + "}", {{0, "1"},
                                                                   {60, "1"},
                                                                   {120, "1"},
                                                                   { 180,
                                                                     "1" }}) +
              Lines("vllm:prompt_tokens_total{" + kPod + "}", {{180, "5000"},
                                                               { 240,
                                                                 "5001" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensInput}), 1);
}

TEST(ServingReaderTest, OfTwoNamesTheOlderCountsWhereTheNewerDoesNotTell) {
  Import import;
  // The new name is missing from minute 1 to minute 4.
  import.Read(Lines("vllm:gpu_prefix_cache_hits_total{" + kPod + "}", {{0, "0"},
                                                                       {60, "10"},
                                                                       {120, "20"},
                                                                       {180, "30"},
                                                                       {240, "40"},
                                                                       { 300,
                                                                         "50" }}) +
              Lines("vllm:prefix_cache_hits_total{" + kPod + "}", {{240, "40"},
                                                                   { 300,
                                                                     "50" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensCached}), 50);
}

TEST(ServingReaderTest, ARenamedModelIsTwoModelsAndNothingIsLost) {
  Import import;
  import.Read(Lines("vllm:generation_tokens_total{model_name=\"old\"," + kPod + "}", {{0, "100"},
                                                                                      {60, "160"},
                                                                                      { 120,
                                                                                        "190" }}) +
              Lines("vllm:generation_tokens_total{model_name=\"new\"," + kPod + "}", {{180, "40"},
                                                                                      { 240,
                                                                                        "50" }}));
  const ServingBatch rows = import.Rows();
  EXPECT_EQ(Total(rows, {kTokensOutput, "old"}), 90);
  EXPECT_EQ(Total(rows, {kTokensOutput, "new"}), 50);  // 40 of them before its first sample
}

TEST(ServingReaderTest, UnitsBecomeNanosecondsAndPartsPerMillion) {
  Import import;
  import.Read(
      Lines("nv_inference_first_response_histogram_ms_bucket{le=\"100\",model=\"m\"}", {{0, "0"},
                                                                                        { 15,
                                                                                          "3" }}) +
      Lines("nv_inference_queue_duration_us{model=\"m\"}", {{0, "0"},
                                                            { 15,
                                                              "2500" }}) +
      Lines("trtllm_time_to_first_token_seconds_sum{model_name=\"m\"}", {{0, "0"},
                                                                         { 15,
                                                                           "0.25" }}) +
      Lines("trtllm_kv_cache_utilization{model_name=\"m\"}", {{0, "0.5"},
                                                              { 15,
                                                                "0.5" }}));
  const ServingBatch rows = import.Rows();
  EXPECT_EQ(Total(rows, {kTtft, "", kPartBucket, 100'000'000}), 3);
  EXPECT_EQ(Total(rows, {kQueueTime, "", kPartSum}), 2'500'000);
  EXPECT_EQ(Total(rows, {kTtft, "", kPartSum}), 250'000'000);
  EXPECT_EQ(Total(rows, {kKvCacheUsed}), 500'000LL * (15'000 + 300'000));
}

// Prometheus 3 writes le="1.0" where Prometheus 2 wrote le="1".
TEST(ServingReaderTest, SpellingsOfAnEdgeAreOneBucket) {
  Import import;
  import.Read(
      Lines("vllm:e2e_request_latency_seconds_bucket{le=\"1\"," + kPod + "}", {{0, "10"},
                                                                               { 15,
                                                                                 "11" }}) +
      Lines("vllm:e2e_request_latency_seconds_bucket{le=\"1.0\"," + kPod + "}", {{30, "15"},
                                                                                 { 45,
                                                                                   "16" }}));
  EXPECT_EQ(Total(import.Rows(), {kE2e, "", kPartBucket, 1'000'000'000}), 6);
}

TEST(ServingReaderTest, KvCachesOfOneEngineAreAveraged) {
  Import import;
  import.Read(Lines("vllm:kv_cache_usage_perc{engine=\"0\"," + kPod + "}", {{0, "0.2"},
                                                                            { 60,
                                                                              "0.2" }}) +
              Lines("vllm:kv_cache_usage_perc{engine=\"1\"," + kPod + "}", {{0, "0.6"},
                                                                            { 60,
                                                                              "0.6" }}));
  const ServingBatch rows = import.Rows();
  ASSERT_EQ(RowsOf(rows), 1U);
  EXPECT_EQ(Sum(rows.amount[0]) / Sum(rows.covered[0]), 400'000);
}

TEST(ServingReaderTest, NotANumberIsAMarkAndNoZero) {
  Import import;
  import.Read(Lines("dynamo_frontend_output_tokens_total{model=\"m\"}", {{0, "NaN"},
                                                                         { 15,
                                                                           "NaN" }}));
  const ServingBatch rows = import.Rows();
  ASSERT_EQ(RowsOf(rows), 1U);
  EXPECT_EQ(rows.quality[0], "nan");
  EXPECT_EQ(Sum(rows.covered[0]), 0);
  EXPECT_EQ(import.telemetry.counts().absent, 2);
}

TEST(ServingReaderTest, ValuesThatCannotBeAreRefused) {
  Import import;
  import.Read(Lines("vllm:generation_tokens_total{" + kPod + "}", {{0, "0"},
                                                                   {15, "-5"},
                                                                   {30, "1e300"},
                                                                   { 45,
                                                                     "9" }}));
  EXPECT_EQ(Total(import.Rows(), {kTokensOutput}), 9);
  EXPECT_EQ(import.telemetry.counts().rejected, 2);
  EXPECT_EQ(import.telemetry.first_rejections().size(), 1U);  // the second is only counted
}

TEST(ServingReaderTest, ARestartIsMarked) {
  Import import;
  const ServingBatch rows =
      import.Read(Lines("tgi_request_success{" + kPod + "}", {{0, "7"}, {15, "9"}, {30, "1"}}))
          .Rows();
  ASSERT_EQ(RowsOf(rows), 1U);
  EXPECT_EQ(rows.quality[0], "reset");
  EXPECT_EQ(Sum(rows.amount[0]), 3);
}

TEST(ServingReaderTest, DynamoRequestsAreToldApartByStatusAndError) {
  Import import;
  const auto series = [](const std::string& status, const std::string& error) {
    return "dynamo_frontend_requests_total{model=\"m\",status=\"" + status + "\",error_type=\"" +
           error + "\"}";
  };
  import.Read(Lines(series("success", ""), {{0, "0"},
                                            { 15,
                                              "5" }}) +
              Lines(series("error", "cancelled"), {{0, "0"},
                                                   { 15,
                                                     "2" }}) +
              Lines(series("error", "overload"), {{0, "0"},
                                                  { 15,
                                                    "1" }}));
  const ServingBatch rows = import.Rows();
  EXPECT_EQ(Total(rows, {kRequestsOk}), 5);
  EXPECT_EQ(Total(rows, {kRequestsAborted}), 2);
  EXPECT_EQ(Total(rows, {kRequestsFailed}), 1);
}

TEST(ServingReaderTest, KnownValuesThatAreNotUsedAreNoRefusal) {
  Import import;
  import.Read(Lines("nv_trt_llm_request_metrics{model=\"m\",request_type=\"max\"}",
                    {{ 0,
                       "64" }}) +
              Lines("nv_trt_llm_request_metrics{model=\"m\",request_type=\"waiting\"}",
                    {{ 0,
                       "3" }}));
  EXPECT_EQ(Total(import.Rows(), {kWaiting}), 3'000 * 300'000);
  EXPECT_EQ(import.telemetry.counts().rejected, 0);
}

TEST(ServingReaderTest, NamesOfAServerAreReadByMetric) {
  ServingReader reader(Builtin());
  const auto groups = reader.NamesToRead(
      {"vllm:time_to_first_token_seconds_bucket", "vllm:time_to_first_token_seconds_sum",
       "vllm:time_to_first_token_seconds_count", "vllm:generation_tokens_total",
       "vllm:cache_config_info", "vllm:nonsense"});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0], std::vector<std::string>{"vllm:generation_tokens_total"});
  EXPECT_EQ(groups[1].size(), 2U);
}

TEST(ServingReaderTest, DaysMeetAtMidnight) {
  ServingReader reader(Builtin());
  const Window days{AtSeconds(kDay), AtSeconds(kDay) + Days(2)};
  Telemetry telemetry({"c", days, Minutes(5), &reader});
  ExpositionParser parser({false, AtSeconds(kDay)}, telemetry);
  const std::string text = Lines("vllm:generation_tokens_total{" + kPod + "}",
                                 {{86'280, "0"}, {86'340, "60"}, {86'460, "180"}, {86'520, "200"}});
  ASSERT_TRUE(parser.Feed(text).has_value());
  ASSERT_EQ(reader.Days().size(), 2U);
  EXPECT_EQ(Total(reader.TakeDay(kWindow), {kTokensOutput}), 60 + 60);
  EXPECT_EQ(Total(reader.TakeDay({kWindow.until, kWindow.until + Days(1)}), {kTokensOutput}),
            60 + 20);
  EXPECT_TRUE(reader.Days().empty());
}

}  // namespace
}  // namespace plimsoll
