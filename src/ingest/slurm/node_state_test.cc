#include "ingest/slurm/node_state.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(NodeStateTest, EachWordAndSuffixSaysItsPart) {
  struct Case {
    const char* text;
    SlurmNodeState state;
  };
  const Case cases[] = {
      {"IDLE", {"ok", true, false}},
      {"MIXED+CLOUD", {"ok", true, false}},
      {"ALLOCATED+COMPLETING", {"ok", true, false}},
      {"IDLE+PLANNED", {"ok", true, true}},
      {"MIXED+DRAIN", {"ok", false, false}},
      {"IDLE+DRAIN+RESERVED", {"ok", false, false}},
      {"drained", {"ok", false, false}},
      {"DOWN", {"failed", true, false}},
      {"DOWN*", {"failed", true, false}},
      {"IDLE*", {"failed", true, false}},
      {"IDLE*+DRAIN", {"failed", false, false}},
      {"DOWN+DRAIN+NOT_RESPONDING", {"failed", false, false}},
      {"ALLOCATED+FAIL", {"failed", true, false}},
      {"ERROR", {"failed", true, false}},
      {"IDLE+MAINT", {"maintenance", true, false}},
      {"DOWN+DRAIN+MAINTENANCE", {"maintenance", false, false}},
      {"idle$", {"maintenance", true, false}},
      {"IDLE+POWERING_UP", {"initializing", true, false}},
      {"IDLE#", {"initializing", true, false}},
      {"DOWN+POWERING_UP", {"failed", true, false}},
      {"IDLE+CLOUD+POWERED_DOWN", {"ok", true, false}},
      {"idle~", {"ok", true, false}},
      {"idle-", {"ok", true, true}},
  };
  for (const Case& one : cases) {
    const auto state = ParseNodeState(one.text);
    ASSERT_TRUE(state) << one.text;
    EXPECT_EQ(state->health, one.state.health) << one.text;
    EXPECT_EQ(state->schedulable, one.state.schedulable) << one.text;
    EXPECT_EQ(state->planned, one.state.planned) << one.text;
  }
}

TEST(NodeStateTest, TextThatIsNoStateSaysNothing) {
  for (const char* text : {"", "DANCING", "+", "*"}) EXPECT_FALSE(ParseNodeState(text)) << text;
}

const Instant kMonday = *ParseInstant("2026-01-05T08:00:00Z");

std::string RowText(const NodeStateBatch& rows, std::size_t i) {
  return std::string(rows.aspect[i]) + "=" + std::string(rows.value[i]) + " " + rows.reason[i] +
         "@" + ToString(rows.since[i]) + ".." + ToString(rows.seen[i]);
}

TEST(NodeStateTest, WellNodeSaysSoInEveryAspect) {
  NodeStateBatch rows;
  AppendSighting({"g01", {}, "", std::nullopt}, "hpc", kMonday, rows);
  ASSERT_EQ(RowsOf(rows), 3U);
  EXPECT_EQ(RowText(rows, 0), "health=ok @2026-01-05T08:00:00Z..2026-01-05T08:00:00Z");
  EXPECT_EQ(RowText(rows, 1), "schedulable=yes @2026-01-05T08:00:00Z..2026-01-05T08:00:00Z");
  EXPECT_EQ(RowText(rows, 2), "planned=no @2026-01-05T08:00:00Z..2026-01-05T08:00:00Z");
}

TEST(NodeStateTest, FailureAndDrainHoldSinceTheirReasonAndAreSeenNow) {
  NodeStateBatch rows;
  AppendSighting({"g01", {"failed", false, true}, "bad fan", kMonday}, "hpc", kMonday + Hours(3),
                 rows);
  ASSERT_EQ(RowsOf(rows), 5U);
  EXPECT_EQ(RowText(rows, 0), "health=failed bad fan@2026-01-05T11:00:00Z..2026-01-05T11:00:00Z");
  EXPECT_EQ(RowText(rows, 2), "planned=yes @2026-01-05T11:00:00Z..2026-01-05T11:00:00Z");
  EXPECT_EQ(RowText(rows, 3), "health=failed bad fan@2026-01-05T08:00:00Z..2026-01-05T11:00:00Z");
  EXPECT_EQ(RowText(rows, 4), "schedulable=no bad fan@2026-01-05T08:00:00Z..2026-01-05T11:00:00Z");
}

TEST(NodeStateTest, OldReasonOfAWellNodeBeginsNothing) {
  NodeStateBatch rows;
  AppendSighting({"g01", {}, "was drained once", kMonday}, "hpc", kMonday + Hours(3), rows);
  ASSERT_EQ(RowsOf(rows), 3U);
  EXPECT_EQ(rows.reason[0], "");
}

}  // namespace
}  // namespace plimsoll
