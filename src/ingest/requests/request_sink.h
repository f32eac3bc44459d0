// RequestOutput: where the readers of all formats put requests and refused rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/requests/request_row.h"
#include "model/import.h"

namespace plimsoll {

// Takes the rows of a block; they are emptied when it returns. May stop the reading.
using TakeRequests = std::function<Status(RequestRows& rows)>;

class RequestOutput {
 public:
  explicit RequestOutput(TakeRequests take) : take_(std::move(take)) {}

  // The file that the next rows come from.
  void BeginFile(const std::string& file) { file_ = file; }

  // Ends `draft`: a request, or a rejection of what is wrong with it.
  Status Put(RequestDraft& draft, std::int64_t line, std::string_view raw);
  void Refuse(std::int64_t line, const std::string& field, const std::string& reason,
              std::string_view raw);
  // Not a request at all: counted by what it is.
  void Ignore(const std::string& what) { ++ignored_[what]; }
  Status Flush();

  // Hands over rows of a reader that fills columns itself; it may use them again.
  Status Pass(RequestRows& rows);

  std::int64_t accepted() const { return accepted_; }
  std::int64_t rejected() const { return rejected_; }
  const std::vector<Rejection>& rejections() const { return rejections_; }
  const std::map<std::string, std::int64_t>& ignored() const { return ignored_; }

  // Nanoseconds of load tests whose requests tell no times of arrival; 0 if all do.
  std::int64_t untimed_ns = 0;

 private:
  TakeRequests take_;
  std::string file_;
  RequestRows rows_;
  std::int64_t accepted_ = 0;
  std::int64_t rejected_ = 0;
  std::vector<Rejection> rejections_;  // the first kRequestRejectionsMax
  std::map<std::string, std::int64_t> ignored_;
};

// Rejections that are kept with their reasons; all are counted.
inline constexpr std::size_t kRequestRejectionsMax = 10'000;

}  // namespace plimsoll
