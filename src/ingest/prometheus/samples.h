// Samples: what the two readers (exposition text, HTTP API JSON) hand to the importer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

// A series' identity as it was written; labels in the order of the text, none twice.
struct SeriesLabels {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;

  // The value of label `key`; "" if it is not there (Prometheus makes no difference).
  std::string_view Get(std::string_view key) const {
    for (const auto& [label, value] : labels) {
      if (label == key) return value;
    }
    return {};
  }
};

// The reader stays in charge: it calls, in input order, from one thread.
class SampleSink {
 public:
  virtual ~SampleSink() = default;

  // A number for the series, to be used with OnSample. The same series may be opened again
  // (a reader's cache is bounded), and gets the same number or another that means the same.
  virtual std::int32_t OpenSeries(const SeriesLabels& series) = 0;

  // `value` is text that IsSampleValue accepts.
  virtual void OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) = 0;

  // The line of the calls that follow; readers of formats without lines never call it.
  virtual void AtLine(std::int64_t line) = 0;

  // One line or element that cannot be read; reading goes on after it.
  virtual void OnBadInput(std::int64_t line, std::string_view reason, std::string_view raw) = 0;
};

}  // namespace plimsoll
