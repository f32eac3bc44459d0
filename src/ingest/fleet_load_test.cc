#include "ingest/fleet_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "ingest/pod.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

const SnapshotKey kKey{"kubernetes", "c1", {}};

std::unique_ptr<Store> OpenStore() {
  auto opened = OpenDuckDb({.path = "", .threads = 1});
  EXPECT_TRUE(opened) << opened.error().message;
  return std::move(*opened);
}

// Stores `facts` as one load and gives what became of it: loaded, unchanged or restated.
std::string Load(Store& store, FleetFacts facts, std::optional<Instant> as_of = std::nullopt) {
  auto load = SnapshotLoad::Begin(store);
  EXPECT_TRUE(load) << load.error().message;
  const Status stored = StoreFleet(store, *load, kKey, std::move(facts));
  EXPECT_TRUE(stored) << stored.error().message;
  if (as_of) load->CoverTime(*load->Open(kKey), {*as_of, *as_of});
  ImportReport report;
  const Status committed = load->Commit(report);
  EXPECT_TRUE(committed) << committed.error().message;
  return report.loads.empty() ? "" : report.loads[0].outcome;
}

FleetFacts PodFacts(const std::string& name, std::optional<std::int64_t> ended, bool bound = true) {
  PodRecord pod;
  pod.cluster = "c1";
  pod.ns = "ml";
  pod.name = name;
  pod.uid = "uid-" + name;
  pod.workload_kind = "Pod";
  pod.workload = name;
  pod.requests = {{"nvidia.com/gpu", 1}};
  pod.created = AtSeconds(1'000);
  if (bound) {
    pod.node = "n1";
    pod.scheduled = AtSeconds(1'010);
  }
  if (ended) {
    pod.ended = AtSeconds(*ended);
    pod.end_reason = "Completed";
  }
  FleetFacts facts;
  AppendPod(pod, facts.holdings, facts.pending);
  return facts;
}

// Everything that readers see, as text in key order.
std::string Contents(Store& store) {
  const auto held =
      Query<HoldingBatch>(store, "SELECT * FROM active_holding ORDER BY uid, device_kind");
  const auto pending = Query<PendingBatch>(store, "SELECT * FROM active_pending ORDER BY name");
  EXPECT_TRUE(held && pending);
  std::string text;
  for (std::size_t i = 0; i < RowsOf(*held); ++i) {
    text += held->uid[i] + " " + (held->until[i] ? ToString(*held->until[i]) : "held") + "\n";
  }
  for (const std::string& name : pending->name) text += name + " waits\n";
  return text;
}

TEST(FleetLoadTest, SameFactsAgainChangeNothing) {
  const auto store = OpenStore();
  EXPECT_EQ(Load(*store, PodFacts("a", 2'000)), "loaded");
  EXPECT_EQ(Load(*store, PodFacts("a", 2'000)), "unchanged");
  EXPECT_EQ(Load(*store, PodFacts("a", std::nullopt)), "unchanged") << "older news is no news";
  EXPECT_EQ(Load(*store, PodFacts("b", 2'000)), "restated");
}

TEST(FleetLoadTest, WaitIsOverOnceThePodIsBound) {
  const auto store = OpenStore();
  Load(*store, PodFacts("a", std::nullopt, false));
  EXPECT_EQ(Contents(*store), "a waits\n");
  Load(*store, PodFacts("a", std::nullopt));
  EXPECT_EQ(Contents(*store), "uid-a held\n");
}

TEST(FleetLoadTest, DataSpanNeverShrinks) {
  const auto store = OpenStore();
  Load(*store, PodFacts("a", 2'000), AtSeconds(9'000));
  Load(*store, PodFacts("b", 2'000), AtSeconds(5'000));
  const auto rows = Query<SnapshotBatch>(*store, "SELECT * FROM snapshot WHERE active = 1");
  ASSERT_TRUE(rows);
  ASSERT_EQ(RowsOf(*rows), 1U);
  EXPECT_EQ(rows->data_begin[0], AtSeconds(1'010));
  EXPECT_EQ(rows->data_until[0], AtSeconds(9'000));
}

TEST(FleetLoadTest, SameRowsSeenLaterWereHeldForLonger) {
  const auto store = OpenStore();
  Load(*store, PodFacts("a", std::nullopt), AtSeconds(5'000));
  EXPECT_EQ(Load(*store, PodFacts("a", std::nullopt), AtSeconds(9'000)), "unchanged");
  const auto rows = Query<SnapshotBatch>(*store, "SELECT * FROM snapshot");
  ASSERT_TRUE(rows);
  ASSERT_EQ(RowsOf(*rows), 1U);
  EXPECT_EQ(rows->data_until[0], AtSeconds(9'000));
}

TEST(FleetLoadPropertyTest, AnyOrderOfLoadsGivesTheSameSnapshot) {
  std::string expected;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<FleetFacts> loads;
    for (const char* name : {"a", "b", "c"}) {
      loads.push_back(PodFacts(name, std::nullopt, false));
      loads.push_back(PodFacts(name, std::nullopt));
      loads.push_back(PodFacts(name, 2'000));
    }
    loads.push_back(loads[random() % loads.size()]);
    std::shuffle(loads.begin(), loads.end(), random);
    const auto store = OpenStore();
    for (const FleetFacts& facts : loads) Load(*store, facts);
    if (seed == 1) expected = Contents(*store);
    EXPECT_EQ(Contents(*store), expected);
  }
  EXPECT_EQ(expected.find("held"), std::string::npos);
}

// The same open pod seen for longer: its rows are equal, the time that is known of it is not.
TEST(FleetLoadTest, WhatTheSourceCoveredWidensTheSpanInAnyOrder) {
  for (const bool backwards : {false, true}) {
    const auto store = OpenStore();
    for (const int part : {0, 1}) {
      FleetFacts facts = PodFacts("a", std::nullopt);
      const std::int64_t begin = (part == 0) != backwards ? 900 : 4'500;
      facts.covered = Window{AtSeconds(begin), AtSeconds(begin + 3'600)};
      EXPECT_EQ(Load(*store, std::move(facts)), part == 0 ? "loaded" : "unchanged");
    }
    const auto rows = Query<SnapshotBatch>(*store, "SELECT * FROM snapshot WHERE active = 1");
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(rows->data_begin[0], AtSeconds(900));
    EXPECT_EQ(rows->data_until[0], AtSeconds(8'100));
  }
}

}  // namespace
}  // namespace plimsoll
