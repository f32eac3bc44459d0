// Finds the best commitments of many flavors, and of one of them by trying every quantity.
//
//   commit_bench [--flavors N] [--hours N]
//
// 200 flavors of 8,760 hours from a fixed stream, six offers (1 and 3 years; no, partial and all
// upfront with a cost of capital of 8 %): BestPurchases of all flavors, sorting included, against
// a naive method on a few of them, which adds up all hours for every quantity of every offer.
// Checks that both find the same cost. Bound: 2 s for all flavors.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"
#include "purchase/commit/unit_plan.h"

namespace {

using namespace plimsoll;  // NOLINT: a benchmark is one file

constexpr std::int64_t kMonths = 36;
const Money kOnDemand = *Money::Parse("3.93");

double Seconds(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<CommitmentOffer> Offers() {
  std::vector<CommitmentOffer> offers;
  for (const std::int64_t months : {12, 36}) {
    for (const int upfront : {0, 50, 100}) {
      const Money hourly = *Money::Parse(months == 12 ? "2.87" : "2.16");
      CommitmentOffer offer;
      offer.name = std::to_string(months) + "/" + std::to_string(upfront);
      offer.term_months = months;
      offer.payment = static_cast<CommitmentPayment>(upfront / 50);
      // Paid early, the face is lower by some percent.
      const int128 face = hourly.nanos() * kHoursPerMonth * months * (100 - upfront / 25) / 100;
      offer.upfront = Money::FromNanos(face * upfront / 100);
      offer.prices = {
          {"*", Money::FromNanos(face * (100 - upfront) / 100 / (kHoursPerMonth * months))}};
      offers.push_back(offer);
    }
  }
  return offers;
}

// A day's shape, a weekend's dip and noise; hundreds of GPUs at most.
std::vector<std::int64_t> Hours(std::size_t flavor, std::int64_t count) {
  std::mt19937_64 random(flavor + 1);
  std::vector<std::int64_t> used;
  const auto base = static_cast<std::int64_t>(random() % 200);
  const auto swing = static_cast<std::int64_t>(random() % 300);
  for (std::int64_t h = 0; h < count; ++h) {
    const std::int64_t of_day = std::abs(h % 24 - 12);
    const std::int64_t quiet = h / 24 % 7 >= 5 ? 2 : 1;
    const auto noise = static_cast<std::int64_t>(random() % (20 * kUnitHour));
    used.push_back((base + swing * (12 - of_day) / 12 / quiet) * kUnitHour + noise);
  }
  return used;
}

// The best single offer at any quantity over the horizon, hours added up one by one.
Money NaiveBest(const std::vector<std::int64_t>& used, const std::vector<UnitOffer>& offers) {
  const std::int64_t most = *std::max_element(used.begin(), used.end()) / kUnitHour + 1;
  const auto hours = static_cast<std::int64_t>(used.size());
  int128 best = -1;
  for (const UnitOffer& offer : offers) {
    for (std::int64_t units = 0; units <= most; ++units) {
      int128 over = 0;
      for (const std::int64_t used_ms : used) {
        over += std::max<std::int64_t>(0, used_ms - units * kUnitHour);
      }
      const int128 rest = DivideHalfEven(over * kHoursPerMonth * kMonths * kOnDemand.nanos(),
                                         int128{kUnitHour} * hours);
      const int128 cost = rest + offer.term_cost.nanos() * units * (kMonths / offer.months);
      if (best < 0 || cost < best) best = cost;
    }
  }
  return Money::FromNanos(best);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t flavors = 200, hours = 8'760;
  for (int i = 1; i + 1 < argc; i += 2) {
    (std::string(argv[i]) == "--flavors" ? flavors : hours) = std::atoll(argv[i + 1]);
  }
  std::vector<UnitOffer> offers;
  for (const CommitmentOffer& offer : Offers()) {
    offers.push_back({offer.term_months, *TermCost(offer, "", 80'000'000)});
  }
  std::vector<std::vector<std::int64_t>> used;
  for (std::int64_t i = 0; i < flavors; ++i) {
    used.push_back(Hours(static_cast<std::size_t>(i), hours));
  }
  const std::vector<ForecastMonth> months(kMonths, {UsageCurve::kWhole, kOnDemand, 0});

  auto begin = std::chrono::steady_clock::now();
  std::vector<Money> costs;
  std::int64_t units = 0;
  for (const std::vector<std::int64_t>& hourly : used) {
    const UsageCurve curve(hourly);
    const UnitForecast forecast{&curve, months, 1};
    const auto plan = BestPurchases(forecast, offers);
    if (!plan) return std::fprintf(stderr, "%s\n", plan.error().message.c_str()), 1;
    costs.push_back(OutcomeOf(forecast, offers, *plan).cost);
    for (const UnitPurchase& purchase : *plan) units += purchase.units;
  }
  const double ours = Seconds(begin);

  const std::size_t tried = std::min<std::size_t>(3, used.size());
  begin = std::chrono::steady_clock::now();
  bool same = true;
  for (std::size_t i = 0; i < tried; ++i) same = same && NaiveBest(used[i], offers) == costs[i];
  const double naive = Seconds(begin) / static_cast<double>(tried) * static_cast<double>(flavors);
  std::printf(
      "%lld flavors x %lld hours x %zu offers: %lld units in %.3f s (bound 2 s)\n"
      "  every quantity of every offer, hour by hour: %.1f s (from %zu flavors), ratio %.0f; "
      "%s\n",
      static_cast<long long>(flavors), static_cast<long long>(hours), offers.size(),
      static_cast<long long>(units), ours, naive, tried, naive / ours,
      same ? "the same cost to the nano" : "ANOTHER COST");
  return same && ours < 2 ? 0 : 1;
}
