#include "ledger/facts.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

using FactsTest = LedgerFixture;

TEST_F(FactsTest, WhatDoesNotTouchTheWindowIsLeftOut) {
  const auto facts = ReadOccupancy(*store_, {kFactsDay + Hours(1), kFactsDay + Hours(2)});
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(RowsOf(facts->nodes), 1u);     // exists without an end
  EXPECT_EQ(RowsOf(facts->holdings), 0u);  // ended when the window begins
}

TEST_F(FactsTest, EvidenceOfAHolderIsKeptBeyondItsDay) {
  OccupancyFacts facts = *ReadOccupancy(*store_, Day());
  for (const char* name : {"train", "stranger"}) {
    const std::size_t i = AddBlankRow(facts.bindings);
    facts.bindings.cluster[i] = "c";
    facts.bindings.node[i] = "gpu-1";
    facts.bindings.name[i] = name;
    facts.bindings.begin[i] = kFactsDay + Hours(30);
    facts.bindings.until[i] = kFactsDay + Hours(31);
  }
  const OccupancyFacts day = OccupancyIndex(facts).Touching(Day());
  EXPECT_EQ(day.bindings.name, std::vector<std::string>{"train"});
}

// A day knows when the state it begins in began, through equal sightings before it, and no more.
TEST_F(FactsTest, AStateOfADayBeganBeforeIt) {
  OccupancyFacts facts;
  const auto add = [&](const char* value, Instant since) {
    const std::size_t i = AddBlankRow(facts.conditions.states);
    facts.conditions.states.cluster[i] = "c";
    facts.conditions.states.node[i] = "gpu-1";
    facts.conditions.states.aspect[i] = "schedulable";
    facts.conditions.states.value[i] = value;
    facts.conditions.states.since[i] = since;
    facts.conditions.states.seen[i] = kFactsDay + Days(9);
  };
  add("no", kFactsDay - Hours(30));
  add("yes", kFactsDay - Hours(20));
  add("no", kFactsDay - Hours(10));
  add("no", kFactsDay - Hours(2));
  add("yes", kFactsDay + Hours(3));
  add("no", kFactsDay + Hours(30));
  const NodeStateBatch states = OccupancyIndex(facts).Touching(Day()).conditions.states;
  EXPECT_EQ(states.since, (std::vector<Instant>{kFactsDay - Hours(10), kFactsDay - Hours(2),
                                                kFactsDay + Hours(3)}));
  EXPECT_EQ(states.seen[0], Day().until);
}

TEST_F(FactsTest, ABillReachesToTheEndOfItsLastHour) {
  const auto billed = ReadBilled(*store_);
  ASSERT_TRUE(billed) << billed.error().message;
  ASSERT_EQ(billed->size(), 1u);
  EXPECT_EQ(billed->front().resource_id, "i-1");
  EXPECT_EQ(billed->front().covered, (Window{kFactsDay, kFactsDay + Hours(2)}));
}

TEST_F(FactsTest, ProvenanceNamesTheSnapshotsOfTheDay) {
  const auto provenance = ReadProvenance(*store_, Day());
  ASSERT_TRUE(provenance) << provenance.error().message;
  EXPECT_NE(provenance->hashes.find("charge/AWS|1|USD/"), std::string::npos);
  EXPECT_FALSE(provenance->snapshot_ids.empty());
}

TEST_F(FactsTest, ACorrectionOfAnotherPeriodIsPartOfItsDay) {
  ChargeBatch charges;
  AddCharge(charges, "i-1", 0, 60, Money::Units(-1));
  charges.billing_begin[0] = MonthOf(kFactsDay).until;
  charges.billing_until[0] = MonthOf(MonthOf(kFactsDay).until).until;
  const auto before = ReadProvenance(*store_, Day());
  auto load = SnapshotLoad::Begin(*store_);
  ASSERT_TRUE(load) << load.error().message;
  const SnapshotKey key{
      "charge", "AWS|1|USD", {charges.billing_begin[0], charges.billing_until[0]}};
  const auto id = load->Open(key);
  ASSERT_TRUE(id) << id.error().message;
  charges.snapshot_id[0] = *id;
  load->CoverTime(*id, {charges.billing_begin[0], charges.billing_begin[0] + Days(3)});
  ASSERT_TRUE(load->Append("charge", charges));
  ImportReport report;
  ASSERT_TRUE(load->Commit(report));
  const auto after = ReadProvenance(*store_, Day());
  EXPECT_NE(before->hashes, after->hashes);
}

TEST_F(FactsTest, NodesOfWeeksAroundAreKept) {
  OccupancyFacts facts = *ReadOccupancy(*store_, Day());
  facts.nodes.until[0] = kFactsDay - Days(3);
  EXPECT_EQ(RowsOf(OccupancyIndex(facts).Touching(Day()).nodes), 1u);
  facts.nodes.until[0] = kFactsDay - Days(300);
  EXPECT_EQ(RowsOf(OccupancyIndex(facts).Touching(Day()).nodes), 0u);
}

TEST_F(FactsTest, AHoldingIsCutWithEverySourcesRow) {
  OccupancyFacts facts = *ReadOccupancy(*store_, Day());
  ASSERT_EQ(RowsOf(facts.holdings), 1u);
  AppendRow(facts.holdings, HoldingBatch(facts.holdings), 0);
  facts.holdings.source[1] = "kube-state-metrics";
  facts.holdings.until[0] = kFactsDay - Hours(1);
  EXPECT_EQ(RowsOf(OccupancyIndex(facts).Touching(Day()).holdings), 2u);
}

}  // namespace
}  // namespace plimsoll
