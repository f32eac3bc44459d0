#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kLog =
    "request,arrival,model,tenant,ttft_ms,e2e_ms,input_tokens,output_tokens,status\n"
    "a,2025-12-01T10:00:00Z,llama,nlp,100,1000,10,10,ok\n"
    "b,2025-12-01T10:00:00Z,llama,search,900,1000,10,10,ok\n"
    "c,2025-12-01T10:59:59Z,qwen,search,100,1000,10,10,timeout\n";

TEST(UnitInferenceTest, FilesArePricedWithoutADatabase) {
  TestIo io("unit_inference_files");
  io.Write("log.csv", kLog);
  const Ran run =
      io.Run({"unit", "inference", "--requests", "log.csv", "--gpus", "2", "--gpu-price", "3.00",
              "--slo", "ttft=500ms", "--by", "tenant,outcome", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "\"requests_total\": 3")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"requests_good\": 1")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"cost\": \"6.000000000\"")) << run.out;  // an hour
  EXPECT_TRUE(Holds(run.out, "{\"tenant\": \"search\", \"outcome\": \"timeout\"")) << run.out;
}

TEST(UnitInferenceTest, LoadedRequestsGiveTheSameFigures) {
  TestIo io("unit_inference_loaded");
  io.Write("log.csv", kLog);
  ASSERT_EQ(io.Run({"ingest", "requests", "log.csv", "--db", "d.duckdb"}).code, 0);
  const std::vector<std::string> question{"--gpus",     "2",    "--gpu-price", "3.00",     "--slo",
                                          "ttft=500ms", "--by", "model",       "--format", "json"};
  std::vector<std::string> by_db{"unit", "inference", "--db", "d.duckdb"};
  std::vector<std::string> by_file{"unit", "inference", "--requests", "log.csv"};
  by_db.insert(by_db.end(), question.begin(), question.end());
  by_file.insert(by_file.end(), question.begin(), question.end());
  const Ran stored = io.Run(by_db);
  EXPECT_EQ(stored.code, 0) << stored.err;
  EXPECT_EQ(stored.out, io.Run(by_file).out);
}

TEST(UnitInferenceTest, ServicesOfTheConfigurationHoldTheirOwnFigures) {
  TestIo io("unit_inference_services");
  io.Write("log.csv", kLog);
  io.Write("plimsoll.yaml",
           "services:\n"
           "  - name: chat\n"
           "    match: {model: llama*}\n"
           "    slo: {ttft: 500ms}\n"
           "    gpus: 1\n"
           "    gpu_price: 2.00\n"
           "    peak: {hours: 09:00-12:00}\n");
  const Ran run = io.Run({"unit", "inference", "--requests", "log.csv", "--service", "chat",
                          "--window", "2025-12-01", "--by", "peak", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "\"requests_total\": 2")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"cost\": \"48.000000000\"")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"peak\": \"peak\"")) << run.out;
}

TEST(UnitInferenceTest, WrongOptionsSayHowToWriteThem) {
  TestIo io("unit_inference_options");
  io.Write("log.csv", kLog);
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--slo", "fast"}, "ttft=20s"},
      {{"--gpus", "0", "--gpu-price", "1"}, "whole number"},
      {{"--gpus", "1"}, "--gpu-price"},
      {{"--by", "colour"}, "keys are service"},
      {{"--map", "ttft=x:minutes"}, "unit"},
      {{"--token-weights", "5"}, "input=1"},
      {{"--peak", "noon"}, "09:00-18:00"},
      {{"--gpus", "1", "--gpu-price", "1", "--reserve-gpus", "1"}, "leave at least one"}};
  for (const auto& [options, what] : cases) {
    std::vector<std::string> line{"unit", "inference", "--requests", "log.csv"};
    line.insert(line.end(), options.begin(), options.end());
    const Ran run = io.Run(line);
    EXPECT_EQ(run.code, 2) << options[0];
    EXPECT_TRUE(Holds(run.err, what)) << run.err;
  }
}

TEST(UnitInferenceTest, NoRequestsSayWhereToGetThem) {
  TestIo io("unit_inference_none");
  io.Write("log.csv", "arrival,model\nnonsense,m\n");
  const Ran refused = io.Run({"unit", "inference", "--requests", "log.csv"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(Holds(refused.err, "log.csv:2: arrival:")) << refused.err;
  const Ran none = io.Run({"unit", "inference", "--db", "none.duckdb"});
  EXPECT_NE(none.code, 0);
}

TEST(UnitInferenceTest, AnApiIsComparedAtTheUseThatIsPaidFor) {
  TestIo io("unit_inference_api");
  // Busy for a quarter of an hour of 4.00, for a million tokens: 1.00 while busy, 4.00 in all.
  io.Write("log.csv",
           "request,arrival,model,ttft_ms,e2e_ms,input_tokens,output_tokens,status\n"
           "a,2025-12-01T10:00:00Z,llama,100,900000,10,1000000,ok\n");
  const Ran run =
      io.Run({"unit", "inference", "--requests", "log.csv", "--gpus", "1", "--gpu-price", "4.00",
              "--window", "2025-12-01T10:00:00Z/2025-12-01T11:00:00Z", "--api-price", "2.00",
              "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "\"utilisation\": 0.250000000")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"break_even_utilisation\": 0.500000000")) << run.out;
  const Ran free = io.Run({"unit", "inference", "--requests", "log.csv", "--api-price", "0"});
  EXPECT_EQ(free.code, 2);
  EXPECT_TRUE(Holds(free.err, "such as 2.00")) << free.err;
}

}  // namespace
}  // namespace plimsoll
