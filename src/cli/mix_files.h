// MixFiles: workloads and flavors as `plan mix` reads them, YAML or CSV
// (docs/formats/workloads.md). SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "purchase/mix/workload.h"

namespace plimsoll {

struct MixFile {
  std::vector<MixWorkload> workloads;
  std::vector<std::string> profiles;  // of each: a file with its hours; "" if it has its demand
  std::vector<MixFlavor> flavors;
};

// YAML with the lists workloads and flavors; or CSV of workloads; or CSV of flavors, told by its
// column on_demand. Fails with kBadData and everything that is wrong, "file:line: field:
// sentence", one a line. Reads no other file.
Result<MixFile> ReadMixFile(const std::string& file, const std::string& text);

// The hours of a profile (docs/formats/usage-csv.md), from the first hour of a Monday in UTC on.
// Only rows of `flavor`, if the file tells flavors. Fails with kBadData: hours that lack, none, or
// no whole days.
Result<std::vector<std::int64_t>> ReadMixProfile(const std::string& file, const std::string& text,
                                                 const std::string& flavor);

}  // namespace plimsoll
