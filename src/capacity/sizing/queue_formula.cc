#include "capacity/sizing/queue_formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

double Mean(Variability variability) { return (variability.arrivals + variability.services) / 2; }

bool IsOverloaded(std::int64_t servers, double load) {
  PLIMSOLL_CHECK(servers >= 1 && load >= 0);
  return load >= static_cast<double>(servers);
}

}  // namespace

double ErlangB(std::int64_t servers, double load) {
  PLIMSOLL_CHECK(servers >= 1 && load >= 0);
  double blocked = 1;
  for (std::int64_t k = 1; k <= servers; ++k) {
    blocked = load * blocked / (static_cast<double>(k) + load * blocked);
  }
  return blocked;
}

double ErlangC(std::int64_t servers, double load) {
  if (IsOverloaded(servers, load)) return 1;
  const double blocked = ErlangB(servers, load);
  return blocked / (1 - load / static_cast<double>(servers) * (1 - blocked));
}

double WaitOfMmc(std::int64_t servers, double load) {
  if (IsOverloaded(servers, load)) return kForever;
  return ErlangC(servers, load) / (static_cast<double>(servers) - load);
}

double WaitBeyondOfMmc(std::int64_t servers, double load, double t) {
  PLIMSOLL_CHECK(t >= 0);
  if (IsOverloaded(servers, load)) return 1;
  return ErlangC(servers, load) * std::exp(-(static_cast<double>(servers) - load) * t);
}

double WaitQuantileOfMmc(std::int64_t servers, double load, double p) {
  PLIMSOLL_CHECK(p > 0 && p < 1);
  if (IsOverloaded(servers, load)) return kForever;
  const double waits = ErlangC(servers, load);
  if (waits <= 1 - p) return 0;
  return std::log(waits / (1 - p)) / (static_cast<double>(servers) - load);
}

double WaitOfMg1(double load, double services) {
  if (IsOverloaded(1, load)) return kForever;
  return load / (1 - load) * (1 + services) / 2;
}

double WaitOfMd1(double load) { return WaitOfMg1(load, 0); }

double KingmanWait(double load, Variability variability) {
  if (IsOverloaded(1, load)) return kForever;
  return load / (1 - load) * Mean(variability);
}

double AllenCunneenWait(std::int64_t servers, double load, Variability variability) {
  return WaitOfMmc(servers, load) * Mean(variability);
}

double SakasegawaWait(std::int64_t servers, double load, Variability variability) {
  if (IsOverloaded(servers, load)) return kForever;
  const auto c = static_cast<double>(servers);
  const double rho = load / c;
  return std::pow(rho, std::sqrt(2 * (c + 1)) - 1) / (c * (1 - rho)) * Mean(variability);
}

}  // namespace plimsoll
