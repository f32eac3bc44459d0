// FindingLog: gathers findings; equal (kind, subject, detail) become one with its totals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "allocation/allocation.h"

namespace plimsoll {

// What a finding concerns.
struct FindingAmount {
  int128 gpu_millis = 0;
  Money cost;
};

class FindingLog {
 public:
  void Add(const std::string& kind, const std::string& subject, const std::string& detail,
           FindingAmount amount = {});
  FindingBatch Take() const;  // sorted by (kind, subject, detail)

 private:
  std::map<std::tuple<std::string, std::string, std::string>, FindingAmount> findings_;
};

}  // namespace plimsoll
