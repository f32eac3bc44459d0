#include "capacity/quota/flavor_assignment.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

// Two flavors of CPU: "first" and "second".
QueueSpec TwoFlavors(std::string name, std::string cohort, std::int64_t first,
                     std::int64_t second) {
  QueueSpec queue;
  queue.name = std::move(name);
  queue.cohort = std::move(cohort);
  queue.groups = {{{"first", {{"cpu", first, {}, {}}}}, {"second", {{"cpu", second, {}, {}}}}}};
  return queue;
}

QuotaRequest Asks(std::int64_t amount, std::int32_t count = 1) {
  QuotaRequest request;
  request.pod_sets = {{count, count, {{0, amount}}, {}}};
  return request;
}

std::string FlavorOf(const NamedState& named, const FlavorAssignment& assignment,
                     std::size_t pod_set = 0) {
  if (assignment.flavors.size() <= pod_set || assignment.flavors[pod_set].empty()) return "";
  return named.tree().flavors()[assignment.flavors[pod_set][0].flavor];
}

TEST(FlavorAssignmentTest, TheFirstFlavorThatFitsIsTaken) {
  NamedState named({.queues = {TwoFlavors("a", "", 4, 8)}});
  named.Admit("one", "a", 2, {.cell = 0});
  const FlavorAssignment small = AssignFlavors(named.state(), Asks(2), {});
  EXPECT_EQ(small.mode, AssignmentMode::kFit);
  EXPECT_EQ(FlavorOf(named, small), "first");
  const FlavorAssignment large = AssignFlavors(named.state(), Asks(4, 2), {});
  EXPECT_EQ(large.mode, AssignmentMode::kFit);
  EXPECT_EQ(FlavorOf(named, large), "second");
  EXPECT_EQ(large.usage, (std::vector<QuotaAmount>{{1, 8}}));
}

TEST(FlavorAssignmentTest, SaysWhetherItFitsLaterOrNever) {
  NamedState named({.queues = {TwoFlavors("a", "", 4, 8)}});
  named.Admit("one", "a", 8, {.cell = 1});
  EXPECT_EQ(AssignFlavors(named.state(), Asks(9), {}).reason, NoFitReason::kExceedsMaxQuota);
  // Within quota it might preempt, but finds nobody.
  const FlavorAssignment waits = AssignFlavors(named.state(), Asks(5), {});
  EXPECT_EQ(waits.mode, AssignmentMode::kPreempt);
  EXPECT_EQ(FlavorOf(named, waits), "second");
  QuotaRequest other = Asks(1);
  other.pod_sets[0].accepts = {false, false};
  EXPECT_EQ(AssignFlavors(named.state(), other, {}).reason, NoFitReason::kNoMatchingFlavor);
}

TEST(FlavorAssignmentTest, AboveItsQuotaAndWithoutARightItWaitsForQuota) {
  NamedState named({.queues = {AQueue("a", "all", 2), AQueue("b", "all", 4)}});
  named.Admit("b1", "b", 4);
  const FlavorAssignment one = AssignFlavors(named.state(), Asks(3), {});
  EXPECT_EQ(one.mode, AssignmentMode::kNoFit);
  EXPECT_EQ(one.reason, NoFitReason::kWaitingForQuota);
}

TEST(FlavorAssignmentTest, BorrowingStopsTheSearchUnlessToldToTryOn) {
  QueueSpec a = TwoFlavors("a", "all", 2, 4);
  for (const bool tries_on : {false, true}) {
    if (tries_on) a.fungibility.when_can_borrow = FlavorSearch::kTryNextFlavor;
    NamedState named({.queues = {a, TwoFlavors("b", "all", 4, 4)}});
    const FlavorAssignment one = AssignFlavors(named.state(), Asks(3), {});
    EXPECT_EQ(FlavorOf(named, one), tries_on ? "second" : "first");
    EXPECT_EQ(one.borrowing, tries_on ? 0 : 1);
  }
}

TEST(FlavorAssignmentTest, AnotherFlavorGoesBeforePreemptionUnlessToldToStop) {
  QueueSpec a = TwoFlavors("a", "", 4, 4);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  for (const bool stops : {false, true}) {
    if (stops) a.fungibility.when_can_preempt = FlavorSearch::kMayStopSearch;
    NamedState named({.queues = {a}});
    named.Admit("low", "a", 4, {.priority = -1, .cell = 0});
    const FlavorAssignment one = AssignFlavors(named.state(), Asks(3), {});
    EXPECT_EQ(FlavorOf(named, one), stops ? "first" : "second");
    EXPECT_EQ(one.mode, stops ? AssignmentMode::kPreempt : AssignmentMode::kFit);
    EXPECT_EQ(one.contested, stops ? std::vector<QuotaCell>{0} : std::vector<QuotaCell>{});
  }
}

TEST(FlavorAssignmentTest, PreferenceDecidesBetweenBorrowingAndPreemption) {
  QueueSpec a = TwoFlavors("a", "all", 4, 0);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  a.fungibility.when_can_borrow = FlavorSearch::kTryNextFlavor;
  for (const bool preempts : {false, true}) {
    if (preempts) a.fungibility.preference = FlavorPreference::kPreemptionOverBorrowing;
    NamedState named({.queues = {a, TwoFlavors("b", "all", 0, 4)}});
    named.Admit("low", "a", 4, {.priority = -1, .cell = 0});
    EXPECT_EQ(FlavorOf(named, AssignFlavors(named.state(), Asks(3), {})),
              preempts ? "first" : "second");
  }
}

TEST(FlavorAssignmentTest, ReclaimIsBetterThanEvictingOnesOwn) {
  QueueSpec a = TwoFlavors("a", "all", 4, 4);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  a.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  NamedState named({.queues = {a, TwoFlavors("b", "all", 0, 0)}});
  named.Admit("own", "a", 4, {.priority = -1, .cell = 0});
  named.Admit("other", "b", 4, {.cell = 1});
  EXPECT_EQ(FlavorOf(named, AssignFlavors(named.state(), Asks(3), {})), "second");
}

// kueue#2270: what takes another flavor is not held up by who waits for the first.
TEST(FlavorAssignmentTest, PodSetsCountForEachOtherAndChooseForThemselves) {
  NamedState named({.queues = {TwoFlavors("a", "", 4, 4)}});
  QuotaRequest request = Asks(3);
  request.pod_sets.push_back({1, 1, {{0, 3}}, {}});
  const FlavorAssignment one = AssignFlavors(named.state(), request, {});
  EXPECT_EQ(one.mode, AssignmentMode::kFit);
  EXPECT_EQ(FlavorOf(named, one, 0), "first");
  EXPECT_EQ(FlavorOf(named, one, 1), "second");
  EXPECT_EQ(one.usage, (std::vector<QuotaAmount>{{0, 3}, {1, 3}}));
}

TEST(FlavorAssignmentTest, ResourcesOfAGroupGetOneFlavor) {
  QueueSpec a = TwoFlavors("a", "", 8, 8);
  a.groups[0][0].resources.push_back({"gpu", 1, {}, {}});
  a.groups[0][1].resources.push_back({"gpu", 4, {}, {}});
  NamedState named({.queues = {a}});
  QuotaRequest request = Asks(2);
  request.pod_sets[0].per_pod.push_back({named.tree().FindResource("gpu"), 2});
  const FlavorAssignment one = AssignFlavors(named.state(), request, {});
  ASSERT_EQ(one.flavors[0].size(), 2u);
  for (const ResourceFlavor& each : one.flavors[0]) {
    EXPECT_EQ(named.tree().flavors()[each.flavor], "second");
  }
}

TEST(FlavorAssignmentTest, PodsAreCountedWhereTheyHaveAQuota) {
  QueueSpec a = AQueue("a", "", 100);
  a.groups.push_back({{"default", {{"pods", 3, {}, {}}}}});
  NamedState named({.queues = {a}});
  EXPECT_EQ(AssignFlavors(named.state(), Asks(1, 3), {}).mode, AssignmentMode::kFit);
  EXPECT_EQ(AssignFlavors(named.state(), Asks(1, 4), {}).reason, NoFitReason::kExceedsMaxQuota);
}

TEST(FlavorAssignmentTest, AResourceWithoutAQuotaFitsOnlyIfNoneOfItIsAskedFor) {
  NamedState named({.queues = {AQueue("a", "", 4), TwoFlavors("b", "", 4, 4)}});
  QuotaRequest request = Asks(1);
  request.pod_sets[0].per_pod.push_back({1, 0});
  EXPECT_EQ(AssignFlavors(named.state(), request, {}).mode, AssignmentMode::kFit);
  request.pod_sets[0].per_pod[1].amount = 1;
  EXPECT_EQ(AssignFlavors(named.state(), request, {}).reason, NoFitReason::kNoMatchingFlavor);
}

TEST(FlavorAssignmentTest, TheSearchGoesOnAfterTheLastFlavorTried) {
  QueueSpec a = TwoFlavors("a", "", 4, 4);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  a.fungibility.when_can_preempt = FlavorSearch::kMayStopSearch;
  NamedState named({.queues = {a}});
  named.Admit("low", "a", 4, {.priority = -1, .cell = 0});
  QuotaRequest request = Asks(3);
  const FlavorAssignment first = AssignFlavors(named.state(), request, {});
  EXPECT_TRUE(first.flavors_left);
  request.cursor = first.cursor;
  const FlavorAssignment second = AssignFlavors(named.state(), request, {});
  EXPECT_EQ(FlavorOf(named, second), "second");
  EXPECT_FALSE(second.flavors_left);
  request.cursor = second.cursor;
  EXPECT_EQ(FlavorOf(named, AssignFlavors(named.state(), request, {})), "first");
}

TEST(FlavorAssignmentTest, AResourceNamedTwiceIsAskedForInAll) {
  NamedState named({.queues = {AQueue("a", "", 4)}});
  QuotaRequest request = Asks(3);
  request.pod_sets[0].per_pod.push_back({0, 3});
  EXPECT_EQ(AssignFlavors(named.state(), request, {}).reason, NoFitReason::kExceedsMaxQuota);
}

TEST(FlavorAssignmentTest, AmountsThatDoNotFitTheTypeNeverFit) {
  NamedState named({.queues = {AQueue("a", "", kQuotaAmountMax)}});
  EXPECT_EQ(AssignFlavors(named.state(), Asks(INT64_MAX, 7), {}).reason,
            NoFitReason::kExceedsMaxQuota);
}

TEST(NominateTest, VictimsComeWithTheFlavor) {
  QueueSpec a = AQueue("a", "", 4);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  NamedState named({.queues = {a}});
  named.Admit("low", "a", 4, {.priority = -1});
  const Nomination one = Nominate(named.state(), Asks(2), {});
  EXPECT_EQ(one.assignment.mode, AssignmentMode::kPreempt);
  EXPECT_EQ(named.Names(one.victims), "low InClusterQueue");
}

TEST(NominateTest, AsManyPodsAsFitAreTakenWhereFewerWillDo) {
  NamedState named({.queues = {AQueue("a", "", 10)}});
  named.Admit("one", "a", 3);
  QuotaRequest request = Asks(1, 10);
  request.pod_sets[0].min_count = 2;
  const Nomination one = Nominate(named.state(), request, {});
  EXPECT_EQ(one.assignment.mode, AssignmentMode::kFit);
  EXPECT_EQ(one.assignment.counts, std::vector<std::int32_t>{7});
  QuotaRules rigid;
  rigid.partial_admission = false;
  EXPECT_EQ(Nominate(named.state(), request, rigid).assignment.mode, AssignmentMode::kPreempt);
  request.pod_sets[0].min_count = 8;
  EXPECT_EQ(Nominate(named.state(), request, {}).assignment.counts, std::vector<std::int32_t>{10});
}

TEST(NominateTest, NodesMayForbidWhatQuotaAllows) {
  QueueSpec a = AQueue("a", "", 8);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  NamedState named({.queues = {a}});
  named.Admit("low", "a", 4, {.priority = -1});
  PlacementHooks hooks;
  hooks.could_place = [](const QuotaRequest&, const FlavorAssignment&) {
    return AssignmentMode::kPreempt;  // quota is there, a node is not
  };
  EXPECT_EQ(named.Names(Nominate(named.state(), Asks(2), {}, hooks).victims), "low InClusterQueue");
  hooks.places_without = [](const QuotaRequest&, const FlavorAssignment&, std::span<const Victim>) {
    return false;
  };
  EXPECT_TRUE(Nominate(named.state(), Asks(2), {}, hooks).victims.empty());
  hooks.could_place = [](const QuotaRequest&, const FlavorAssignment&) {
    return AssignmentMode::kNoFit;
  };
  EXPECT_EQ(Nominate(named.state(), Asks(2), {}, hooks).assignment.reason,
            NoFitReason::kPlacementFailed);
}

}  // namespace
}  // namespace plimsoll
