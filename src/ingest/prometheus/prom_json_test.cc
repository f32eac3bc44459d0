#include "ingest/prometheus/prom_json.h"

#include <gtest/gtest.h>

#include "ingest/prometheus/recording_sink.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

TEST(PromJsonTest, ReadsAMatrix) {
  RecordingSink sink;
  const auto answer = ReadPromJson(
      R"({"status":"success","data":{"resultType":"matrix","result":[
          {"metric":{"__name__":"m","a":"1"},"values":[[1768212000,"0.5"],[1768212030.25,"NaN"]]},
          {"values":[[1,"2"]],"metric":{"__name__":"n"},"histograms":[[1,{"count":"2"}]]}]},
          "warnings":["partial answer"]})",
      sink);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(sink.samples,
            (Texts{"m a=1 @1768212000000 0.5", "m a=1 @1768212030250 NaN", "n @1000 2"}));
  EXPECT_EQ(answer->samples, 3);
  EXPECT_EQ(answer->warnings, Texts{"partial answer"});
}

TEST(PromJsonTest, ReadsAVectorAndPassesOverAScalar) {
  RecordingSink sink;
  ASSERT_TRUE(ReadPromJson(R"({"status":"success","data":{"resultType":"vector","result":[
      {"metric":{"__name__":"m"},"value":[1768212000,"97"]}]}})",
                           sink)
                  .has_value());
  ASSERT_TRUE(ReadPromJson(R"({"status":"success","data":{"resultType":"scalar",
      "result":[1768212000,"1"]}})",
                           sink)
                  .has_value());
  EXPECT_EQ(sink.samples, Texts{"m @1768212000000 97"});
}

TEST(PromJsonTest, ASampleThatCannotBeReadIsReported) {
  RecordingSink sink;
  ASSERT_TRUE(ReadPromJson(R"({"status":"success","data":{"result":[{"metric":{"__name__":"m"},
      "values":[["x","1"],[1],[1,"2","3"],[1,"two"],[1e300,"1"],[2,"3"],[3,null]]}]}})",
                           sink)
                  .has_value());
  EXPECT_EQ(sink.samples, (Texts{"m @2000 3", "m @3000 NaN"}));
  EXPECT_EQ(sink.bad.size(), 5u);
}

TEST(PromJsonTest, AnErrorAnswerIsHandedOver) {
  RecordingSink sink;
  const auto answer =
      ReadPromJson(R"({"status":"error","errorType":"bad_data","error":"no such thing"})", sink);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, "error");
  EXPECT_EQ(answer->error_type, "bad_data");
  EXPECT_EQ(answer->error, "no such thing");
}

TEST(PromJsonTest, NamesOfALabelAreRead) {
  const auto names = ReadPromNames(R"({"status":"success","data":["up","vllm:x_total"]})");
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_EQ(*names, (std::vector<std::string>{"up", "vllm:x_total"}));
  for (const char* text : {"", "<html>", "[]", R"({"status":"error","data":["up"]})",
                           R"({"status":"success","data":{"result":[]}})",
                           R"({"status":"success","data":["up",1]})"}) {
    const auto none = ReadPromNames(text);
    ASSERT_FALSE(none.has_value()) << text;
    EXPECT_EQ(none.error().code, ErrorCode::kBadData);
  }
}

TEST(PromJsonTest, WhatIsNoAnswerIsRefused) {
  RecordingSink sink;
  for (const std::string& text :
       {std::string("<html>"), std::string(""), std::string("{}"), std::string("[1,2]"),
        std::string(R"({"status":"success","data":{"result":[)"), std::string(100'000, '[')}) {
    const auto answer = ReadPromJson(text, sink);
    ASSERT_FALSE(answer.has_value()) << text.substr(0, 20);
    EXPECT_EQ(answer.error().code, ErrorCode::kBadData);
  }
}

}  // namespace
}  // namespace plimsoll
