// TestIo: a run of the program in process, with streams, clock and environment of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run.h"

namespace plimsoll {

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

class TestIo {
 public:
  // A folder that no other test uses; the current folder until the end of the test.
  explicit TestIo(const std::string& name) {
    folder = std::filesystem::temp_directory_path() / ("plimsoll-cli-" + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    io.in = &in;
    io.out = &out_;
    io.err = &err_;
    io.now = [this] { return now; };
    io.steady_millis = [] { return std::int64_t{0}; };
    io.env = [this](const std::string& key) -> std::optional<std::string> {
      const auto found = env.find(key);
      return found == env.end() ? std::nullopt : std::optional(found->second);
    };
  }
  ~TestIo() {
    std::filesystem::current_path(before_);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  TestIo(const TestIo&) = delete;
  TestIo& operator=(const TestIo&) = delete;

  Ran Run(const std::vector<std::string>& args) {
    out_.str("");
    err_.str("");
    const ExitCode code = plimsoll::Run(args, io);
    return {static_cast<int>(code), out_.str(), err_.str()};
  }

  void Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  std::filesystem::path folder;
  Io io;
  std::istringstream in;
  Instant now = *ParseInstant("2026-11-29T12:00:00Z");
  std::map<std::string, std::string> env;

 private:
  std::filesystem::path before_;
  std::ostringstream out_;
  std::ostringstream err_;
};

}  // namespace plimsoll
