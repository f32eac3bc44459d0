// MeasuredLife: lifetimes that were observed, those still going too, as a distribution.
//
// Survival is the product-limit estimate (Kaplan and Meier 1958): an instance that was still
// alive when last seen counts up to then and says nothing of later. Past the last one seen
// nothing lives (Efron 1967), which is a lower bound if that one was alive. The hazard is that of
// a life table with bins of as many evictions each. Ages and rates are in milliseconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/availability_trace.h"
#include "units/time.h"

namespace plimsoll {

struct ObservedLife {
  Duration length;      // from start to eviction, or until it was last seen
  bool evicted = true;  // false: still alive then, or ended by its owner
};

// The lives of all those pools together; who ended as they started were never created and are
// left out.
std::vector<ObservedLife> ObservedLives(std::span<const InstanceLifetimes> pools);

class MeasuredLife {
 public:
  // Fails with kInvalidArgument: fewer than two evictions, a length that is not above 0.
  static Result<MeasuredLife> Of(std::vector<ObservedLife> lives);

  std::int64_t lives() const { return lives_; }
  std::int64_t evictions() const { return evictions_; }
  bool ends_alive() const { return ends_alive_; }  // the longest was not evicted
  double mean() const { return SurvivalIntegral(0, ends_.back()); }

  double Survival(double age) const;  // P(life > age): a step down at each eviction
  double Hazard(double age) const;    // per millisecond
  double CumulativeHazard(double from, double until) const;  // the integral of Hazard
  double SurvivalIntegral(double from, double until) const;
  // The rest of a life of that age at which survival has fallen to `uniform` of what it was.
  double Draw(double uniform, double age) const;

 private:
  struct Bin {
    double until = 0, rate = 0;
  };
  void BuildSteps(const std::vector<ObservedLife>& sorted);
  void BuildBins(const std::vector<ObservedLife>& sorted);

  std::int64_t lives_ = 0, evictions_ = 0;
  bool ends_alive_ = false;
  std::vector<double> ends_;   // where survival steps down
  std::vector<double> after_;  // survival from there on; the last is 0
  std::vector<Bin> bins_;
};

}  // namespace plimsoll
