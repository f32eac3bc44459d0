// Fleets that several demo tests look at, made once a test program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "demo/demo.h"

namespace plimsoll {

inline DemoFleet MakeFleet(std::int64_t gpus, std::int64_t days, std::uint64_t seed = 1) {
  DemoOptions options;
  options.gpus = gpus;
  options.days = days;
  options.seed = seed;
  Result<DemoFleet> fleet = GenerateDemo(options);
  EXPECT_TRUE(fleet.has_value());
  return fleet ? *std::move(fleet) : DemoFleet{};
}

// The default: 64 GPUs for a week, with every event.
inline const DemoFleet& Week() {
  static const DemoFleet fleet = MakeFleet(64, 7);
  return fleet;
}

// Two days of 40 GPUs: every kind of node, small files.
inline const DemoFleet& TwoDays() {
  static const DemoFleet fleet = MakeFleet(40, 2);
  return fleet;
}

// A folder of this process, removed with its content.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("plimsoll-demo-" + name + "-" +
               std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Fields of a CSV line without line ends in it.
inline std::vector<std::string> CsvFields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

}  // namespace plimsoll
