// UnitWeek: what the week's training runs and inference services produced, and for what cost, as
// the report is given it. Who builds the report joins it (runs, requests and cost lines).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "economics/training_causes.h"
#include "economics/unit_trend.h"
#include "units/money.h"
#include "units/quantity.h"

namespace plimsoll {

// What of a run lies in the week.
struct RunWeek {
  std::string run, experiment;
  std::array<GpuHours, kTimeCauseCount> time{};  // held, by cause
  std::int64_t failures = 0;
  std::optional<std::int64_t> samples, tokens;  // of kept steps
  std::optional<Money> cost;                    // null: it joins no cost line
  std::optional<Money> recomputation, failure_loss;
};

// The runs of an experiment that has a target, of which one lies in the week. Whole runs: the cost
// to the target is that until it was reached, whenever that was.
struct ExperimentWeek {
  std::string experiment;
  std::string target;  // "loss<=2.25,window=3"
  std::int64_t runs = 0, reached = 0;
  std::string cheapest;  // the run that reached it for the least cost; "" if none has a cost
  std::optional<Money> cost_to_target;
  std::optional<std::string> quality;  // the best that any of them held, decimal
};

// Cost per million good tokens as the product of these (economics/inference_cost.h); decimals.
struct ServiceFactors {
  std::string base, idle, slo, reserve, release;
  bool is_safe_declared = false;
};

struct ServiceWeek {
  std::string service;
  std::int64_t requests = 0, good = 0;
  std::int64_t tokens = 0, tokens_good = 0;  // output
  std::optional<Money> cost, per_million, per_million_good, missed;
  std::optional<std::string> goodput;  // good requests a second, decimal
  std::optional<ServiceFactors> factors;
};

// A unit cost over the weeks, oldest first; the last is the report's.
struct UnitSeries {
  std::string key;       // "samples", "tokens", "good_tokens"
  std::string label;     // "1M good output tokens"
  std::string segments;  // what the segments are: "service", "experiment"
  std::int64_t block = 1'000'000;
  std::vector<UnitPoint> points;
};

struct UnitWeek {
  std::vector<RunWeek> runs;
  std::vector<ExperimentWeek> experiments;
  std::vector<ServiceWeek> services;
  std::vector<UnitSeries> training, inference;
  UnitBand band;
};

}  // namespace plimsoll
