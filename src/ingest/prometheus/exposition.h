// ExpositionParser: Prometheus text format 0.0.4 and OpenMetrics 1.0, streamed.
//
// Memory does not grow with the input: one unfinished line (at most kLineBytesMax) and a
// bounded cache of series texts, so that a label set is parsed once, not once a sample. A
// bad line is reported to the sink with its number and skipped. Comments (HELP, TYPE, UNIT,
// any other) and exemplars carry no sample and are passed over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "ingest/prometheus/samples.h"
#include "units/time.h"

namespace plimsoll {

struct ExpositionFormat {
  // Timestamps: seconds with a fraction (OpenMetrics) or whole milliseconds (0.0.4).
  bool open_metrics = false;
  // The time of samples that carry none; without it such a line is an error.
  std::optional<Instant> at;
};

// OpenMetrics says of itself that its last line is "# EOF".
bool EndsLikeOpenMetrics(std::string_view tail);

// Reads `{a="x",b="y"}` with its escapes (\\ \" \n) from the start of `text`, appends the
// labels to `series` and returns the length read. A quoted name inside the braces is the
// metric's. On error returns 0 and says why in `reason`.
std::size_t ParseLabels(std::string_view text, SeriesLabels& series, std::string& reason);

class ExpositionParser {
 public:
  ExpositionParser(ExpositionFormat format, SampleSink& sink) : format_(format), sink_(&sink) {}

  // Takes the next bytes, cut anywhere. Fails with kInvalidArgument if a sample has no time
  // and the format gives none, with kBadData if a line is longer than kLineBytesMax.
  Status Feed(std::string_view bytes);
  Status Finish();  // the last line may lack its line end

  std::int64_t lines() const { return line_; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  Status TakeLine(std::string_view line);
  Status TakeSample(std::string_view line);
  // The series at the start of `line` and the length of its text; null if it was refused.
  std::optional<std::pair<std::int32_t, std::size_t>> SeriesAt(std::string_view line);
  std::optional<std::int32_t> ParseSeries(std::string_view text);
  Status Refuse(std::string_view reason, std::string_view line);

  ExpositionFormat format_;
  SampleSink* sink_;
  std::int64_t line_ = 0;
  std::string partial_;
  std::string last_text_;
  std::int32_t last_series_ = 0;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> cache_;
  std::size_t cache_bytes_ = 0;
};

}  // namespace plimsoll
