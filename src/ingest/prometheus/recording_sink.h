// RecordingSink: for tests; writes down what a reader hands over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/prometheus/samples.h"

namespace plimsoll {

class RecordingSink : public SampleSink {
 public:
  std::int32_t OpenSeries(const SeriesLabels& series) override {
    opened.push_back(series);
    return static_cast<std::int32_t>(opened.size() - 1);
  }
  void OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) override {
    const SeriesLabels& labels = opened[static_cast<std::size_t>(series)];
    std::string text = labels.name;
    for (const auto& [key, label] : labels.labels) text += " " + key + "=" + label;
    samples.push_back(text + " @" + std::to_string(at_ms) + " " + std::string(value));
  }
  void AtLine(std::int64_t number) override { line = number; }
  void OnBadInput(std::int64_t at, std::string_view reason, std::string_view) override {
    bad.push_back(std::to_string(at) + ": " + std::string(reason));
  }

  std::vector<SeriesLabels> opened;
  std::vector<std::string> samples;
  std::vector<std::string> bad;
  std::int64_t line = 0;
};

}  // namespace plimsoll
