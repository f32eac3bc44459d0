#include "capacity/quota/head_order.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

// Heads with ids 0, 1, 2 ... of the queues in their order.
class Heads {
 public:
  void Add(QuotaNode queue, std::int64_t amount, std::int32_t borrowing, std::int32_t priority = 0,
           std::int64_t queued_s = 0) {
    QuotaRequest request;
    request.id = requests_.size();
    request.queue = queue;
    request.priority = priority;
    request.queued = AtSeconds(queued_s);
    requests_.push_back(request);
    usage_.push_back({{0, amount}});
    borrowing_.push_back(borrowing);
  }
  std::vector<std::size_t> Order(QuotaState& state, const QuotaRules& rules) const {
    std::vector<OrderedHead> heads;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      heads.push_back({&requests_[i], usage_[i], borrowing_[i]});
    }
    HeadOrder order(heads, rules);
    std::vector<std::size_t> out;
    while (const auto next = order.Next(state)) out.push_back(*next);
    return out;
  }

 private:
  std::vector<QuotaRequest> requests_;
  std::vector<std::vector<QuotaAmount>> usage_;
  std::vector<std::int32_t> borrowing_;
};

using Indices = std::vector<std::size_t>;

QuotaSpec Three() {
  return {.queues = {AQueue("a", "all", 4), AQueue("b", "all", 4), AQueue("c", "all", 4)}};
}

TEST(HeadOrderTest, WithinQuotaThenPriorityThenTheLongerWait) {
  NamedState named(Three());
  Heads heads;
  heads.Add(0, 1, 1, 9, 0);
  heads.Add(1, 1, 0, 1, 5);
  heads.Add(2, 1, 0, 2, 9);
  EXPECT_EQ(heads.Order(named.state(), {}), (Indices{2, 1, 0}));
  QuotaRules flat;
  flat.priority_sorting_within_cohort = false;
  EXPECT_EQ(heads.Order(named.state(), flat), (Indices{1, 2, 0}));
}

TEST(HeadOrderTest, FairlyTheLowestShareGoesFirst) {
  NamedState named(Three());
  named.Admit("a1", "a", 4);
  named.Admit("b1", "b", 4);
  Heads heads;
  heads.Add(0, 3, 1, 9);
  heads.Add(1, 2, 1, 0);
  heads.Add(2, 1, 0, 0);
  QuotaRules fair;
  fair.fair_sharing = true;
  EXPECT_EQ(heads.Order(named.state(), fair), (Indices{2, 1, 0}));
  EXPECT_EQ(named.tree().usage(named.Queue("c"), 0), 0);  // nothing is left behind
}

TEST(HeadOrderTest, FairlyWithinQuotaOfWhatIsAskedGoesBeforeALowerShare) {
  QuotaSpec spec = {.queues = {AQueue("a", "all", 4), AQueue("b", "all", 0)}};
  for (QueueSpec& queue : spec.queues) {
    queue.groups[0].push_back({"other", {{"cpu", 20, {}, {}}}});
  }
  NamedState named(spec);
  named.Admit("a1", "a", 25, {.cell = 1});  // above its quota, of the other flavor
  Heads heads;
  heads.Add(0, 1, 0);  // within quota of what it asks for
  heads.Add(1, 1, 1);  // a small loan
  QuotaRules fair;
  fair.fair_sharing = true;
  EXPECT_EQ(heads.Order(named.state(), fair), (Indices{0, 1}));
  fair.fair_sharing_prioritize_non_borrowing = false;
  EXPECT_EQ(heads.Order(named.state(), fair), (Indices{1, 0}));
}

TEST(HeadOrderTest, FairlyTheTournamentGoesDownTheTree) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 12), ACohort("left", "root", 0), ACohort("right", "root", 0)};
  spec.queues = {AQueue("l1", "left", 0), AQueue("l2", "left", 0), AQueue("r", "right", 0)};
  NamedState named(spec);
  named.Admit("l", "l1", 4);
  Heads heads;
  heads.Add(0, 1, 2);  // left would have 5
  heads.Add(1, 2, 2);  // left would have 6, but l2 less than l1
  heads.Add(2, 5, 2);  // right would have 5
  QuotaRules fair;
  fair.fair_sharing = true;
  // l2 wins in left with 2 of 12, and then left's 6 loses against right's 5.
  EXPECT_EQ(heads.Order(named.state(), fair), (Indices{2, 1, 0}));
}

TEST(HeadOrderTest, QueuesWithoutACohortNeedNoTournament) {
  NamedState named({.queues = {AQueue("a", "", 4), AQueue("b", "", 4)}});
  Heads heads;
  heads.Add(0, 1, 0, 0, 2);
  heads.Add(1, 1, 0, 0, 1);
  QuotaRules fair;
  fair.fair_sharing = true;
  EXPECT_EQ(heads.Order(named.state(), fair), (Indices{1, 0}));
}

}  // namespace
}  // namespace plimsoll
