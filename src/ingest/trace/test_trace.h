// Reading a text as a file of spot capacity, in tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ingest/trace/trace_reader.h"

namespace plimsoll {

inline SpotHistory ReadTrace(const std::string& file, const std::string& text,
                             std::optional<TraceFormat> format = {}) {
  const Result<SpotHistory> history = ReadSpotHistory({file, text, format});
  EXPECT_TRUE(history.has_value()) << history.error().message;
  return history.has_value() ? *history : SpotHistory();
}

inline std::string TraceErrorOf(const std::string& file, const std::string& text,
                                std::optional<TraceFormat> format = {}) {
  const Result<SpotHistory> history = ReadSpotHistory({file, text, format});
  EXPECT_FALSE(history.has_value());
  return history.has_value() ? "" : history.error().message;
}

inline bool Says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace plimsoll
