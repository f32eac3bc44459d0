// Properties of idle time over random fleets with every kind of sharing, failure and reserve:
// what explains idle time moves it between classes and never adds, loses or takes from holders.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

#include "property/naive_idle.h"
#include "property/random_fleet.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kSeeds = 120;

struct IdleFleet {
  RandomFleet fleet;
  Conditions conditions;
  IdlePolicy policy;

  AllocationOutput Run(bool with_rules) const {
    AllocationInput input = fleet.Input();
    AllocationOptions options = fleet.options;
    if (with_rules) {
      input.conditions = &conditions;
      options.idle = policy;
    }
    auto output = Allocate(input, options);
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : AllocationOutput{};
  }
};

class IdleMaker {
 public:
  explicit IdleMaker(std::uint64_t seed) : random_(seed) { made_.fleet = FleetMaker(seed).Make(); }

  IdleFleet Make() {
    ShareCards();
    for (const Symbol node : made_.fleet.nodes.node) AddStates(node);
    for (std::int64_t i = Between(0, 3); i > 0; --i) AddSetAside(i);
    for (std::int64_t i = Between(0, 3); i > 0; --i) AddReserve(i);
    for (std::int64_t i = Between(0, 2); i > 0; --i) AddWait();
    if (Chance(50)) made_.policy.scale_down_delay = Minutes(Between(1, 40));
    if (Chance(30)) made_.policy.typical_gpus = {Between(1, 4)};
    if (Chance(40)) {
      NodeScope scope;
      scope.node = "node-" + std::to_string(Between(0, 2));
      const Instant begin = At(Between(-30, 200));
      made_.policy.maintenance.push_back({scope, {begin, begin + Minutes(Between(1, 90))}, "m"});
    }
    return std::move(made_);
  }

 private:
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  static Instant At(std::int64_t minute) { return kFleetBegin + Minutes(minute); }

  // Some nodes by sevenths (MIG), quarters (time slices) or percents (HAMi), with more holders.
  void ShareCards() {
    HoldingBatch& h = made_.fleet.holdings;
    BindingBatch& b = made_.fleet.bindings;
    std::map<Symbol, std::int64_t> denominators;
    for (const Symbol node : made_.fleet.nodes.node) {
      constexpr std::int64_t kDenominators[] = {1, 4, 7, 100};
      denominators[node] = kDenominators[Between(0, 3)];
    }
    const std::size_t rows = RowsOf(h);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t den = denominators[h.node[i]];
      if (den == 1) {
        if (Chance(10)) h.role[i] = Chance(50) ? "placeholder" : "reservation";
        if (Chance(10)) h.used_ppm[i] = Between(0, 1'000'000);
        continue;
      }
      h.share_num[i] = Between(1, den / 2);
      h.share_den[i] = den;
      if (!Chance(60)) continue;
      AppendRow(h, HoldingBatch(h), i);
      h.name.back() = h.uid.back() = "more-" + std::to_string(i);
      h.share_num.back() = Between(1, den);
      AppendRow(b, BindingBatch(b), i);
      b.name.back() = h.name.back();
    }
  }

  void AddStates(Symbol node) {
    constexpr const char* kHealth[] = {"ok", "failed", "initializing", "maintenance"};
    for (std::int64_t i = Between(0, 4); i > 0; --i) {
      const std::size_t row = AddRow(made_.conditions.states);
      NodeStateBatch& states = made_.conditions.states;
      states.cluster[row] = "c";
      states.node[row] = node;
      states.since[row] = states.seen[row] = At(Between(-60, 240));
      switch (Between(0, 3)) {
        case 0:
          states.aspect[row] = "health";
          states.value[row] = kHealth[Between(0, 3)];
          break;
        case 1:
          states.aspect[row] = "schedulable";
          states.value[row] = Chance(50) ? "yes" : "no";
          break;
        case 2:
          states.aspect[row] = "planned";
          states.value[row] = Chance(50) ? "yes" : "no";
          break;
        default:
          states.aspect[row] = "gpus";
          states.gpus[row] = Between(0, 4);
      }
    }
  }

  void AddSetAside(std::int64_t number) {
    constexpr const char* kKinds[] = {"capacity-buffer", "kueue-workload", "slurm-reservation",
                                      "slurm-maintenance"};
    const std::size_t row = AddRow(made_.conditions.set_asides);
    SetAsideBatch& batch = made_.conditions.set_asides;
    batch.cluster[row] = "c";
    batch.source[row] = Chance(50) ? "slurm" : "kubernetes";
    batch.kind[row] = kKinds[Between(0, 3)];
    batch.name[row] = "aside-" + std::to_string(number);
    batch.owner[row] = Chance(50) ? "nlp,vision,ops" : "nlp";
    if (Chance(40)) batch.node[row] = "node-" + std::to_string(Between(0, 2));
    batch.gpus[row] = Between(0, 5);
    batch.since[row] = At(Between(-30, 200));
    batch.seen[row] = batch.since[row] + Minutes(Between(0, 100));
    if (Chance(30)) batch.until[row] = batch.since[row] + Minutes(Between(0, 100));
  }

  void AddReserve(std::int64_t number) {
    DeclaredReserve reserve;
    reserve.name = "reserve-" + std::to_string(number);
    reserve.gpus = Between(1, 4);
    reserve.owner = "platform";
    if (Chance(40)) reserve.scope.node = "node-" + std::to_string(Between(0, 2));
    if (Chance(40)) reserve.from = At(Between(-30, 200));
    if (Chance(40)) reserve.until = At(Between(-30, 200));
    made_.policy.reserves.push_back(reserve);
  }

  void AddWait() {
    const std::size_t row = AddRow(made_.conditions.pending);
    PendingBatch& pending = made_.conditions.pending;
    pending.cluster[row] = "c";
    pending.devices[row] = pending.unit_devices[row] = Between(1, 8);
    pending.device_kind[row] = Chance(80) ? "gpu" : "mig-1g.10gb";
    pending.queued[row] = At(Between(-30, 200));
  }

  std::mt19937_64 random_;
  IdleFleet made_;
};

bool IsIdle(std::int64_t cost_class) {
  const auto c = static_cast<CostClass>(cost_class);
  return c == CostClass::kUnavailable || c >= CostClass::kQuotaHeld;
}

struct Sum {
  std::int64_t millis = 0;
  Money gpu, cpu, memory;
  friend bool operator==(const Sum&, const Sum&) = default;
};
// By (hour, scope, node, "" for idle time or the workload with its class).
using Sums = std::map<std::tuple<Instant, std::int64_t, std::int64_t, std::string>, Sum>;

Sums SumsOf(const AllocationOutput& output) {
  Sums sums;
  const CostLineBatch& l = output.lines;
  for (std::size_t i = 0; i < RowsOf(l); ++i) {
    std::string who;
    if (!IsIdle(l.cost_class[i])) {
      who = NameOf(static_cast<CostClass>(l.cost_class[i]));
      const auto workload = static_cast<std::size_t>(l.workload_id[i]);
      if (l.workload_id[i] >= 0) who += " " + output.workloads.workload[workload];
    }
    Sum& sum = sums[{l.hour[i], l.scope_id[i], l.node_id[i], who}];
    sum.millis += l.gpu_time[i].base();
    sum.gpu += l.gpu_cost[i];
    sum.cpu += l.cpu_cost[i];
    sum.memory += l.memory_cost[i];
  }
  return sums;
}

TEST(IdlePropertyTest, RulesMoveIdleTimeAndNothingElse) {
  std::int64_t explained = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const IdleFleet fleet = IdleMaker(seed).Make();
    const AllocationOutput with = fleet.Run(true);
    ASSERT_TRUE(SumsOf(fleet.Run(false)) == SumsOf(with)) << "seed " << seed;
    for (std::size_t i = 0; i < RowsOf(with.lines); ++i) {
      ASSERT_GE(with.lines.gpu_time[i].base(), 0) << "seed " << seed;
      explained += with.lines.cost_class[i] >= static_cast<std::int64_t>(CostClass::kQuotaHeld) &&
                   with.lines.cost_class[i] < static_cast<std::int64_t>(CostClass::kWaste);
    }
  }
  EXPECT_GT(explained, 100);  // or the rules were never at work
}

// Per node and hour the classes are all of its cards' time and all of its cost.
TEST(IdlePropertyTest, ClassesAddUpToCapacityAndCost) {
  for (std::uint64_t seed = 6'000; seed < 6'000 + kSeeds; ++seed) {
    const IdleFleet fleet = IdleMaker(seed).Make();
    const AllocationOutput out = fleet.Run(true);
    std::map<std::pair<Instant, std::int64_t>, Sum> lines;
    std::map<std::pair<Instant, std::int64_t>, Sum> assets;
    for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
      if (out.lines.node_id[i] < 0) continue;
      Sum& sum = lines[{out.lines.hour[i], out.lines.node_id[i]}];
      sum.millis += out.lines.gpu_time[i].base();
      sum.gpu += out.lines.gpu_cost[i];
      sum.cpu += out.lines.cpu_cost[i];
      sum.memory += out.lines.memory_cost[i];
    }
    for (std::size_t i = 0; i < RowsOf(out.assets); ++i) {
      const auto node = static_cast<std::size_t>(out.assets.node_id[i]);
      const Window provisioned{out.assets.provisioned_begin[i], out.assets.provisioned_until[i]};
      const NodeBatch& nodes = fleet.fleet.nodes;
      const auto row = static_cast<std::size_t>(
          std::find(nodes.node.begin(), nodes.node.end(), out.nodes.node[node]) -
          nodes.node.begin());
      Sum& sum = assets[{out.assets.hour[i], out.assets.node_id[i]}];
      sum.millis = nodes.gpu_count[row] * provisioned.length().base();
      sum.gpu += out.assets.gpu_cost[i];
      sum.cpu += out.assets.cpu_cost[i];
      sum.memory += out.assets.memory_cost[i];
    }
    ASSERT_TRUE(lines == assets) << "seed " << seed;
  }
}

TEST(IdlePropertyTest, NoReserveIsLargerThanItsDeclaration) {
  for (std::uint64_t seed = 2'000; seed < 2'000 + kSeeds; ++seed) {
    const IdleFleet fleet = IdleMaker(seed).Make();
    const AllocationOutput out = fleet.Run(true);
    std::map<std::pair<Instant, std::string>, std::int64_t> taken;
    for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
      if (out.lines.cost_class[i] != static_cast<std::int64_t>(CostClass::kReserve)) continue;
      const auto workload = static_cast<std::size_t>(out.lines.workload_id[i]);
      taken[{out.lines.hour[i], out.workloads.workload[workload]}] += out.lines.gpu_time[i].base();
    }
    for (const DeclaredReserve& reserve : fleet.policy.reserves) {
      for (std::int64_t hour = 0; hour < kFleetHours; ++hour) {
        const Instant at = kFleetBegin + Hours(hour);
        const Window time = Intersect({at, at + Hours(1)}, {reserve.from.value_or(at),
                                                            reserve.until.value_or(at + Hours(1))});
        const std::int64_t most = time.empty() ? 0 : reserve.gpus * time.length().base();
        ASSERT_LE((taken[{at, reserve.name}]), most) << reserve.name << ", seed " << seed;
      }
    }
  }
}

template <class Batch>
Batch ShuffledTwice(const Batch& batch, std::mt19937_64& random) {
  std::vector<std::size_t> order(RowsOf(batch));
  std::iota(order.begin(), order.end(), std::size_t{0});
  order.insert(order.end(), order.begin(), order.end());
  std::shuffle(order.begin(), order.end(), random);
  Batch out;
  for (const std::size_t row : order) AppendRow(out, batch, row);
  return out;
}

TEST(IdlePropertyTest, OrderAndRepetitionOfConditionsChangeNothing) {
  for (std::uint64_t seed = 4'000; seed < 4'000 + kSeeds; ++seed) {
    const IdleFleet fleet = IdleMaker(seed).Make();
    IdleFleet other = IdleMaker(seed).Make();
    std::mt19937_64 random(seed);
    other.conditions.states = ShuffledTwice(fleet.conditions.states, random);
    other.conditions.pending = ShuffledTwice(fleet.conditions.pending, random);
    other.conditions.set_asides = ShuffledTwice(fleet.conditions.set_asides, random);
    const AllocationOutput a = fleet.Run(true);
    const AllocationOutput b = other.Run(true);
    ASSERT_TRUE(SumsOf(a) == SumsOf(b)) << "seed " << seed;
    ASSERT_EQ(a.lines.cost_class, b.lines.cost_class) << "seed " << seed;
    ASSERT_EQ(a.lines.workload_id, b.lines.workload_id) << "seed " << seed;
  }
}

using ClassKey = std::tuple<Instant, std::string, CostClass>;

// Idle time by (hour, node, class).
std::map<ClassKey, NaiveIdlePart> IdleByClass(const AllocationOutput& output) {
  std::map<ClassKey, NaiveIdlePart> sums;
  const CostLineBatch& l = output.lines;
  for (std::size_t i = 0; i < RowsOf(l); ++i) {
    if (l.node_id[i] < 0 || !IsIdle(l.cost_class[i])) continue;
    const auto node = static_cast<std::size_t>(l.node_id[i]);
    NaiveIdlePart& sum =
        sums[{l.hour[i], output.nodes.node[node], static_cast<CostClass>(l.cost_class[i])}];
    sum.millis += l.gpu_time[i].base();
    sum.gpu += l.gpu_cost[i].nanos();
    sum.cpu += l.cpu_cost[i].nanos();
    sum.memory += l.memory_cost[i].nanos();
  }
  return sums;
}

// A unit for each claim that may have been rounded apart.
bool IsNear(const NaiveIdlePart& a, const NaiveIdlePart& b) {
  const auto near = [](int128 x, int128 y) { return x - y <= 12 && y - x <= 12; };
  return near(a.millis, b.millis) && near(a.gpu, b.gpu) && near(a.cpu, b.cpu) &&
         near(a.memory, b.memory);
}

std::string TextOf(const NaiveIdlePart& part) {
  std::string text;
  for (const int128 one : {part.millis, part.gpu, part.cpu, part.memory}) {
    text += std::to_string(static_cast<std::int64_t>(one)) + " ";
  }
  return text;
}

// Two readings of S16 give each node and hour the same classes.
TEST(IdlePropertyTest, ASecondReadingOfTheRulesExplainsAsMuch) {
  std::map<CostClass, int128> compared;
  for (std::uint64_t seed = 8'000; seed < 8'000 + 100; ++seed) {
    const IdleFleet fleet = IdleMaker(seed).Make();
    std::map<ClassKey, NaiveIdlePart> expected = IdleByClass(fleet.Run(false));
    std::map<NaiveNodeHour, NaiveIdlePart> waste;
    for (const auto& [key, part] : expected) {
      const auto& [hour, node, cost_class] = key;
      if (cost_class == CostClass::kWaste) waste[{hour, node}] = part;
    }
    std::erase_if(expected, [](const auto& one) {
      return std::get<CostClass>(one.first) == CostClass::kWaste;
    });
    for (const auto& [key, part] :
         ExplainIdleNaively(fleet.fleet, fleet.conditions, fleet.policy, waste)) {
      NaiveIdlePart& sum = expected[key];
      sum.millis += part.millis;
      sum.gpu += part.gpu;
      sum.cpu += part.cpu;
      sum.memory += part.memory;
    }
    std::map<ClassKey, NaiveIdlePart> got = IdleByClass(fleet.Run(true));
    for (const auto& [key, part] : expected) got.try_emplace(key);
    for (const auto& [key, part] : got) {
      const auto& [hour, node, cost_class] = key;
      compared[cost_class] += part.millis;
      ASSERT_TRUE(IsNear(part, expected[key]))
          << "seed " << seed << ", " << ToString(hour) << " " << node << " " << NameOf(cost_class)
          << ": " << TextOf(part) << "and not " << TextOf(expected[key]);
    }
  }
  for (const CostClass one : {CostClass::kUnavailable, CostClass::kQuotaHeld, CostClass::kReserve,
                              CostClass::kScaleDownDelay, CostClass::kStranded}) {
    EXPECT_GT(compared[one], 0) << NameOf(one);
  }
}

}  // namespace
}  // namespace plimsoll
