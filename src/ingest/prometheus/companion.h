// Companion: a reader of further metrics, fed by the same import as GPU telemetry.
//
// The import asks it for the names it wants, hands over the samples of series that telemetry
// does not know, and lets it store its own facts of each day in the same transaction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/prometheus/samples.h"
#include "model/import.h"
#include "store/snapshot.h"
#include "units/time.h"

namespace plimsoll {

struct CompanionScope {
  std::string cluster;
  Window window;  // facts are cut to it
  Duration hold = Minutes(5);
  // Refuses what was just handed over: field, reason, raw text.
  std::function<void(const char*, std::string_view, std::string_view)> refuse;
};

enum class SampleOutcome : unsigned char {
  kTaken,
  kAbsent,   // NaN: nothing was measured
  kRefused,  // like one that CompanionScope::refuse has heard of: only counted
  kPassed,   // known and not used, or given to CompanionScope::refuse
};

class Companion {
 public:
  virtual ~Companion() = default;

  virtual void Open(CompanionScope scope) = 0;  // once, before all else
  virtual std::string kind() const = 0;         // of its snapshots; sorts before "usage"

  // A number for the series; negative: it is nobody's.
  virtual std::int32_t OpenSeries(const SeriesLabels& series) = 0;
  virtual SampleOutcome OnSample(std::int32_t series, std::int64_t at_ms,
                                 std::string_view value) = 0;

  // What a server is asked for: a regular expression of all names, and then, of the names that
  // it has, those to read. Names of one group are read together.
  virtual std::string NamePattern() const = 0;
  virtual std::vector<std::vector<std::string>> NamesToRead(
      const std::vector<std::string>& there) = 0;
  // All names that could be read, for a server that does not list its own.
  virtual std::vector<std::string> AllNames() const = 0;

  // All samples before `until` have been handed over, but those of a later repetition.
  virtual void Settle(Instant until) = 0;
  // The days that have samples not yet taken, in order.
  virtual std::vector<Window> Days() const = 0;
  // Stores the facts of `day` and forgets its samples; false if there are none.
  virtual Result<bool> StoreDay(Store& store, SnapshotLoad& load, Window day) = 0;
  virtual void Report(ImportReport& report) const = 0;  // warnings
};

}  // namespace plimsoll
