#include "ingest/kubernetes/absent.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

void AddPod(const std::string& uid, FleetFacts& facts) {
  PodRecord pod;
  pod.cluster = "c1";
  pod.uid = uid;
  pod.node = "n1";
  pod.scheduled = AtSeconds(100);
  AppendPod(pod, facts.holdings, facts.pending);
}
void AddNode(const std::string& name, std::optional<Instant> until, NodeBatch& nodes) {
  FieldError error;
  ClusterObjects objects("c1", nullptr);
  objects.Add({{"kind", "Node"}, {"metadata", {{"name", name}}}}, "", error);
  AppendRow(nodes, objects.Finish().facts.nodes, 0);
  nodes.until.back() = until;
}

TEST(AbsentTest, OpenPodThatACompleteReadingLacksEnds) {
  KnownFacts known;
  AddPod("kept", known.facts);
  AddPod("gone", known.facts);
  known.until = AtSeconds(500);
  FleetFacts facts;
  AddPod("kept", facts);
  FleetFacts partial = facts;
  EXPECT_EQ(EndAbsent(known, partial), 0) << "a file may be a part of the cluster";
  known.complete = {"Pod"};
  EXPECT_EQ(EndAbsent(known, facts), 1);
  ASSERT_EQ(RowsOf(facts.holdings), 2U);
  EXPECT_EQ(facts.holdings.uid[1], "gone");
  EXPECT_EQ(facts.holdings.until[1], AtSeconds(500));
  EXPECT_FALSE(facts.holdings.until[0]);
}

TEST(AbsentTest, NodeEndsAndMayComeBack) {
  KnownFacts known;
  known.until = AtSeconds(500);
  known.complete = {"Node"};
  AddNode("gone", std::nullopt, known.facts.nodes);
  AddNode("back", AtSeconds(300), known.facts.nodes);
  FleetFacts facts;
  AddNode("back", std::nullopt, facts.nodes);
  EXPECT_EQ(EndAbsent(known, facts), 1);
  ASSERT_EQ(RowsOf(facts.nodes), 2U);
  EXPECT_GT(facts.nodes.until[0].value_or(AtSeconds(0)), AtSeconds(4'000'000'000))
      << "its old end no more counts";
  EXPECT_EQ(facts.nodes.until[1], AtSeconds(500));
}

TEST(AbsentTest, NothingKnownEndsNothing) {
  KnownFacts known;
  known.complete = {"Pod", "Node"};
  FleetFacts facts;
  AddPod("a", facts);
  EXPECT_EQ(EndAbsent(known, facts), 0);
}

}  // namespace
}  // namespace plimsoll
