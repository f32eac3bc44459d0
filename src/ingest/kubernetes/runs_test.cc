#include "ingest/kubernetes/runs.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace plimsoll {
namespace {

Instant T(std::int64_t seconds) { return AtSeconds(seconds); }

// What is known after `known` and the runs that changed.
std::vector<StateRun> Apply(const std::vector<StateRun>& known,
                            const std::vector<StateRun>& settled) {
  std::vector<StateRun> all;
  for (const StateRun& run : known) {
    bool replaced = false;
    for (const StateRun& later : settled) replaced = replaced || later.since == run.since;
    if (!replaced) all.push_back(run);
  }
  all.insert(all.end(), settled.begin(), settled.end());
  return all;
}

TEST(RunsTest, SameValueExtendsAndAnotherBegins) {
  const auto runs = SettleRuns({}, {{"ok", T(10), T(5), ""},
                                    {"ok", T(20), {}, ""},
                                    {"failed", T(30), T(25), "kubelet"},
                                    {"ok", T(40), {}, ""}});
  EXPECT_EQ(runs, (std::vector<StateRun>{{"ok", T(5), T(20), ""},
                                         {"failed", T(25), T(30), "kubelet"},
                                         {"ok", T(40), T(40), ""}}));
}

TEST(RunsTest, ChangeIsNotBeforeTheLastSightingOfTheOtherValue) {
  // The Ready condition is as old as the node, but its GPUs were missing at 20.
  const auto runs = SettleRuns({{"initializing", T(1), T(20), ""}}, {{"ok", T(30), T(5), ""}});
  EXPECT_EQ(runs, (std::vector<StateRun>{{"ok", T(30), T(30), ""}}));
}

TEST(RunsTest, OneLoadOrManyGiveTheSameRuns) {
  std::vector<Sighted> all;
  for (std::int64_t t = 0; t < 100; ++t) {
    all.push_back({t % 7 < 4 ? "yes" : "no", T(10 * t), {}, ""});
  }
  const auto at_once = SettleRuns({}, all);
  std::vector<StateRun> known;
  for (std::size_t begin = 0; begin < all.size(); begin += 9) {
    const auto end = std::min(begin + 9, all.size());
    const std::vector<Sighted> part(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                    all.begin() + static_cast<std::ptrdiff_t>(end));
    known = Apply(known, SettleRuns(known, part));
    EXPECT_EQ(Apply(known, SettleRuns(known, part)).size(), known.size()) << "repetition";
  }
  EXPECT_EQ(known, at_once);
  EXPECT_LT(at_once.size(), 35U);
}

TEST(RunsTest, NothingBeginsNoRunButEndsOne) {
  EXPECT_TRUE(SettleRuns({}, {{"0", T(1), {}, ""}}, "0").empty());
  EXPECT_EQ(SettleRuns({{"8", T(1), T(2), ""}}, {{"0", T(3), {}, ""}}, "0"),
            (std::vector<StateRun>{{"0", T(3), T(3), ""}}));
}

TEST(RunsTest, TimesInTheFutureAreNotBelieved) {
  EXPECT_EQ(SettleRuns({}, {{"ok", T(10), T(99), ""}})[0].since, T(10));
}

}  // namespace
}  // namespace plimsoll
