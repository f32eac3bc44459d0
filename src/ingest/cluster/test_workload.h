// Reading a text as a workload, in tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ingest/cluster/workload_reader.h"

namespace plimsoll {

inline WorkloadReading ReadSource(const WorkloadSource& source) {
  const Result<WorkloadReading> reading = ReadWorkload(source);
  EXPECT_TRUE(reading.has_value()) << reading.error().message;
  return reading.has_value() ? *reading : WorkloadReading();
}
inline WorkloadReading ReadJobs(const std::string& text) { return ReadSource({"jobs.log", text}); }

inline std::string SourceErrorOf(const WorkloadSource& source) {
  const Result<WorkloadReading> reading = ReadWorkload(source);
  EXPECT_FALSE(reading.has_value());
  return reading.has_value() ? "" : reading.error().message;
}
inline std::string JobsErrorOf(const std::string& text) {
  return SourceErrorOf({"jobs.log", text});
}

inline bool Says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline Instant At(const std::string& text) { return *ParseInstant(text); }

}  // namespace plimsoll
