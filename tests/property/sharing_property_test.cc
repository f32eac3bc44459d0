// Sharing's promises on random rows: nothing is lost, order and splitting of rows change
// nothing, and a filter never changes what a row that it keeps is given.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "sharing/sharing.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kFirstSeed = 20'261'123;
constexpr std::uint64_t kSeeds = 1'500;
constexpr Money kRoundings = Money::FromNanos(200);  // a nano a division

Money Distance(Money a, Money b) { return std::max(a - b, b - a); }

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  std::string Name(const char* prefix, std::int64_t count) {
    return prefix + std::to_string(Between(1, count));
  }

  std::vector<SharingRow> Rows() {
    std::vector<SharingRow> rows(static_cast<std::size_t>(Between(0, 30)));
    for (SharingRow& row : rows) {
      row.role = Chance(25)   ? SharingRole::kIdle
                 : Chance(20) ? SharingRole::kShared
                              : SharingRole::kWorkload;
      row.key = {row.role == SharingRole::kIdle ? "idle" : Name("team", 6)};
      row.cluster = Name("c", 2);
      row.node = row.cluster + Name("n", 3);
      for (Money& cost : row.amounts.cost) {
        if (Chance(60)) cost = Money::FromNanos(Between(Chance(5) ? -900 : 0, 9'999'999'999));
      }
      row.amounts.gpu_time = GpuMillis(Between(0, 3'600'000));
      row.amounts.gpu_used = GpuMillis(Between(0, row.amounts.gpu_time.base()));
      row.amounts.gpu_unknown = row.amounts.gpu_time - row.amounts.gpu_used;
    }
    return rows;
  }

  SharingPolicy Policy() {
    SharingPolicy policy;
    policy.idle = static_cast<IdleSharing>(Between(0, 2));
    policy.idle_split = Chance(30) ? SharingSplit::kEven : SharingSplit::kWeighted;
    policy.idle_by_node = Chance(50);
    policy.shared_split = static_cast<SharingSplit>(Between(0, 2));
    for (int team = 1; team <= 6; ++team) {
      policy.metric[{"team" + std::to_string(team)}] = Between(0, 9);
    }
    if (Chance(40)) policy.overhead = Money::FromNanos(Between(0, 99'999'999'999));
    return policy;
  }

  void Shuffle(std::vector<SharingRow>& rows) { std::shuffle(rows.begin(), rows.end(), random_); }

 private:
  std::mt19937_64 random_;
};

SharingResult Shared(const std::vector<SharingRow>& rows, const SharingPolicy& policy) {
  auto result = Share(rows, policy);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : SharingResult();
}

SharingAmounts Shown(const SharingResult& result) {
  SharingAmounts sum = result.unshared;
  for (const KeyRow& row : result.rows) sum += row.amounts;
  for (const IdleRow& row : result.idle) sum += row.amounts;
  return sum;
}

std::map<std::string, SharingAmounts> ByKey(const SharingResult& result) {
  std::map<std::string, SharingAmounts> rows;
  for (const KeyRow& row : result.rows) rows[row.key[0]] += row.amounts;
  return rows;
}

bool Same(const SharingResult& a, const SharingResult& b) {
  const auto idle_of = [](const SharingResult& result) {
    std::map<std::string, SharingAmounts> idle;
    for (const IdleRow& row : result.idle) idle[row.cluster + "/" + row.node] += row.amounts;
    return idle;
  };
  return ByKey(a) == ByKey(b) && idle_of(a) == idle_of(b) && a.unshared == b.unshared &&
         a.hidden == b.hidden && a.filtered == b.filtered;
}

void ForEverySeed(const std::function<void(Maker&)>& check) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Maker maker(seed);
    check(maker);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SharingProperty, NothingIsLostWhateverThePolicy) {
  ForEverySeed([](Maker& maker) {
    std::vector<SharingRow> rows = maker.Rows();
    for (SharingRow& row : rows) row.kept = maker.Chance(70);
    const SharingPolicy policy = maker.Policy();
    SharingAmounts in;
    for (const SharingRow& row : rows) in += row.amounts;
    const SharingResult result = Shared(rows, policy);
    SharingAmounts out = Shown(result);
    out += result.hidden;
    out += result.filtered;
    EXPECT_EQ(out.Total(), in.Total() + policy.overhead);
    EXPECT_EQ(out.gpu_time, in.gpu_time);
    EXPECT_EQ(out.gpu_used, in.gpu_used);
  });
}

TEST(SharingProperty, SharedAndSeparateIdleHaveOneTotal) {
  ForEverySeed([](Maker& maker) {
    const std::vector<SharingRow> rows = maker.Rows();
    SharingPolicy policy = maker.Policy();
    policy.idle = IdleSharing::kShare;
    const Money shared = Shown(Shared(rows, policy)).Total();
    policy.idle = IdleSharing::kSeparate;
    EXPECT_EQ(Shown(Shared(rows, policy)).Total(), shared);
    policy.idle = IdleSharing::kHide;
    const SharingResult hidden = Shared(rows, policy);
    EXPECT_EQ(Shown(hidden).Total() + hidden.hidden.Total(), shared);
  });
}

TEST(SharingProperty, OrderAndSplittingOfRowsChangeNothing) {
  ForEverySeed([](Maker& maker) {
    std::vector<SharingRow> rows = maker.Rows();
    for (SharingRow& row : rows) row.kept = maker.Chance(70);
    const SharingPolicy policy = maker.Policy();
    const SharingResult whole = Shared(rows, policy);
    for (std::size_t i = 0, count = rows.size(); i < count; ++i) {
      SharingRow part = rows[i];  // a third of its GPU cost as a row of its own
      part.amounts = {};
      part.amounts.cost[0] = Money::FromNanos(rows[i].amounts.cost[0].nanos() / 3);
      rows[i].amounts.cost[0] -= part.amounts.cost[0];
      rows.push_back(part);
    }
    maker.Shuffle(rows);
    EXPECT_TRUE(Same(Shared(rows, policy), whole));
  });
}

TEST(SharingProperty, AFilterNeverChangesWhatAKeptRowIsGiven) {
  ForEverySeed([](Maker& maker) {
    std::vector<SharingRow> rows = maker.Rows();
    const SharingPolicy policy = maker.Policy();
    const auto all = ByKey(Shared(rows, policy));
    // By key: the rows that are kept say what they said.
    const std::string team = maker.Name("team", 6);
    for (SharingRow& row : rows) row.kept = row.key[0] == team;
    const auto one = ByKey(Shared(rows, policy));
    EXPECT_EQ(one.size(), all.count(team));
    for (const auto& [key, amounts] : one) EXPECT_EQ(amounts, all.at(key));
    // By anything: a filter and its opposite add up to no filter, but for ties where a filter
    // cuts through the rows of one key on one node.
    for (SharingRow& row : rows) row.kept = maker.Chance(50);
    auto both = ByKey(Shared(rows, policy));
    for (SharingRow& row : rows) row.kept = !row.kept;
    for (const auto& [key, amounts] : ByKey(Shared(rows, policy))) both[key] += amounts;
    EXPECT_EQ(both.size(), all.size());
    for (const auto& [key, amounts] : all) {
      EXPECT_LE(Distance(both[key].Total(), amounts.Total()), kRoundings);
    }
  });
}

// What a filter shows of separate idle is what it shows when idle is shared; each of the two
// rounds on its own, once a pool, kind and division.
TEST(SharingProperty, UnderAFilterSeparateIdleIsWhatSharingWouldGive) {
  ForEverySeed([](Maker& maker) {
    std::vector<SharingRow> rows = maker.Rows();
    for (SharingRow& row : rows) {
      row.kept = maker.Chance(50);
      for (Money& cost : row.amounts.cost) cost = std::max(cost, Money());
    }
    SharingPolicy policy = maker.Policy();
    policy.idle = IdleSharing::kShare;
    const Money shared = Shown(Shared(rows, policy)).Total();
    policy.idle = IdleSharing::kSeparate;
    const Money separate = Shown(Shared(rows, policy)).Total();
    EXPECT_LE(Distance(shared, separate), kRoundings);
  });
}

}  // namespace
}  // namespace plimsoll
