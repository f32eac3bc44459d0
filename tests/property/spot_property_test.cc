// Runs on spot: the simulation agrees with the closed forms, and with a second simulation written
// from the rules alone.
//
// Seeds are fixed. Each of many comparisons is a t-test; so that the family of all has odds of
// one in a thousand to fail by chance, each is held to the level 0.001 / comparisons
// (Bonferroni), and no more of them may lie outside their 95 % interval than a binomial count
// exceeds once in a thousand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "purchase/spot/checkpoint_interval.h"
#include "purchase/spot/lifetime_renewal.h"
#include "purchase/spot/spot_outcome.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;
constexpr double kFamilyLevel = 1e-3;

Duration InHours(double hours) { return Millis(std::llround(hours * kHour)); }
double Ms(Duration time) { return static_cast<double>(time.base()); }

// Each set has a seed of its own: with the same numbers all would err to the same side.
Moments TimesOf(const SpotRunModel& model, SpotPolicy policy, int runs, int set) {
  Moments moments;
  for (int i = 0; i < runs; ++i) {
    const SpotRunTimes run = SimulateSpotRun(
        model, policy, {2'026 + static_cast<std::uint64_t>(set), static_cast<std::uint64_t>(i)});
    EXPECT_TRUE(run.finished);
    moments.Add(Ms(run.finish));
  }
  return moments;
}

// Counts comparisons, and fails for one that is too far off.
class Family {
 public:
  explicit Family(int comparisons) : comparisons_(comparisons) {}

  // `distance` in standard errors, of `degrees` degrees of freedom.
  void Compare(double distance, double degrees) {
    EXPECT_LT(std::abs(distance), StudentQuantile(1 - kFamilyLevel / comparisons_ / 2, degrees));
    outside_ += std::abs(distance) > StudentQuantile(0.975, degrees);
    ++seen_;
  }

  void Finish() const {
    EXPECT_EQ(seen_, comparisons_);
    // The least count that Binomial(n, 0.05) exceeds with odds of at most one in a thousand.
    int most = 0;
    while (IncompleteBeta(most + 1, comparisons_ - most, 0.05) > kFamilyLevel) ++most;
    EXPECT_LE(outside_, most);
  }

 private:
  int comparisons_, seen_ = 0, outside_ = 0;
};

struct Dice {
  std::mt19937_64 random{20'261'201};
  double Between(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  }
  int Whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
};

SpotRunModel RandomRun(Dice& dice, Lifetime lifetime, double mtbf_hours) {
  SpotRunModel model(std::move(lifetime));
  const double save = dice.Between(0.01, std::min(0.5, mtbf_hours / 4));
  const double interval = OptimalInterval(save, mtbf_hours) * dice.Between(0.4, 2.5);
  model.save = InHours(save);
  model.interval = InHours(interval);
  model.work = InHours(interval * dice.Between(3, 40));
  model.restart = InHours(dice.Between(0, mtbf_hours / 4));
  model.wait = InHours(dice.Between(0, 1));
  model.last_is_saved = dice.Whole(0, 1) == 1;
  model.give_up = Days(10'000'000);
  return model;
}

TEST(SpotProperty, SimulationIsWithinItsIntervalOfTheClosedFormFor200Runs) {
  constexpr int kSets = 200, kRuns = 1'500;
  Dice dice;
  Family family(kSets);
  for (int set = 0; set < kSets; ++set) {
    SCOPED_TRACE(set);
    const double mtbf = std::exp(dice.Between(std::log(0.5), std::log(50)));
    const int nodes = dice.Whole(1, 8);
    SpotRunModel model = RandomRun(dice, *Lifetime::Exponential(mtbf * nodes * kHour), mtbf);
    model.nodes = nodes;
    const double expected =
        ExpectedTime({mtbf * kHour, Ms(model.save), Ms(model.restart), Ms(model.wait)},
                     Ms(model.work), Ms(model.interval), model.last_is_saved);
    const Moments times = TimesOf(model, SpotPolicy::kSpotOnly, kRuns, set);
    const double error = std::sqrt(times.variance() / kRuns);
    family.Compare((times.mean() - expected) / error, kRuns - 1);
    EXPECT_LT(error / expected, 0.05);  // it says something
  }
  family.Finish();
}

TEST(SpotProperty, SimulationAgreesWithTheRenewalEquationOfAnyLaw) {
  constexpr int kSets = 40, kRuns = 1'500;
  Dice dice;
  Family family(kSets);
  for (int set = 0; set < kSets; ++set) {
    SCOPED_TRACE(set);
    const double shape = dice.Between(0.5, 2);
    const Lifetime lifetime =
        set % 4 == 0 ? *Lifetime::Bathtub({}) : *Lifetime::WeibullOfMean(shape, 4 * kHour);
    const SpotRunModel model = RandomRun(dice, lifetime, 4);
    const double expected =
        RenewalTime(lifetime, {Ms(model.work), Ms(model.interval), Ms(model.save),
                               Ms(model.restart), Ms(model.wait), model.last_is_saved});
    const Moments times = TimesOf(model, SpotPolicy::kSpotOnly, kRuns, set);
    family.Compare((times.mean() - expected) / std::sqrt(times.variance() / kRuns), kRuns - 1);
  }
  family.Finish();
}

TEST(SpotProperty, OnDemandAgreesWithTheClosedFormOfItsHardware) {
  constexpr int kSets = 20, kRuns = 1'500;
  Dice dice;
  Family family(kSets);
  for (int set = 0; set < kSets; ++set) {
    SCOPED_TRACE(set);
    const double mtbf = dice.Between(5, 50);
    SpotRunModel model = RandomRun(dice, *Lifetime::Exponential(kHour), mtbf);
    model.nodes = dice.Whole(1, 8);
    model.hardware_mtbf = InHours(mtbf * static_cast<double>(model.nodes));
    model.on_demand_interval = model.interval;
    const double expected = ExpectedTime({mtbf * kHour, Ms(model.save), Ms(model.restart), 0},
                                         Ms(model.work), Ms(model.interval), false);
    const Moments times = TimesOf(model, SpotPolicy::kOnDemand, kRuns, set);
    family.Compare((times.mean() - expected) / std::sqrt(times.variance() / kRuns), kRuns - 1);
  }
  family.Finish();
}

// The rules once more, in hours: nodes with an age and a death each, time that passes in phases.
class NaiveRun {
 public:
  NaiveRun(const SpotRunModel& model, double shape, double scale, std::mt19937_64& random)
      : model_(model), law_(shape, scale), random_(random) {
    for (std::int64_t i = 0; i < model.nodes; ++i) left_.push_back(law_(random_));
  }

  double Hours() {
    const double work = Ms(model_.work) / kHour, save = Ms(model_.save) / kHour;
    double done = 0;
    bool starts = true;
    while (done < work - 1e-12) {
      if (!starts && !Lives(Ms(model_.restart) / kHour)) continue;
      starts = false;
      while (done < work - 1e-12) {
        const double length = std::min(Ms(model_.interval) / kHour, work - done);
        const bool ends = done + length > work - 1e-12;
        const double before = now_;
        if (!Lives(length + (ends && !model_.last_is_saved ? 0 : save))) {
          // now_ holds the wait too.
          const double used = now_ - Ms(model_.wait) / kHour - before;
          if (SavesOnNotice()) {
            done += std::clamp(used - Ms(model_.notice) / kHour, 0.0, length);
          }
          break;
        }
        done += length;
      }
    }
    return now_;
  }

 private:
  bool SavesOnNotice() {
    return model_.notice >= model_.save && std::uniform_real_distribution<double>()(random_) * 1e9 <
                                               static_cast<double>(model_.save_per_billion);
  }

  // Lets time pass. False, after a wait with a new node, if one died on the way.
  bool Lives(double length) {
    auto first = std::min_element(left_.begin(), left_.end());
    const double lived = std::min(*first, length);
    now_ += lived;
    for (double& left : left_) left -= lived;
    if (lived == length) return true;
    *first = law_(random_);
    now_ += Ms(model_.wait) / kHour;
    return false;
  }

  const SpotRunModel& model_;
  std::weibull_distribution<double> law_;
  std::mt19937_64& random_;
  std::vector<double> left_;
  double now_ = 0;
};

TEST(SpotProperty, GangsThatAgeAndSavesOnNoticeAgreeWithANaiveSimulation) {
  constexpr int kSets = 30, kRuns = 1'500;
  Dice dice;
  Family family(kSets);
  for (int set = 0; set < kSets; ++set) {
    SCOPED_TRACE(set);
    const double shape = dice.Between(0.5, 1.6), scale = dice.Between(6, 30);
    SpotRunModel model = RandomRun(dice, *Lifetime::Weibull(shape, scale * kHour), 3);
    model.nodes = dice.Whole(1, 5);
    if (set % 2 == 0) {
      model.notice = model.save + InHours(dice.Between(0, 0.3));
      model.save_per_billion = static_cast<std::uint64_t>(dice.Between(0.2, 1) * 1e9);
    }
    const Moments ours = TimesOf(model, SpotPolicy::kSpotOnly, kRuns, set);
    Moments naive;
    for (int i = 0; i < kRuns; ++i) {
      naive.Add(NaiveRun(model, shape, scale, dice.random).Hours() * kHour);
    }
    const double error = std::sqrt((ours.variance() + naive.variance()) / kRuns);
    family.Compare((ours.mean() - naive.mean()) / error, 2 * (kRuns - 1));
  }
  family.Finish();
}

// Every run's hours and costs add up, whatever the policy.
TEST(SpotProperty, HoursAndCostsOfEveryRunAddUp) {
  Dice dice;
  for (int i = 0; i < 3'000; ++i) {
    SCOPED_TRACE(i);
    SpotRunModel model = RandomRun(dice, *Lifetime::WeibullOfMean(0.7, 4 * kHour), 4);
    model.nodes = dice.Whole(1, 4);
    model.deadline = model.work + InHours(dice.Between(0, 10));
    if (dice.Whole(0, 1) == 1) {
      model.hardware_mtbf = Hours(40);
      model.on_demand_interval = model.interval;
    }
    SpotPrices prices;
    prices.on_demand = Money::FromNanos(dice.Whole(1, 1'000'000'000));
    prices.spot = Money::FromNanos(dice.Whole(1, 1'000'000'000));
    prices.penalty_per_hour = Money::FromNanos(dice.Whole(0, 1'000'000'000));
    const auto policy = static_cast<SpotPolicy>(i % 3);
    const SpotRunTimes run = SimulateSpotRun(model, policy, {1, static_cast<std::uint64_t>(i)});
    Duration sum;
    for (const auto& where : run.spent) {
      for (const Duration spent : where) {
        EXPECT_GE(spent, Duration());
        sum += spent;
      }
    }
    EXPECT_EQ(sum, run.finish);
    EXPECT_EQ(run.of(SpotTime::kWork), model.work);
    // Against a price that is multiplied out once, line by line to half a nano each.
    const SpotCost cost = CostOfRun(model, prices, policy, run);
    const auto node_ms = [&](std::size_t where) {
      int128 ms = 0;
      for (const Duration spent : run.spent[where]) ms += spent.base();
      return ms * model.nodes;
    };
    const int128 wait = run.spent[0][static_cast<std::size_t>(SpotTime::kWaiting)].base();
    const int128 late = std::max<std::int64_t>((run.finish - *model.deadline).base(), 0);
    const int128 exact = (node_ms(0) - wait) * prices.spot.nanos() +
                         node_ms(1) * prices.on_demand.nanos() +
                         late * prices.penalty_per_hour.nanos();
    const int128 rounded = cost.total().nanos() * Hours(1).base();
    EXPECT_LE(exact > rounded ? exact - rounded : rounded - exact, 6 * Hours(1).base());
  }
}

}  // namespace
}  // namespace plimsoll
