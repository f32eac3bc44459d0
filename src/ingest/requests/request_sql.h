// The fields of requests as SQL over the columns of a Parquet file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/requests/request_parquet.h"

namespace plimsoll {

// What a number or time becomes that cannot be read; no real one is so small.
inline constexpr std::int64_t kUnreadable = std::numeric_limits<std::int64_t>::min();

// Every field that `specs` find in `file`: texts as VARCHAR, numbers as BIGINT, times and
// lengths in nanoseconds; null where a row does not tell it. The values of one field are in the
// order of the specs. Fails with kBadData on a column of a type that holds no number.
Result<std::map<RequestField, std::string>> RequestFieldsSql(
    const ParquetFile& file, const std::vector<RequestFieldSpec>& specs);

}  // namespace plimsoll
