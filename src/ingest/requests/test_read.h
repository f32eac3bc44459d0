// Reads request logs from texts, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ingest/requests/request_reader.h"

namespace plimsoll {

// Files of one test, removed with it.
class RequestFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("plimsoll-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // Everything of the files; `reading` has the rest.
  Result<RequestRows> ReadAll(const RequestReaderOptions& options) {
    RequestRows all;
    PLIMSOLL_TRY(reading, ReadRequests(options, [&](RequestRows& rows) {
                   for (std::size_t i = 0; i < rows.rest_ns.size(); ++i) {
                     AppendRow(all.batch, rows.batch, i);
                     all.rest_ns.push_back(rows.rest_ns[i]);
                   }
                   return Ok();
                 }));
    return all;
  }
  RequestRows ReadText(const std::string& text, const std::vector<std::string>& maps = {}) {
    RequestReaderOptions options;
    options.files = {Write("log", text)};
    for (const std::string& map : maps) options.maps.push_back(*ParseRequestMap(map));
    Result<RequestRows> rows = ReadAll(options);
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? *std::move(rows) : RequestRows();
  }

  std::filesystem::path folder_;
  RequestReading reading;
};

}  // namespace plimsoll
