// TraceText: lines of small text files with their numbers, and errors that say where.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/availability_trace.h"

namespace plimsoll {

// One line with text on it, split at commas; fields without the blanks around them.
struct TraceLine {
  std::int64_t number = 0;  // 1-based, counting every line
  std::vector<std::string_view> fields;
};

// Views into `text`. Takes LF and CRLF, a byte order mark, quotes around whole fields; skips
// blank lines and lines that begin with '#'.
std::vector<TraceLine> TraceLines(std::string_view text);

// "FILE, line 7, field 2: 'x' WHAT".
Error TraceError(const std::string& file, const TraceLine& line, std::size_t field,
                 const std::string& what);

// A row may leave fields out at its end; more than the header has are no row of it, such as
// numbers with a decimal comma. Fails with kBadData as TraceError says it.
Status CheckWidth(const std::string& file, const TraceLine& header, const TraceLine& row);

// A whole number of `least` to `most`. Fails with kBadData as TraceError says it.
struct WholeRange {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
};
Result<std::int64_t> WholeField(const std::string& file, const TraceLine& line, std::size_t field,
                                WholeRange range);
bool IsWhole(std::string_view text);

// Reads "5.016" units of `unit` to the nearest millisecond; null for what is no decimal from 0 on
// or is beyond a century.
std::optional<Duration> DecimalDuration(std::string_view text, Duration unit);

// A price per hour. Empty, NaN, null, NA and "-" are unknown, and so is what is below 0; text that
// is none of those and no number up to a million gives false.
bool ReadPrice(std::string_view text, std::optional<Money>& price);

// The last part of a path without its ending: "a/us-west-2a_k80_1.json" is "us-west-2a_k80_1".
std::string TraceNameOf(const std::string& file);

// "us-west-2a_k80_1" is zone us-west-2a of aws with sku k80x1; "g4dn-trace" has an empty zone and
// the name as its sku.
SpotPool PoolOfName(const std::string& name);

// "aws" of "us-west-2a", "gcp" of "us-east1-c" and "us-central1"; "" of others.
std::string CloudOfZone(std::string_view zone);

}  // namespace plimsoll
