// TraceReader: files of spot capacity in any known format as traces, lifetimes and advice.
//
// docs/formats/spot-traces.md describes the formats and what each of them observes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/availability_trace.h"

namespace plimsoll {

enum class TraceFormat : unsigned char {
  kSkyPilot,     // {"metadata": {"gap_seconds": 600}, "data": [...], "prices": [...]}
  kPings,        // index,ISO time,0|1 with 1 = preempted
  kEvents,       // ms,add|remove,node
  kStepsMs,      // ms,instances: a count holds until the next line
  kStepsS,       // s,instances
  kStepsHours,   // h,instances
  kReadings,     // date, time, instances
  kTable,        // our own CSV: time,available[,price]
  kLifetimes,    // CSV of instances: docs/formats/lifetimes.md
  kAdvisorJson,  // AWS Spot Advisor as AWS serves it
  kAdvisorCsv,   // rows of it
};
std::vector<std::string> TraceFormatNames();  // as --trace-format takes them

// Fails with kInvalidArgument, naming the formats.
Result<TraceFormat> ParseTraceFormat(const std::string& name);

struct TraceSource {
  std::string file;                              // for errors, the zone and the kind of GPU
  std::string_view text;                         // of the whole file
  std::optional<TraceFormat> format = {};        // else it is recognised by its content
  std::optional<SpotObservation> observed = {};  // else the format's, or the folder's name
};

// By content. Fails with kBadData, saying what the formats look like.
Result<TraceFormat> RecognizeTrace(const TraceSource& source);

// Fails with kBadData, naming file, line, field and remedy. What it returns is sound: gap > 0,
// at least one tick a trace, no negative count, lifetime or price.
Result<SpotHistory> ReadSpotHistory(const TraceSource& source);

}  // namespace plimsoll
