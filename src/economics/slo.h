// SloJudge: whether a request was good, decided in whole nanoseconds.
//
// Good is a request that succeeded and met every limit of its service, at equality too. The
// time per output token is (e2e - ttft) / (output - 1), compared by multiplication; a request
// of one token or none has no such time and passes that limit. A source's own measure of it is
// used only where the three are not told. What is needed and not told makes a request
// unmeasured: it is not good, and it is no miss that can be shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/symbol.h"
#include "model/request.h"
#include "model/request_group.h"
#include "model/service.h"

namespace plimsoll {

enum class Outcome : unsigned char {
  kGood,
  kMissed,  // succeeded, and a limit that can be shown was not met
  kTimeout,
  kError,
  kCancelled,
  kUnmeasured,  // succeeded; no limit is shown to be missed, one cannot be checked
};
inline constexpr std::size_t kOutcomeCount = 6;
inline constexpr const char* kOutcomeNames[kOutcomeCount] = {"good",  "missed",    "timeout",
                                                             "error", "cancelled", "unmeasured"};

constexpr bool Succeeded(Outcome outcome) {
  return outcome == Outcome::kGood || outcome == Outcome::kMissed ||
         outcome == Outcome::kUnmeasured;
}

class SloJudge {
 public:
  explicit SloJudge(const Slo& slo) : slo_(slo) {}

  Outcome Judge(const RequestBatch& requests, std::size_t row) const;
  // Of requests whose limits were checked elsewhere; `verdict` is of those that succeeded.
  Outcome OutcomeOf(Symbol status, SloVerdict verdict) const;

 private:
  enum class Met : unsigned char { kYes, kNo, kUnknown };
  Met MeetsTpot(const RequestBatch& requests, std::size_t row) const;

  Slo slo_;
  Symbol ok_{"ok"};
  Symbol timeout_{"timeout"};
  Symbol cancelled_{"cancelled"};
};

}  // namespace plimsoll
