// For tests: events as lines of text, and the files that writers make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/runs/tf_records.h"
#include "model/run.h"
#include "units/time.h"

namespace plimsoll {

// "x#0 2026-11-30T20:00:00Z step 5 512s 1024t loss=2.5": what of an event is there.
inline std::string EventText(const RunEventBatch& events, std::size_t row) {
  std::string text = events.run[row] + "#" + std::to_string(events.attempt[row]) + " " +
                     ToString(events.at[row]) + " " + events.kind[row].text();
  if (events.step[row]) text += " " + std::to_string(*events.step[row]);
  if (events.gpus[row]) text += " " + std::to_string(*events.gpus[row]) + "g";
  if (events.samples[row]) text += " " + std::to_string(*events.samples[row]) + "s";
  if (events.tokens[row]) text += " " + std::to_string(*events.tokens[row]) + "t";
  if (!events.name[row].empty()) text += " " + events.name[row];
  if (!events.value[row].empty()) text += "=" + events.value[row];
  return text;
}

inline std::vector<std::string> EventTexts(const RunEventBatch& events) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < RowsOf(events); ++row) texts.push_back(EventText(events, row));
  return texts;
}

// A folder for the files of one test, empty at first.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name)
      : path_(std::filesystem::path(::testing::TempDir()) / ("plimsoll_runs_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    path_ = std::filesystem::canonical(path_);
  }
  ~TestFolder() {
    std::error_code failure;
    std::filesystem::remove_all(path_, failure);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string Path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }
  std::string Write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

 private:
  std::filesystem::path path_;
};

// Protobuf's wire format and TensorFlow's framing, for making event files.
inline std::string Bytes(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  return bytes;
}
inline std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(0x80 | (value & 0x7F)));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}
inline std::string Field(unsigned number, std::uint64_t value) {
  return Varint(number << 3) + Varint(value);
}
inline std::string Field(unsigned number, std::string_view bytes) {
  return Varint(number << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}
inline std::string Fixed64(unsigned number, std::uint64_t bits) {
  return Varint(number << 3 | 1) + Bytes(bits, 8);
}
inline std::string Fixed32(unsigned number, std::uint32_t bits) {
  return Varint(number << 3 | 5) + Bytes(bits, 4);
}
inline std::string Record(std::string_view data) {
  const std::string length = Bytes(data.size(), 8);
  return length + Bytes(MaskedCrc32c(length), 4) + std::string(data) + Bytes(MaskedCrc32c(data), 4);
}

inline std::string TfHeader(double wall_time) {
  return Record(Fixed64(1, std::bit_cast<std::uint64_t>(wall_time)) +
                Field(3, std::string_view("brain.Event:2")));
}
// The old form of a scalar: Summary.Value.simple_value.
inline std::string TfSimple(double wall_time, std::int64_t step, const std::string& tag,
                            float value) {
  const std::string summary =
      Field(1, Field(1, tag) + Fixed32(2, std::bit_cast<std::uint32_t>(value)));
  return Record(Fixed64(1, std::bit_cast<std::uint64_t>(wall_time)) +
                Field(2, static_cast<std::uint64_t>(step)) + Field(5, summary));
}

}  // namespace plimsoll
