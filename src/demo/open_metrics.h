// OpenMetricsWriter: samples with times, grouped by metric family and series.
//
// Values and timestamps are written as Prometheus prints them; the last line is "# EOF".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

class OpenMetricsWriter {
 public:
  explicit OpenMetricsWriter(const std::string& path);

  // Starts a family of gauges. A family is written once.
  void Family(std::string_view name, std::string_view help);
  // The labels of the samples that follow: `gpu="0",UUID="GPU-1"`, already escaped.
  void Series(std::string_view labels);
  void Sample(Instant at, std::string_view value);

  // Ends the file. Fails with kUnavailable if it could not be written whole.
  Status Finish();

 private:
  void Flush();

  std::string path_;
  std::ofstream out_;
  std::string buffer_, family_, prefix_;
};

// `name="value"` with the escapes of the format, a comma before it unless `labels` is empty.
void AppendLabel(std::string& labels, std::string_view name, std::string_view value);

// A whole number as Go's %g prints a float64: "64", "1.79478786e+09".
std::string GoNumber(std::int64_t value);

}  // namespace plimsoll
