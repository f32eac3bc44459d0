#include "ingest/runs/event_log.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

RunFacts Read(const std::string& text, const std::string& run = "") {
  std::istringstream in(text);
  RunFacts facts;
  const Status read = ReadEventLog(in, "x.jsonl", run, facts);
  EXPECT_TRUE(read.has_value()) << read.error().message;
  return facts;
}

TEST(EventLogTest, EveryKindOfEventIsKept) {
  const RunFacts facts = Read(
      R"({"format":"plimsoll-run/1","kind":"start","run":"x","at":"2026-11-30T20:00:00Z","gpus":8}
{"kind":"resume","run":"x","at":"2026-11-30T20:00:01Z","step":4}
{"kind":"step","run":"x","at":"2026-11-30T20:00:02Z","step":5,"samples":512,"tokens":1024}
{"kind":"metric","run":"x","at":"2026-11-30T20:00:03Z","step":5,"name":"loss","value":2.50}
{"kind":"checkpoint_begin","run":"x","at":"2026-11-30T20:00:04Z","step":5}
{"kind":"checkpoint_end","run":"x","at":"2026-11-30T20:00:05Z","step":5}
{"kind":"stall_begin","run":"x","at":"2026-11-30T20:00:06Z","name":"data"}
{"kind":"stall_end","run":"x","at":"2026-11-30T20:00:07Z","name":"data"}
{"kind":"failure","run":"x","at":"2026-11-30T20:00:08Z","reason":"NCCL timeout"}
{"kind":"stop","run":"x","attempt":1,"at":"2026-11-30T20:00:09Z","reason":"completed"}
)");
  EXPECT_TRUE(facts.rejections.empty());
  EXPECT_EQ(
      EventTexts(facts.events),
      (Texts{"x#0 2026-11-30T20:00:00Z start 8g", "x#0 2026-11-30T20:00:01Z resume 4",
             "x#0 2026-11-30T20:00:02Z step 5 512s 1024t",
             "x#0 2026-11-30T20:00:03Z metric 5 loss=2.50",
             "x#0 2026-11-30T20:00:04Z checkpoint_begin 5",
             "x#0 2026-11-30T20:00:05Z checkpoint_end 5",
             "x#0 2026-11-30T20:00:06Z stall_begin data", "x#0 2026-11-30T20:00:07Z stall_end data",
             "x#0 2026-11-30T20:00:08Z failure NCCL timeout",
             "x#1 2026-11-30T20:00:09Z stop completed"}));
}

TEST(EventLogTest, ATimeIsRfc3339OrSecondsSinceTheEpoch) {
  const RunFacts facts = Read(
      "{\"kind\":\"stop\",\"run\":\"x\",\"at\":\"2026-11-30T21:00:00.5+01:00\"}\n"
      "{\"kind\":\"stop\",\"run\":\"x\",\"at\":1796068800.5}\n"
      "{\"kind\":\"stop\",\"run\":\"x\",\"at\":\"1796068800.5\"}\n");
  ASSERT_EQ(RowsOf(facts.events), 3U);
  for (const Instant at : facts.events.at) EXPECT_EQ(ToString(at), "2026-11-30T20:00:00.500Z");
}

TEST(EventLogTest, WhatIsSaidOfTheRunIsKept) {
  const RunFacts facts = Read(
      R"({"kind":"start","run":"x","at":1,"experiment":"e","run_name":"n","model":"m",)"
      R"("cluster":"c",)"
      R"("namespace":"ns","workload":"w","pod":"p","job":"12_5","labels":{"b":"2","a":1,"c":[]}})"
      "\n");
  ASSERT_EQ(RowsOf(facts.runs), 1U);
  const RunBatch& runs = facts.runs;
  EXPECT_EQ(
      (Texts{runs.run[0], runs.source[0].text(), runs.experiment[0], runs.name[0], runs.model[0],
             runs.cluster[0].text(), runs.ns[0], runs.workload[0], runs.pod[0], runs.job[0],
             runs.labels[0]}),
      (Texts{"x", "log", "e", "n", "m", "c", "ns", "w", "p", "12_5", R"({"a":"1","b":"2"})"}));
}

TEST(EventLogTest, ALineThatCannotBeTakenIsRefusedWithItsField) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"run":"x","at":1})", "kind"},
      {R"({"kind":"step","run":"x","step":1})", "at"},
      {R"({"kind":"step","run":"x","at":"yesterday","step":1})", "at"},
      {R"({"kind":"step","run":"x","at":1})", "step"},
      {R"({"kind":"resume","run":"x","at":1})", "step"},
      {R"({"kind":"step","run":"x","at":1,"step":-1})", "step"},
      {R"({"kind":"step","run":"x","at":1,"step":1.5})", "step"},
      {R"({"kind":"step","run":"x","at":1,"step":1,"tokens":1e16})", "tokens"},
      {R"({"kind":"step","run":"x","at":1,"step":1,"samples":"many"})", "samples"},
      {R"({"kind":"step","run":"x","at":1,"step":1,"attempt":-1})", "attempt"},
      {R"({"kind":"start","run":"x","at":1,"gpus":"8 GPUs"})", "gpus"},
      {R"({"kind":"metric","run":"x","at":1,"value":1})", "name"},
      {R"({"kind":"metric","run":"x","at":1,"name":"loss"})", "value"},
      {R"({"kind":"metric","run":"x","at":1,"name":"loss","value":"low"})", "value"},
      {R"({"kind":"stop","at":1})", "run"},
      {R"([1])", ""},
      {R"(step 5 done)", ""},
      {"{\"kind\":\"stop\",\"run\":\"\xFF\",\"at\":1}", ""},
  };
  for (const auto& [line, field] : cases) {
    const RunFacts facts = Read("\n" + line + "\n{\"kind\":\"stop\",\"run\":\"x\",\"at\":1}\n");
    ASSERT_EQ(facts.rejections.size(), 1U) << line;
    EXPECT_EQ(facts.rejections[0].file, "x.jsonl");
    EXPECT_EQ(facts.rejections[0].line, 2) << line;
    EXPECT_EQ(facts.rejections[0].field, field) << line;
    EXPECT_EQ(facts.rejections[0].raw, line);
    EXPECT_NE(facts.rejections[0].reason, "") << line;
    EXPECT_EQ(RowsOf(facts.events), 1U) << line;
  }
}

TEST(EventLogTest, TheUserMayNameTheRunOfLinesThatNameNone) {
  const RunFacts facts = Read("{\"kind\":\"stop\",\"at\":1}\n", "mine");
  EXPECT_EQ(EventTexts(facts.events), Texts{"mine#0 1970-01-01T00:00:01Z stop"});
}

TEST(EventLogTest, UnknownKindsAndFieldsAreToldAndNotRefused) {
  const RunFacts facts = Read(
      "{\"kind\":\"stop\",\"run\":\"x\",\"at\":1,\"host\":\"a\"}\n"
      "{\"kind\":\"evaluation\",\"run\":\"x\",\"at\":1}\n");
  EXPECT_TRUE(facts.rejections.empty());
  EXPECT_EQ(RowsOf(facts.events), 1U);
  EXPECT_EQ(facts.passed.at("field 'host' of the event log"), 1);
  ASSERT_EQ(facts.warnings.size(), 1U);
  EXPECT_NE(facts.warnings.begin()->find("'evaluation'"), std::string::npos);
}

TEST(EventLogTest, ALastLineThatBreaksOffIsANote) {
  const std::string whole = R"({"kind":"step","run":"x","at":1,"step":1})";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const RunFacts facts = Read(whole + "\n" + whole.substr(0, size));
    EXPECT_TRUE(facts.rejections.empty()) << size;
    EXPECT_EQ(RowsOf(facts.events), 1U) << size;
    ASSERT_EQ(facts.ignored.size(), 1U) << size;
    EXPECT_NE(facts.ignored.begin()->find("x.jsonl:2:"), std::string::npos);
  }
  EXPECT_EQ(RowsOf(Read(whole + "\n" + whole).events), 2U);
  EXPECT_TRUE(Read(whole + "\n" + std::string(100, '\0')).rejections.empty());
}

TEST(EventLogTest, ALineThatBreaksOffIsANoteOnlyBeforeANewStart) {
  const std::string cut = R"({"kind":"step","ru)";
  const std::string start = R"({"kind":"start","run":"x","at":1})";
  const std::string stop = R"({"kind":"stop","run":"x","at":1})";
  const RunFacts resumed = Read(cut + "\n" + start + "\n");
  EXPECT_TRUE(resumed.rejections.empty());
  EXPECT_EQ(resumed.ignored.size(), 1U);
  const RunFacts damaged = Read(cut + "\n" + stop + "\n");
  ASSERT_EQ(damaged.rejections.size(), 1U);
  EXPECT_EQ(damaged.rejections[0].line, 1);
  EXPECT_TRUE(damaged.ignored.empty());
}

TEST(EventLogTest, AnotherFormatIsRefused) {
  std::istringstream in(R"({"format":"plimsoll-run/2","kind":"start","run":"x","at":1})");
  RunFacts facts;
  const Status read = ReadEventLog(in, "x.jsonl", "", facts);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kBadData);
  EXPECT_NE(read.error().message.find("plimsoll-run/2"), std::string::npos);
  const RunFacts later = Read(
      "{\"kind\":\"start\",\"run\":\"x\",\"at\":1}\n"
      "{\"format\":\"plimsoll-run/2\",\"kind\":\"start\",\"run\":\"x\",\"at\":2}\n"
      "{\"kind\":\"stop\",\"run\":\"x\",\"at\":3}\n");
  ASSERT_EQ(later.rejections.size(), 1U);
  EXPECT_EQ(later.rejections[0].field, "format");
  EXPECT_EQ(RowsOf(later.events), 1U);
}

TEST(EventLogTest, ALogIsRecognisedByItsFirstLine) {
  EXPECT_TRUE(IsEventLog(R"({"format":"plimsoll-run/1","kind":"sta)"));
  EXPECT_TRUE(IsEventLog("\xEF\xBB\xBF{\"format\": \"plimsoll-run/9\"}\n"));
  EXPECT_TRUE(IsEventLog("\n{\"kind\":\"step\",\"at\":1}\r\n{"));
  EXPECT_FALSE(IsEventLog("{\"kind\":\"List\",\"items\":[]}\n"));
  EXPECT_FALSE(IsEventLog("{\n \"kind\": \"step\", \"at\": 1}"));
  EXPECT_FALSE(IsEventLog("kind,at\n"));
  EXPECT_FALSE(IsEventLog(""));
}

}  // namespace
}  // namespace plimsoll
