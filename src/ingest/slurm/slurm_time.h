// SlurmTime: times as Slurm writes them, which is local time without a zone unless told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "units/time.h"

namespace date {
class time_zone;
}

namespace plimsoll {

class SlurmClock {
 public:
  // `zone` is an IANA name; "" is UTC. Fails with kInvalidArgument if it is not known.
  static Result<SlurmClock> Open(const std::string& zone);

  // The instants that `text` may mean: none for "Unknown", "None" and "", one as a rule, two
  // in the hour that a clock change repeats. Reads local time, epoch seconds
  // (SLURM_TIME_FORMAT=%s) and times with an offset.
  // Fails with kBadData on other text and on a local time that a clock change skips.
  Result<std::vector<Instant>> Read(std::string_view text) const;

 private:
  const date::time_zone* zone_ = nullptr;  // null is UTC
  std::string name_;
};

// Reads Elapsed, "[D-]HH:MM:SS", "MM:SS.mmm" or whole seconds; null for "" and "INVALID".
Result<std::optional<Duration>> ParseElapsed(std::string_view text);

struct HeldTime {
  Instant begin;
  std::optional<Instant> until;  // null while it is held
  bool differs = false;          // End - Start is not Elapsed; Elapsed counts
};

// When a job that started held its nodes: until is begin + Elapsed where Elapsed is known, as
// a suspension or a clock change makes End - Start something else. A start or end in a
// repeated hour is resolved by Elapsed, else refused with kBadData.
Result<HeldTime> ResolveHeld(const std::vector<Instant>& start, const std::vector<Instant>& end,
                             std::optional<Duration> elapsed);

}  // namespace plimsoll
