// The net saving of random fleets against a second, naive sum: on demand the work would have needed
// its hours less the lost ones. Every table adds up to the totals, to the nano.
#include <gtest/gtest.h>

#include <random>

#include "ledger/spot_saving.h"

namespace plimsoll {
namespace {

constexpr Window kWeek{AtSeconds(0), AtSeconds(7 * 86'400)};

class Fleet {
 public:
  explicit Fleet(std::uint64_t seed) : random_(seed) {}

  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution(low, high)(random_);
  }

  SpotNode Node(std::int64_t number) {
    SpotNode node;
    node.node = "n" + std::to_string(number);
    node.currency = Between(0, 9) == 0 ? "EUR" : "USD";
    node.instance_type = "t" + std::to_string(Between(0, 2));
    node.zone = "z" + std::to_string(Between(0, 1));
    node.effective = Money::FromNanos(Between(0, 1'000'000'000'000));
    if (Between(0, 4) > 0) node.list = Money::FromNanos(Between(0, 3'000'000'000'000));
    node.seen = Millis(Between(0, kWeek.length().base()));
    if (Between(0, 2) == 0) node.taken = AtMillis(Between(0, kWeek.until.base()));
    for (const char* team : {"", "a", "b"}) {
      if (Between(0, 2) == 0) continue;
      const GpuHours held = GpuMillis(Between(0, 1'000'000'000));
      node.team_time[team] = held;
      node.gpu_time += held;
      if (*team == '\0') {
        node.idle_time = held;
      } else if (node.taken && Between(0, 1) == 0) {
        node.lost[team] = {GpuMillis(Between(0, held.base() / 2)),
                           GpuMillis(Between(0, held.base() / 2))};
      }
    }
    if (node.taken && Between(0, 2) == 0) node.unlogged = GpuMillis(node.gpu_time.base() / 3);
    return node;
  }

 private:
  std::mt19937_64 random_;
};

// Half of the denominator away from the exact value at most: both are times the denominator.
void ExpectRounded(Money rounded, int128 numerator, int128 denominator) {
  const int128 twice = 2 * (rounded.nanos() * denominator - numerator);
  EXPECT_LE(twice, denominator);
  EXPECT_GE(twice, -denominator);
}

void ExpectEqualSums(const std::vector<SpotSums>& rows, const SpotSums& all) {
  SpotSums sum;
  for (const SpotSums& row : rows) {
    sum.effective += row.effective;
    sum.known_effective += row.known_effective;
    sum.list += row.list;
    sum.recomputation += row.recomputation;
    sum.restart += row.restart;
  }
  EXPECT_EQ(sum.effective, all.effective);
  EXPECT_EQ(sum.gross(), all.gross());
  EXPECT_EQ(sum.recomputation, all.recomputation);
  EXPECT_EQ(sum.restart, all.restart);
  EXPECT_EQ(sum.net(), all.net());
}

TEST(SpotSavingPropertyTest, GrossLessDeductionsIsNetInEveryTable) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE(seed);
    Fleet fleet(seed);
    std::vector<SpotNode> nodes;
    const std::int64_t count = fleet.Between(0, 12);
    for (std::int64_t i = 0; i < count; ++i) nodes.push_back(fleet.Node(i));
    std::vector<SpotDeclared> declared;
    for (std::int64_t i = fleet.Between(0, 3); i > 0; --i) {
      declared.push_back({"d", "storage", Money::FromNanos(fleet.Between(0, 1'000'000'000)), ""});
    }
    const auto saving = SavingOf(kWeek, "USD", nodes, declared);
    ASSERT_TRUE(saving) << saving.error().message;
    ExpectEqualSums(saving->flavors, saving->all);
    ExpectEqualSums(saving->teams, saving->all);

    // On demand without the lost time, less what spot cost, node by node.
    Money gross, lost;
    for (const SpotNode& node : nodes) {
      if (!node.list || node.currency != "USD") continue;
      gross += *node.list - node.effective;
      for (GpuHours SpotLoss::*part : {&SpotLoss::recomputation, &SpotLoss::restart}) {
        GpuHours time;
        for (const auto& [team, loss] : node.lost) time += loss.*part;
        const auto value = AtList(node, time);
        ASSERT_TRUE(value);
        if (node.gpu_time > GpuHours()) {
          ExpectRounded(*value, node.list->nanos() * time.base(), node.gpu_time.base());
        }
        lost += *value;
      }
    }
    Money beside;
    for (const SpotDeclared& one : declared) beside += one.amount;
    EXPECT_EQ(saving->all.gross(), gross);
    EXPECT_EQ(saving->net(), gross - lost - beside);
    EXPECT_EQ(saving->net() - saving->net_at_least(), saving->unlogged_at_most);
  }
}

}  // namespace
}  // namespace plimsoll
