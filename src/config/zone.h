// Time zones: local days and clock times of an IANA zone as instants.
//
// Zones come from the system's tzdata. Used only at the edges: windows on the command line,
// axes of reports. Everything between is UTC.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

// A clock on the wall, of no zone yet: milliseconds since 1970-01-01T00:00 local time.
using WallTime = Quantity<struct WallTimeTag>;

class Zone {
 public:
  // Fails with kInvalidArgument, naming the nearest known zone, if the system's tzdata does not
  // know `name` or has it in the slim form, of which the clock's later changes would be lost.
  // "UTC" needs no tzdata.
  static Result<Zone> Find(const std::string& name);

  const std::string& name() const { return name_; }

  WallTime WallOf(Instant t) const;

  // The first instant at which the clock shows `wall`, or, if it is skipped by a change of
  // the clock, the instant of that change: the start of a day is always defined.
  Instant FirstAt(WallTime wall) const;

  // The only instant at which the clock shows `wall`. Fails with kInvalidArgument if the
  // clock skips it or shows it twice, and says how to write it with an offset.
  Result<Instant> OnlyAt(WallTime wall) const;

 private:
  explicit Zone(std::string name, const void* rules) : name_(std::move(name)), rules_(rules) {}
  std::string name_;
  const void* rules_;  // the date library's zone, which lives as long as the program; or null
};

// True if a zone file (RFC 8536) has changes of the clock in the rule of its last line.
bool HasFooterRule(std::string_view zone_file);

}  // namespace plimsoll
