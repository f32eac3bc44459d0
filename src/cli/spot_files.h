// SpotFiles: files of spot traces, lifetimes and advice as the command line names them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/availability_trace.h"

namespace plimsoll {

struct SpotFileOptions {
  std::vector<std::string> files;  // and patterns
  std::string format;              // of --trace-format; "" recognises each
  std::string observed;            // "pings", "held"; "" as the files say
};

// In the order of the files. Fails with kNotFound, kUnavailable, kInvalidArgument or kBadData.
Result<std::vector<SpotHistory>> ReadSpotFiles(const SpotFileOptions& options);

}  // namespace plimsoll
