// Properties of Kueue's quotas on random trees, and a second implementation of what is available.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "capacity/quota/fair_share.h"
#include "capacity/quota/pending_queue.h"
#include "capacity/quota/quota_cycle.h"
#include "property/naive_fair.h"
#include "property/naive_quota.h"

namespace plimsoll {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::int64_t Up(std::int64_t most) {  // 0 ... most
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most + 1));
  }
  bool Chance(int percent) { return Up(99) < percent; }
  template <class T>
  T OneOf(std::initializer_list<T> of) {
    return of.begin()[Up(static_cast<std::int64_t>(of.size()) - 1)];
  }

 private:
  std::mt19937 engine_;
};

std::vector<QuotaGroup> RandomQuota(Random& random) {
  ResourceQuota quota = {"cpu", random.Up(8), {}, {}};
  if (random.Chance(30)) quota.borrowing_limit = random.Up(6);
  if (random.Chance(30)) quota.lending_limit = random.Up(6);
  return {{{"default", {quota}}}};
}

std::int64_t RandomWeight(Random& random) {
  return random.OneOf<std::int64_t>({0, kWeightOne / 2, kWeightOne, kWeightOne, 3 * kWeightOne});
}

QuotaSpec RandomSpec(Random& random) {
  QuotaSpec spec;
  const std::int64_t cohorts = 1 + random.Up(4);
  for (std::int64_t i = 0; i < cohorts; ++i) {
    CohortSpec& one = spec.cohorts.emplace_back();
    one.name = "cohort" + std::to_string(i);
    if (i > 0) one.parent = "cohort" + std::to_string(random.Up(i - 1));
    one.weight_nano = RandomWeight(random);
    one.groups = RandomQuota(random);
    if (i == 0) one.groups[0][0].resources[0] = {"cpu", random.Up(8), {}, {}};
  }
  const std::int64_t queues = 1 + random.Up(5);
  for (std::int64_t i = 0; i < queues; ++i) {
    QueueSpec& one = spec.queues.emplace_back();
    one.name = "queue" + std::to_string(i);
    if (!random.Chance(10)) one.cohort = "cohort" + std::to_string(random.Up(cohorts - 1));
    one.weight_nano = RandomWeight(random);
    one.groups = RandomQuota(random);
    one.preemption.within_queue =
        random.OneOf({PreemptionPolicy::kNever, PreemptionPolicy::kLowerPriority,
                      PreemptionPolicy::kLowerOrNewerEqualPriority});
    one.preemption.reclaim_within_cohort = random.OneOf(
        {PreemptionPolicy::kNever, PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny});
    one.preemption.borrow_within_cohort = random.Chance(40);
    if (random.Chance(50)) {
      one.preemption.max_priority_threshold = static_cast<std::int32_t>(random.Up(3));
    }
  }
  return spec;
}

QuotaTree TreeOf(const QuotaSpec& spec) {
  Result<QuotaTree> tree = QuotaTree::Build(spec);
  EXPECT_TRUE(tree) << tree.error().message;
  return *std::move(tree);
}

// A tree with workloads that all fitted when they came in.
struct World {
  explicit World(Random& random) : spec(RandomSpec(random)), naive(spec), state(TreeOf(spec)) {
    for (std::int64_t i = 0; i < 25; ++i) {
      AdmittedWorkload one;
      one.id = static_cast<std::uint64_t>(i);
      one.queue =
          static_cast<QuotaNode>(random.Up(static_cast<std::int64_t>(spec.queues.size()) - 1));
      one.priority = static_cast<std::int32_t>(random.Up(4));
      one.queued = AtSeconds(random.Up(9));
      one.reserved = AtSeconds(random.Up(9));
      one.evicted = random.Chance(10);
      one.usage = {{0, 1 + random.Up(3)}};
      if (!state.tree().Fits(one.queue, one.usage)) continue;
      held.emplace_back(spec.queues[one.queue].name, one.usage[0].amount);
      state.Admit(one);
    }
  }
  const std::string& NameOf(QuotaNode queue) const { return spec.queues[queue].name; }

  QuotaSpec spec;
  NaiveQuota naive;
  QuotaState state;
  NaiveQuota::Held held;
};

std::vector<std::int64_t> UsageOf(const QuotaTree& tree) {
  std::vector<std::int64_t> out;
  for (QuotaNode node = 0; node < tree.size(); ++node) out.push_back(tree.usage(node, 0));
  return out;
}

TEST(QuotaPropertyTest, AvailableIsWhatTheRecursionSaysOfAnySetOfWorkloads) {
  for (std::uint32_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    // Beyond all limits too, as after quota was taken away.
    const auto queue =
        static_cast<QuotaNode>(random.Up(static_cast<std::int64_t>(world.spec.queues.size()) - 1));
    const QuotaAmount more[] = {{0, random.Up(12)}};
    world.state.AddUsage(queue, more);
    world.held.emplace_back(world.NameOf(queue), more[0].amount);
    for (QuotaNode node = 0; node < world.spec.queues.size(); ++node) {
      ASSERT_EQ(world.state.tree().Available(node, 0),
                world.naive.Available(world.NameOf(node), world.held));
    }
  }
}

TEST(QuotaPropertyTest, AnAmountIsAvailableJustWhereAddingItKeepsAllLimits) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    ASSERT_TRUE(world.naive.KeepsLimits(world.held));
    for (QuotaNode node = 0; node < world.spec.queues.size(); ++node) {
      for (std::int64_t amount = 1; amount <= 12; ++amount) {
        NaiveQuota::Held with = world.held;
        with.emplace_back(world.NameOf(node), amount);
        ASSERT_EQ(world.state.tree().Available(node, 0) >= amount, world.naive.KeepsLimits(with))
            << world.NameOf(node) << " " << amount;
      }
    }
  }
}

TEST(QuotaPropertyTest, ReleasedInAnyOrderNothingIsLeft) {
  for (std::uint32_t seed = 1; seed <= 1'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    for (QuotaNode node = 0; node < world.spec.queues.size(); ++node) {
      while (!world.state.workloads(node).empty()) {
        const auto workloads = world.state.workloads(node);
        const auto at = random.Up(static_cast<std::int64_t>(workloads.size()) - 1);
        world.state.Release(workloads[static_cast<std::size_t>(at)]);
      }
    }
    for (const std::int64_t usage : UsageOf(world.state.tree())) ASSERT_EQ(usage, 0);
  }
}

// One preemptor on one world, and the properties of its victims.
void CheckVictims(World& world, Random& random, bool fair) {
  QuotaRules rules;
  rules.fair_sharing = fair;
  const auto queue =
      static_cast<QuotaNode>(random.Up(static_cast<std::int64_t>(world.spec.queues.size()) - 1));
  const QuotaAmount usage[] = {{0, 1 + random.Up(5)}};
  const QuotaCell contested[] = {0};
  const QuotaTree& tree = world.state.tree();
  if (tree.Fits(queue, usage)) return;
  const Preemptor preemptor = {queue, static_cast<std::int32_t>(random.Up(5)),
                               AtSeconds(random.Up(9)), usage, contested};
  const std::vector<std::int64_t> before = UsageOf(tree);
  const std::vector<Victim> victims = FindVictims(world.state, preemptor, rules);
  ASSERT_EQ(UsageOf(tree), before);
  if (victims.empty()) return;
  for (const Victim& one : victims) {
    const AdmittedWorkload& workload = world.state.workload(one.workload);
    if (workload.queue == queue) {
      ASSERT_EQ(one.reason, PreemptionReason::kInClusterQueue);
      ASSERT_LE(workload.priority, preemptor.priority);
    } else {
      ASSERT_NE(one.reason, PreemptionReason::kInClusterQueue);
      ASSERT_TRUE(tree.Borrows(workload.queue, 0)) << "one within its quota was reclaimed";
    }
  }
  for (const Victim& one : victims) world.state.RemoveUsage(one.workload);
  ASSERT_TRUE(tree.Fits(queue, usage));
  for (const Victim& one : victims) {
    world.state.AddUsage(one.workload);
    // Classical, reclaimed without borrowing: it needs them for its own quota, or to fit.
    const bool within = !tree.Borrows(queue, 0, usage[0].amount);
    ASSERT_FALSE(tree.Fits(queue, usage) && (fair || within)) << "a victim could have stayed";
    world.state.RemoveUsage(one.workload);
  }
  for (const Victim& one : victims) world.state.AddUsage(one.workload);
}

TEST(QuotaPropertyTest, VictimsMakeRoomAndNoneOfThemCouldStay) {
  for (std::uint32_t seed = 1; seed <= 4'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    for (const bool fair : {false, true}) {
      for (int i = 0; i < 4; ++i) CheckVictims(world, random, fair);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(QuotaPropertyTest, FairVictimsAreThoseOfTheRulesToldStepByStep) {
  for (std::uint32_t seed = 1; seed <= 6'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    QuotaRules rules;
    rules.fair_sharing = true;
    if (random.Chance(20)) rules.fair_strategies = {FairStrategy::kLessThanInitialShare};
    rules.fair_sharing_preempt_within_nominal = random.Chance(80);
    rules.fair_sharing_reevaluate_preemption_candidates = random.Chance(30);
    const auto queue =
        static_cast<QuotaNode>(random.Up(static_cast<std::int64_t>(world.spec.queues.size()) - 1));
    const QuotaAmount usage[] = {{0, 1 + random.Up(5)}};
    const QuotaCell contested[] = {0};
    const Preemptor preemptor = {queue, static_cast<std::int32_t>(random.Up(5)),
                                 AtSeconds(random.Up(9)), usage, contested};
    const auto by_id = [](const Victim& a, const Victim& b) { return a.workload < b.workload; };
    std::vector<Victim> want = NaiveFairVictims(world.state, preemptor, rules);
    std::vector<Victim> got = FindVictims(world.state, preemptor, rules);
    std::sort(want.begin(), want.end(), by_id);
    std::sort(got.begin(), got.end(), by_id);
    ASSERT_EQ(got, want);
  }
}

// Cycles on a world until nothing moves; evicted workloads come back at once.
class Churn {
 public:
  Churn(World& world, const QuotaRules& rules) : state_(world.state), rules_(rules) {
    for (const QueueSpec& one : world.spec.queues) queues_.emplace_back(one.strategy);
  }
  void Push(const QuotaRequest& request) {
    requests_[request.id] = request;
    queues_[request.queue].Push({request.id, request.priority, request.queued, 0});
  }
  int Run(int cycles_max) {
    while (cycles_ < cycles_max && AnyCanTry()) Cycle();
    return evictions_;
  }
  int cycles() const { return cycles_; }

 private:
  bool AnyCanTry() const {
    return std::any_of(queues_.begin(), queues_.end(),
                       [](const PendingQueue& one) { return one.CanTry(); });
  }
  void Cycle() {
    ++cycles_;
    std::vector<QuotaRequest> heads;
    std::vector<PendingQueue::Entry> entries;
    for (PendingQueue& queue : queues_) {
      const auto entry = queue.Pop();
      if (!entry) continue;
      entries.push_back(*entry);
      heads.push_back(requests_.at(entry->id));
    }
    for (const QuotaDecision& one :
         QuotaCycle(state_, rules_).Run(heads, AtSeconds(100 + cycles_))) {
      const QuotaRequest& head = heads[one.head];
      if (one.verdict != QuotaVerdict::kAdmitted) {
        queues_[head.queue].Requeue(entries[one.head], one.verdict,
                                    one.nomination.assignment.flavors_left);
      }
      for (const Victim& victim : one.evict) Evict(victim);
    }
  }
  void Evict(const Victim& victim) {
    const AdmittedWorkload gone = state_.workload(victim.workload);
    state_.Release(victim.workload);
    ++evictions_;
    QuotaRequest again = {gone.id, gone.queue, gone.priority, {}, {}, {}};
    again.queued = QueuedAfterEviction(gone, victim.reason, AtSeconds(100 + cycles_), rules_);
    again.pod_sets = {{1, 1, {{0, gone.usage[0].amount}}, {}}};
    Push(again);
    for (PendingQueue& queue : queues_) queue.Wake();
  }

  QuotaState& state_;
  const QuotaRules& rules_;
  std::vector<PendingQueue> queues_;
  std::map<std::uint64_t, QuotaRequest> requests_;
  int cycles_ = 0, evictions_ = 0;
};

// kueue#2821. Under LowerPriority everywhere an eviction always serves a higher priority. Of one
// cohort and with the order by priority: in nested ones Kueue lets who borrows less far go first
// whatever its priority, and without that order who waits longer, so that some take turns for ever.
TEST(QuotaPropertyTest, EvictionsEndUnderPriorities) {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    world.spec.cohorts.resize(1);
    for (QueueSpec& one : world.spec.queues) {
      if (!one.cohort.empty()) one.cohort = world.spec.cohorts[0].name;
      one.preemption.within_queue = PreemptionPolicy::kLowerPriority;
      one.preemption.reclaim_within_cohort = PreemptionPolicy::kLowerPriority;
    }
    world.state = QuotaState(TreeOf(world.spec));
    const QuotaRules rules;
    Churn churn(world, rules);
    for (std::uint64_t id = 0; id < 12; ++id) {
      QuotaRequest request;
      request.id = id;
      request.queue = static_cast<QuotaNode>(
          random.Up(static_cast<std::int64_t>(world.spec.queues.size()) - 1));
      request.priority = static_cast<std::int32_t>(random.Up(3));
      request.queued = AtSeconds(random.Up(20));
      request.pod_sets = {{1, 1, {{0, 1 + random.Up(4)}}, {}}};
      churn.Push(request);
    }
    const int evictions = churn.Run(2'000);
    ASSERT_LT(churn.cycles(), 2'000) << "admitted and evicted without end";
    ASSERT_LE(evictions, 12 * 12 * 4);
    for (QuotaNode node = 0; node < world.spec.queues.size(); ++node) {
      ASSERT_GE(world.state.tree().Available(node, 0), 0);  // nothing was admitted twice
    }
  }
}

TEST(QuotaPropertyTest, SharesAreNeverBelowZeroAndZeroWithinQuota) {
  for (std::uint32_t seed = 1; seed <= 1'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    World world(random);
    const QuotaTree& tree = world.state.tree();
    for (QuotaNode node = 0; node < tree.size(); ++node) {
      const FairShare share = ShareOf(tree, node);
      ASSERT_GE(share.ratio, 0);
      ASSERT_EQ(share.borrows, tree.HasParent(node) && tree.Borrows(node, 0));
      ASSERT_TRUE(share.borrows || share.value() == 0);
    }
  }
}

}  // namespace
}  // namespace plimsoll
