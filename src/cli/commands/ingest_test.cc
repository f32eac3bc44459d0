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

}  // namespace
}  // namespace plimsoll
