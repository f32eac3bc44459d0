#include "cli/training_shard_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "sim/random.h"

namespace plimsoll {
namespace {

ReplicationOutcome DrawOutcome(std::size_t point, std::int64_t replication) {
  RandomStream random(point, "outcome", static_cast<std::uint64_t>(replication));
  ReplicationOutcome outcome;
  outcome.classes.resize(2);
  outcome.gangs.resize(1);
  for (WaitOutcome* one : {&outcome.classes[0], &outcome.classes[1], &outcome.gangs[0]}) {
    for (int i = 0; i < 20; ++i) {
      one->waits.Add(Millis(static_cast<std::int64_t>(random.Bits() >> random.Below(64) >> 1)));
    }
    if (random.Below(2) == 0) one->waits.AddUnstarted();
    one->within = static_cast<std::int64_t>(random.Below(20));
    one->by_cause_ms[3] = static_cast<std::int64_t>(random.Below(1'000));
  }
  outcome.deadlines = {3, 5};
  outcome.capacity = std::numeric_limits<std::int64_t>::max();
  outcome.used = outcome.capacity - 1;
  outcome.lost = 17;
  outcome.interruptions = 4;
  outcome.fingerprint = random.Bits() | (std::uint64_t{1} << 63);
  return outcome;
}

Shard Made() { return RunShard({"00ff", 3, 5, 2, 1}, {2, 3}, DrawOutcome, {1, {}}); }

std::string ErrorOf(const std::string& text) {
  const auto shard = ReadShardJson("s.json", text);
  return shard ? "" : shard.error().message;
}

std::string Changed(const std::string& from, const std::string& to) {
  std::string text = ShardJson(Made());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(TrainingShardFileTest, WhatIsReadBackIsWhatWasWritten) {
  const Shard shard = Made();
  const std::string text = ShardJson(shard);
  const auto read = ReadShardJson("s.json", text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, shard);
  EXPECT_EQ(ShardJson(*read), text);
}

TEST(TrainingShardFileTest, AFileThatWasCutOffIsRefused) {
  const std::string text = ShardJson(Made());
  for (const std::size_t length : {std::size_t{0}, text.size() / 2, text.size() - 3}) {
    EXPECT_NE(ErrorOf(text.substr(0, length)).find("is no shard, or was cut off"),
              std::string::npos);
  }
}

TEST(TrainingShardFileTest, WhatIsWrongIsNamed) {
  const auto starts = [](const std::string& text, const std::string& part) {
    EXPECT_EQ(ErrorOf(text).substr(0, part.size()), part);
  };
  starts(Changed("\"plimsoll_shard\":1", "\"plimsoll_shard\":2"),
         "s.json: is a shard of another version of its format");
  starts(Changed("\"shard\":2", "\"shard\":4"), "s.json: 'shard' and 'shards' are no i of n");
  starts(Changed("\"points\":3", "\"points\":0"), "s.json: 'points' and 'replications' are out");
  starts(Changed("\"lost\":17", "\"lost\":-1"), "s.json: run 1: 'lost' is no whole number from 0");
  starts(Changed("\"deadlines\":[3,5]", "\"deadlines\":[6,5]"),
         "s.json: run 1: 'deadlines' is no pair of met and all");
  starts(Changed("\"interruptions\"", "\"other\""), "s.json: run 1: 'interruptions' is missing");
}

TEST(TrainingShardFileTest, TheHashIsOfEveryPartAndItsName) {
  const std::string hash = QuestionHash({{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(hash, QuestionHash({{"a", "1"}, {"b", "2"}}));
  EXPECT_NE(hash, QuestionHash({{"a", "1"}, {"b", "3"}}));
  EXPECT_NE(hash, QuestionHash({{"a", "1"}, {"c", "2"}}));
  EXPECT_NE(hash, QuestionHash({{"a", "12"}, {"b", ""}}));
}

}  // namespace
}  // namespace plimsoll
