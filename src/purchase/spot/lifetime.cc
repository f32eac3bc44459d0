#include "purchase/spot/lifetime.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sim/distributions.h"
#include "sim/portable_math.h"

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

bool IsPositive(double value) { return value > 0 && std::isfinite(value); }

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}
std::string InHours(double ms) { return Number(ms / kHour) + " h"; }

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

// Gauss and Legendre's rule of eight points.
template <class Function>
double IntegrateOnce(const Function& f, double from, double until) {
  constexpr double kPoints[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                0.9602898564975363};
  constexpr double kWeights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                 0.1012285362903763};
  const double half = (until - from) / 2, middle = (until + from) / 2;
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += kWeights[i] * (f(middle - half * kPoints[i]) + f(middle + half * kPoints[i]));
  }
  return sum * half;
}

// In pieces that halve towards `from`, where a survival may fall steeply.
template <class Function>
double Integrate(const Function& f, double from, double until) {
  if (until <= from) return 0;
  double sum = 0, end = until;
  const int pieces = from > 0 ? 6 + std::max(std::ilogb((until - from) / from), 0) : 40;
  for (int i = 0; i < pieces; ++i) {
    const double begin = i + 1 == pieces ? from : from + (end - from) / 2;
    sum += IntegrateOnce(f, begin, end);
    end = begin;
  }
  return sum;
}

double Power(double x, double y) { return portable::Power(x, y); }

double SurvivalOf(const BathtubLife& life, double age) {
  if (age >= life.cap) return 0;
  const auto distribution = [&](double t) {
    return life.height *
           (1 - portable::Exp(-t / life.early) + portable::Exp((t - life.knee) / life.late));
  };
  return std::clamp(1 - (distribution(age) - distribution(0)), 0.0, 1.0);
}

double DensityOf(const BathtubLife& life, double age) {
  return life.height * (portable::Exp(-age / life.early) / life.early +
                        portable::Exp((age - life.knee) / life.late) / life.late);
}

// The rest of a life of that age whose survival falls to `target`, by halving.
double Invert(const BathtubLife& life, double age, double target) {
  double low = age, high = life.cap;
  for (int i = 0; i < 60 && high - low > 1e-3; ++i) {
    const double middle = (low + high) / 2;
    (SurvivalOf(life, middle) > target ? low : high) = middle;
  }
  return high - age;
}

}  // namespace

Result<Lifetime> Lifetime::Exponential(double mean) {
  if (!IsPositive(mean)) return Wrong("the mean time between evictions must be above 0");
  return Lifetime(ExponentialLife{mean});
}

Result<Lifetime> Lifetime::Weibull(double shape, double scale) {
  if (!(shape >= 0.05 && shape <= 50)) return Wrong("k must be from 0.05 to 50");
  if (!IsPositive(scale)) return Wrong("scale must be above 0");
  return Lifetime(WeibullLife{shape, scale});
}

Result<Lifetime> Lifetime::WeibullOfMean(double shape, double mean) {
  PLIMSOLL_TRY(const Lifetime unit, Weibull(shape, 1));
  return Weibull(shape, mean / unit.Mean());
}

Result<Lifetime> Lifetime::Bathtub(const BathtubLife& life) {
  if (!(life.height > 0 && life.height <= 1)) return Wrong("a must be above 0 and at most 1");
  if (!IsPositive(life.early)) return Wrong("tau1 must be above 0");
  if (!IsPositive(life.late)) return Wrong("tau2 must be above 0");
  if (!IsPositive(life.knee)) return Wrong("b must be above 0");
  if (!IsPositive(life.cap)) return Wrong("cap must be above 0");
  return Lifetime(life);
}

std::string Lifetime::ToString() const {
  return std::visit(
      Overloaded{
          [](const ExponentialLife& life) { return "exponential, mean " + InHours(life.mean); },
          [](const WeibullLife& life) {
            return "weibull, shape " + Number(life.shape) + ", scale " + InHours(life.scale);
          },
          [](const BathtubLife& life) {
            return "bathtub, a " + Number(life.height) + ", tau1 " + InHours(life.early) +
                   ", tau2 " + InHours(life.late) + ", b " + InHours(life.knee) + ", cap " +
                   InHours(life.cap);
          },
          [](const MeasuredLife& life) {
            return "measured, " + std::to_string(life.evictions()) + " evictions in " +
                   std::to_string(life.lives()) + " lifetimes";
          }},
      law_);
}

double Lifetime::Mean() const {
  return std::visit(
      Overloaded{
          [](const ExponentialLife& life) { return life.mean; },
          [](const WeibullLife& life) { return life.scale * std::tgamma(1 + 1 / life.shape); },
          [this](const BathtubLife& life) { return SurvivalIntegral(0, life.cap); },
          [](const MeasuredLife& life) { return life.mean(); }},
      law_);
}

double Lifetime::Survival(double age) const {
  if (age <= 0) return 1;
  return std::visit(
      Overloaded{[&](const ExponentialLife& life) { return portable::Exp(-age / life.mean); },
                 [&](const WeibullLife& life) {
                   return portable::Exp(-Power(age / life.scale, life.shape));
                 },
                 [&](const BathtubLife& life) { return SurvivalOf(life, age); },
                 [&](const MeasuredLife& life) { return life.Survival(age); }},
      law_);
}

double Lifetime::SurvivalGiven(double age, double more) const {
  if (const auto* const weibull = std::get_if<WeibullLife>(&law_)) {
    return portable::Exp(Power(age / weibull->scale, weibull->shape) -
                         Power((age + more) / weibull->scale, weibull->shape));
  }
  if (memoryless()) return Survival(more);
  const double now = Survival(age);
  return now > 0 ? Survival(age + more) / now : 0;
}

double Lifetime::Hazard(double age) const {
  return std::visit(Overloaded{[](const ExponentialLife& life) { return 1 / life.mean; },
                               [&](const WeibullLife& life) {
                                 if (life.shape == 1) return 1 / life.scale;
                                 if (age <= 0) {
                                   return life.shape < 1 ? std::numeric_limits<double>::infinity()
                                                         : 0.0;
                                 }
                                 return life.shape / age * Power(age / life.scale, life.shape);
                               },
                               [&](const BathtubLife& life) {
                                 const double survival = SurvivalOf(life, age);
                                 return survival > 0 ? DensityOf(life, age) / survival
                                                     : std::numeric_limits<double>::infinity();
                               },
                               [&](const MeasuredLife& life) { return life.Hazard(age); }},
                    law_);
}

double Lifetime::CumulativeHazard(double age, double more) const {
  if (const MeasuredLife* const life = measured()) return life->CumulativeHazard(age, age + more);
  const double survival = SurvivalGiven(age, more);
  return survival > 0 ? -portable::Log(survival) : std::numeric_limits<double>::infinity();
}

double Lifetime::SurvivalIntegral(double from, double until) const {
  if (const auto* const life = std::get_if<ExponentialLife>(&law_)) {
    return life->mean * (portable::Exp(-from / life->mean) - portable::Exp(-until / life->mean));
  }
  if (const auto* const life = std::get_if<MeasuredLife>(&law_)) {
    return life->SurvivalIntegral(from, until);
  }
  if (const auto* const life = std::get_if<BathtubLife>(&law_)) {
    until = std::min(until, life->cap);
  }
  return Integrate([this](double age) { return Survival(age); }, from, until);
}

double Lifetime::Draw(RandomStream& random, double age) const {
  const double uniform = random.UniformPositive();
  return std::visit(
      Overloaded{[&](const ExponentialLife& life) { return -life.mean * portable::Log(uniform); },
                 [&](const WeibullLife& life) {
                   const double past = Power(age / life.scale, life.shape);
                   const double end =
                       life.scale * Power(past - portable::Log(uniform), 1 / life.shape);
                   return std::max(end - age, 0.0);
                 },
                 [&](const BathtubLife& life) {
                   if (age >= life.cap) return 0.0;
                   return Invert(life, age, uniform * SurvivalOf(life, age));
                 },
                 [&](const MeasuredLife& life) { return life.Draw(uniform, age); }},
      law_);
}

}  // namespace plimsoll
