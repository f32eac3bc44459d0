#include "capacity/sizing/shard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace plimsoll {
namespace {

ReplicationOutcome Evaluate(std::size_t point, std::int64_t replication) {
  ReplicationOutcome outcome;
  outcome.fingerprint = point * 1'000 + static_cast<std::uint64_t>(replication);
  outcome.deadlines = {replication % 3, 3};
  outcome.classes.resize(1);
  outcome.classes[0].waits.Add(Millis(replication * 77));
  return outcome;
}

RunPlan Plan() { return {"abc", 5, 7, 1, 0}; }

std::vector<NamedShard> AllShards(std::int64_t count) {
  std::vector<NamedShard> shards;
  for (std::int64_t i = count; i >= 1; --i) {  // in any order
    shards.push_back({"part" + std::to_string(i), RunShard(Plan(), {i, count}, Evaluate, {})});
  }
  return shards;
}

std::string ErrorOf(const std::vector<NamedShard>& shards) {
  const auto merged = MergeShards(Plan(), shards);
  return merged ? "" : merged.error().message;
}

TEST(ShardTest, ShardsHaveEveryItemOnce) {
  for (const std::int64_t count : {1, 2, 4, 35, 50}) {
    std::multiset<std::int64_t> items;
    for (std::int64_t i = 1; i <= count; ++i) {
      for (const std::int64_t item : ItemsOf(Plan(), {i, count})) items.insert(item);
    }
    EXPECT_EQ(items.size(), 35U);
    EXPECT_EQ(std::set<std::int64_t>(items.begin(), items.end()).size(), 35U);
  }
}

TEST(ShardTest, AnyNumberOfShardsMergesToTheSame) {
  const auto whole = MergeShards(Plan(), AllShards(1));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->at(5 * 7 - 1).fingerprint, 4'006U);
  for (const std::int64_t count : {2, 3, 8, 40})
    EXPECT_EQ(*MergeShards(Plan(), AllShards(count)), *whole);
}

TEST(ShardTest, OutcomesDoNotDependOnThreads) {
  const Shard one = RunShard(Plan(), {1, 1}, Evaluate, {1, {}});
  const Shard four = RunShard(Plan(), {1, 1}, Evaluate, {4, {}});
  EXPECT_EQ(one, four);
}

TEST(ShardTest, ProgressIsReported) {
  std::int64_t most = 0;
  RunShard({"abc", 10, 20, 1, 0}, {1, 1}, Evaluate,
           {1, [&](std::string_view, std::int64_t done, std::int64_t total) {
              EXPECT_EQ(total, 200);
              most = std::max(most, done);
            }});
  EXPECT_EQ(most, 200);
}

TEST(ShardTest, ProgressOfManyThreadsIsToldOneAtATimeAndRises) {
  std::atomic<int> inside{0};
  std::int64_t last = -1;
  RunShard({"abc", 10, 200, 1, 0}, {1, 1}, Evaluate,
           {4, [&](std::string_view, std::int64_t done, std::int64_t) {
              EXPECT_EQ(inside++, 0);
              EXPECT_GE(done, last);
              last = done;
              --inside;
            }});
  EXPECT_GT(last, 0);
}

// The others go on while one run takes long.
TEST(ShardTest, NoRunWaitsForASlowOne) {
  std::atomic<int> others{0};
  bool all_done = false;
  const auto evaluator = [&](std::size_t point, std::int64_t replication) {
    if (replication > 0) {
      ++others;
      return Evaluate(point, replication);
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (others < 299 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    all_done = others == 299;
    return Evaluate(point, replication);
  };
  RunShard({"abc", 1, 300, 1, 0}, {1, 1}, evaluator, {2, {}});
  EXPECT_TRUE(all_done);
}

TEST(ShardTest, AMissingShardIsNamed) {
  std::vector<NamedShard> shards = AllShards(4);
  shards.erase(shards.begin() + 1);  // part3
  EXPECT_EQ(ErrorOf(shards), "shards are missing: 3/4; run them and merge again");
  shards = AllShards(30);
  shards.resize(1);
  EXPECT_TRUE(ErrorOf(shards).find("10/30 and 19 more") != std::string::npos) << ErrorOf(shards);
}

TEST(ShardTest, ADoubledShardIsRefused) {
  std::vector<NamedShard> shards = AllShards(2);
  shards.push_back(shards[0]);
  shards.back().name = "copy";
  EXPECT_EQ(ErrorOf(shards), "copy: is shard 2/2, as is part2; give each shard once");
}

TEST(ShardTest, AForeignShardIsRefused) {
  std::vector<NamedShard> shards = AllShards(2);
  shards[1].shard.plan.question = "abd";
  EXPECT_EQ(
      ErrorOf(shards),
      "part1: answers another question: other files, options, seed or version; run all shards "
      "and the merge alike");
  shards = AllShards(2);
  shards[1].shard.index.count = 3;
  EXPECT_EQ(ErrorOf(shards),
            "part1: is of another number of shards, fleets or replications than the others");
}

TEST(ShardTest, AShardThatLacksRunsIsRefused) {
  std::vector<NamedShard> shards = AllShards(2);
  shards[0].shard.outcomes.pop_back();
  EXPECT_EQ(ErrorOf(shards), "part2: lacks some of its runs; run shard 2/2 again");
  shards = AllShards(2);
  shards[1].shard.outcomes[3].classes.clear();
  EXPECT_EQ(ErrorOf(shards), "part1: lacks some of its runs; run shard 1/2 again");
  EXPECT_EQ(ErrorOf({}), "no shards are given");
}

TEST(ShardTest, AShardIsWrittenAsAFraction) {
  EXPECT_EQ(*ParseShard("3/8"), (ShardIndex{3, 8}));
  for (const char* text : {"", "3", "0/8", "9/8", "-1/8", "1/0", "a/b", "1/8x", "/", "1/9999999"}) {
    EXPECT_FALSE(ParseShard(text)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
