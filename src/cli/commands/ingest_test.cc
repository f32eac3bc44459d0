#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

constexpr const char* kLog =
    R"({"format":"plimsoll-run/1","kind":"start","run":"x","at":"2026-11-30T20:00:00Z"}
{"kind":"step","run":"x","at":"2026-11-30T20:00:01Z","step":1,"samples":8}
{"kind":"step","run":"x","at":"2026-11-30T20:00:02Z"}
)";

TEST(IngestRunsTest, AFolderIsLoadedOnceHoweverOften) {
  TestIo io("ingest-runs");
  io.Write("runs/x.jsonl", kLog);
  const Ran first = io.Run({"ingest", "runs", "runs", "--gpus", "8", "--format", "json"});
  ASSERT_EQ(first.code, 0) << first.err;
  const auto answer = nlohmann::json::parse(first.out);
  EXPECT_EQ(answer["kind"], "runs");
  EXPECT_EQ(answer["accepted"], 2);
  EXPECT_EQ(answer["rejected"], 1);
  EXPECT_EQ(answer["rejections"][0]["line"], 3);
  EXPECT_EQ(answer["rejections"][0]["field"], "step");
  EXPECT_EQ(answer["loads"][0]["outcome"], "loaded");
  const Ran again = io.Run({"ingest", "runs", "runs", "--gpus", "8", "--format", "json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["loads"][0]["outcome"], "unchanged");
}

TEST(IngestRunsTest, CountsThatAreNoneAreRefused) {
  TestIo io("ingest-runs-counts");
  io.Write("x.jsonl", kLog);
  for (const char* option : {"--gpus", "--samples-per-step", "--tokens-per-step"}) {
    for (const char* value : {"0", "eight", "1.5", "-3", "99999999999999999999"}) {
      const Ran ran = io.Run({"ingest", "runs", "x.jsonl", option, value});
      EXPECT_EQ(ran.code, 2) << option << " " << value;
      EXPECT_NE(ran.err.find(option), std::string::npos) << ran.err;
    }
  }
}

TEST(IngestRunsTest, AFileThatIsNoLogSaysWhatMayBeGiven) {
  TestIo io("ingest-runs-none");
  io.Write("notes.txt", "hello\n");
  const Ran ran = io.Run({"ingest", "runs", "notes.txt"});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("notes.txt: is no training log"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("docs/formats/runs.md"), std::string::npos) << ran.err;
}

TEST(SyncTest, RunsAndRequestsArePulledAsTheConfigurationSays) {
  TestIo io("sync-units");
  io.Write("runs/x.jsonl", kLog);
  io.Write("requests.csv",
           "ts,first_ms,e2e_ms,input_tokens,output_tokens\n"
           "1796068800,200,900,10,20\n1796068801,300,800,10,20\n");
  io.Write("plimsoll.yaml",
           "sources:\n"
           "- {kind: runs, files: [runs], gpus: 8, experiment: base}\n"
           "- {kind: requests, files: [requests.csv], service: chat,\n"
           "   maps: ['arrival=ts:s', 'ttft=first_ms:ms', 'e2e=e2e_ms:ms']}\n");
  const Ran ran = io.Run({"sync", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto rows = nlohmann::json::parse(ran.out);
  ASSERT_EQ(rows.size(), 2u) << ran.out;
  EXPECT_EQ(rows[0]["kind"], "runs");
  EXPECT_EQ(rows[0]["accepted"], 2);
  EXPECT_EQ(rows[0]["rejected"], 1);
  EXPECT_EQ(rows[1]["kind"], "requests");
  EXPECT_EQ(rows[1]["accepted"], 2);

  const Ran training = io.Run({"unit", "training", "--gpu-price", "2", "--format", "json"});
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_EQ(nlohmann::json::parse(training.out)["runs"][0]["experiment"], "base");
  const Ran inference = io.Run({"unit", "inference", "--service", "chat", "--gpus", "1",
                                "--gpu-price", "2", "--slo", "ttft=250ms", "--format", "json"});
  ASSERT_EQ(inference.code, 0) << inference.err;
  const auto chat = nlohmann::json::parse(inference.out);
  EXPECT_EQ(chat["services"][0]["requests"], 2) << inference.out;
  EXPECT_EQ(chat["services"][0]["good"], 1);
}

TEST(SyncTest, AMapThatIsNoneNamesTheFields) {
  TestIo io("sync-maps");
  io.Write("requests.csv", "ts\n1\n");
  io.Write("plimsoll.yaml",
           "sources:\n- {kind: requests, files: [requests.csv], maps: [time=ts]}\n");
  const Ran ran = io.Run({"sync"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_NE(ran.err.find("map 'time=ts'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("arrival"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
