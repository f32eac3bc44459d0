// How often to save a run that is evicted now and then, and how long it takes: closed forms.
//
// For lives without memory of mean `mtbf`. Times are in one unit, any. A segment is work and the
// save behind it; an eviction costs the segment, a wait for capacity, during which nothing can be
// evicted, and a restart, which can.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace plimsoll {

struct CheckpointModel {
  double mtbf = 0;     // of the whole job: of one node / nodes
  double save = 0;     // to write a checkpoint; work stands still
  double restart = 0;  // from capacity until work goes on
  double wait = 0;     // for capacity
};

// sqrt(2 C M), Young 1974: first order, for intervals far below the MTBF.
double YoungInterval(double save, double mtbf);

// Daly 2006, of higher order: sqrt(2CM) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C; M if C >= 2M.
double DalyInterval(double save, double mtbf);

// What minimizes (e^((tau + C) / M) - 1) / tau: M (1 + W0(-e^(-1 - C / M))) with Lambert's W.
// Restart and wait do not matter. REQUIRES: save, mtbf > 0
double OptimalInterval(double save, double mtbf);

// sqrt(2 C / h): Young's, of those whose hazard is h now.
double AgeAwareInterval(double save, double hazard);

// The time of one segment of `length` (work and save) with all its evictions:
// (M + D) e^(R / M) (e^(length / M) - 1).
double SegmentTime(const CheckpointModel& model, double length);
// Evictions in it: e^(R / M) (e^(length / M) - 1).
double SegmentEvictions(const CheckpointModel& model, double length);

// (work / interval) segments, all of that interval: exact if it divides the work.
double EvenExpectedTime(const CheckpointModel& model, double work, double interval);

// Whole intervals and a rest; the last one is saved too if `last_is_saved`.
double ExpectedTime(const CheckpointModel& model, double work, double interval, bool last_is_saved);

// C / tau + tau / 2M + (R + D) / M: the share of time that is lost, to first order.
double FirstOrderWaste(const CheckpointModel& model, double interval);

// Node time that is paid for, by node time of work, at the best interval. While one node waits
// the others, `kept` of all nodes (0 of one), are paid for and idle.
double BilledSlowdown(const CheckpointModel& model, double kept);

// The least MTBF at which spot costs no more than on demand: price_ratio = spot price / (price
// on demand x its own slowdown). Null if it is 1 or more: no MTBF makes it cheaper.
// `model.mtbf` is not used. REQUIRES: price_ratio > 0, save > 0
std::optional<double> BreakEvenMtbf(CheckpointModel model, double kept, double price_ratio);

}  // namespace plimsoll
