// Lifetime: how long a spot instance lives until it is taken back, as a distribution.
//
// Times are milliseconds as double: this is a model, not a record. Exponential is memoryless;
// spot instances mostly are not (Weibull shapes of 0.49 to 0.93 on public traces: the young are
// taken sooner).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "purchase/spot/measured_life.h"
#include "sim/random.h"

namespace plimsoll {

struct ExponentialLife {
  double mean = 0;
};

// Survival exp(-(t / scale)^shape).
struct WeibullLife {
  double shape = 0, scale = 0;
};

// Preemptible instances with a cap (24 h on GCP): F(t) = height (1 - e^(-t / early) +
// e^((t - knee) / late)), from 0 at the start; all that lives at the cap ends there. Form and
// typical values: Kadupitiya, Jadhao and Sharma 2019 (arXiv 1911.05160).
struct BathtubLife {
  double height = 0.5;
  double early = 3.6e6;  // 1 h
  double late = 2.88e6;  // 0.8 h
  double knee = 8.64e7;  // 24 h
  double cap = 8.64e7;   // 24 h
};

class Lifetime {
 public:
  // Each fails with kInvalidArgument, naming the parameter that makes no distribution.
  static Result<Lifetime> Exponential(double mean);
  static Result<Lifetime> Weibull(double shape, double scale);
  static Result<Lifetime> WeibullOfMean(double shape, double mean);
  static Result<Lifetime> Bathtub(const BathtubLife& life);
  static Lifetime Measured(MeasuredLife life) { return Lifetime(std::move(life)); }

  bool memoryless() const { return std::holds_alternative<ExponentialLife>(law_); }
  // The lifetimes it was measured by; null: it was not.
  const MeasuredLife* measured() const { return std::get_if<MeasuredLife>(&law_); }
  std::string ToString() const;  // "weibull, shape 0.56, scale 2.09 h"

  double Mean() const;
  double Survival(double age) const;  // P(life > age)
  // P(life > age + more | life > age); 0 where nothing lives to that age.
  double SurvivalGiven(double age, double more) const;
  // The rate at which those of that age are taken, per millisecond; infinite at the cap.
  double Hazard(double age) const;
  // Its integral from `age` for `more`: -log of what survives. Of measured lives by their life
  // table, as the steps of their survival say nothing of when the next one ends.
  double CumulativeHazard(double age, double more) const;
  // The integral of the survival from `from` until `until`: time lived there, on average.
  double SurvivalIntegral(double from, double until) const;

  // What is left of a life that has come to `age`, by inversion: one number of the stream.
  // 0 where nothing lives to that age.
  double Draw(RandomStream& random, double age = 0) const;

 private:
  using Law = std::variant<ExponentialLife, WeibullLife, BathtubLife, MeasuredLife>;
  explicit Lifetime(Law law) : law_(std::move(law)) {}
  Law law_;
};

}  // namespace plimsoll
